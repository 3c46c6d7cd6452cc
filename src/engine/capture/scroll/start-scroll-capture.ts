/**
 * Starts and saves the scrolling capture that `scroll-session.ts` runs: waits a given time, so that the area is visible,
 * and saves the picture at the end, when the user stops, or when capturing fails. If saving fails, or on an unexpected
 * error, the capture stays open.
 */

import { err, type Failure, failure, type Result } from '../../../api/errors.ts';
import type { CaptureId, ItemId } from '../../../api/ids.ts';
import { messageOf } from '../../../base/common/error-text.ts';
import { failureOfThrown } from '../../../common/disk-full.ts';
import type { Area, CaptureSessionIn } from '../../../ipc/protocol/capture.ts';
import type { Pixels } from '../../ports.ts';
import { createScrollSession, type ScrollSessionDeps } from './scroll-session.ts';

type Taken = Result<{ item: ItemId | null }>;

export interface ScrollCapture {
  readonly id: CaptureId;
  shown(): CaptureSessionIn<'scrolling'>;
  /** RGBA of 8 bits, `SCROLL_PREVIEW_WIDTH` pixels wide or as wide as the area. */
  preview(): Uint8Array;
  /** Also resolves when it is being saved already. Errors: CAPTURE_GONE, those of `keep`. */
  stop(): Promise<Taken>;
  undo(): void;
  /** Resolves when it has ended, and what it began to save is saved. */
  settled(): Promise<void>;
}

export interface ScrollCaptureDeps extends ScrollSessionDeps {
  /** The delay has ended. */
  readonly begun: () => void;
  /** Saves the picture and ends the session. */
  readonly keep: (pixels: Pixels) => Promise<Taken>;
  /** It ended by itself and failed; `isEmpty`: nothing can be kept. */
  readonly failed: (failure: Failure, isEmpty: boolean) => void;
}

const unexpected = (error: unknown): Failure => failureOfThrown(error, messageOf(error));

const NOTHING_YET = err(failure('CAPTURE_GONE', 'Nothing is captured yet. Try again, or cancel the capture.'));

/** `signal`: the user cancels. `delayMs`: until the area is visible. */
export const startScrollCapture = (
  deps: ScrollCaptureDeps,
  { id, area, delayMs }: { readonly id: CaptureId; readonly area: Area; readonly delayMs: number },
  signal: AbortSignal,
): ScrollCapture => {
  const session = createScrollSession(deps, area);
  let stopping = new AbortController();
  /** Null: nothing is saved or being saved. */
  let saving: Promise<Taken> | null = null;

  const save = (): Promise<Taken> => {
    saving ??= Promise.resolve().then(async () => {
      deps.onChange();
      const kept = await keep();
      if (kept.ok) return kept;
      saving = null;
      if (!signal.aborted) stayOpen();
      return kept;
    });
    return saving;
  };

  const keep = async (): Promise<Taken> => {
    try {
      return await deps.keep(session.result());
    } catch (error) {
      return err(unexpected(error));
    }
  };

  /** The picture is still there: to stop again, or to cancel. */
  const stayOpen = (): void => {
    session.halt();
    stopping = new AbortController();
    running = guarded(run());
  };

  /** Nobody waits for what ends by itself. */
  const guarded = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (signal.aborted) return;
      const isEmpty = session.progress().length === 0;
      deps.failed(unexpected(error), isEmpty);
      if (!isEmpty) stayOpen();
    });

  const run = async (): Promise<void> => {
    const { signal: stopped } = stopping;
    const ended = await session.run(AbortSignal.any([signal, stopped]));
    if (signal.aborted || stopped.aborted) return;
    const isEmpty = session.progress().length === 0;
    if (!ended.ok) {
      deps.failed(ended.error, isEmpty);
      if (isEmpty) return;
    }
    const kept = await save();
    if (!kept.ok && kept.error.code !== 'CANCELLED') deps.failed(kept.error, false);
  };

  const begin = async (): Promise<void> => {
    await deps.clock.sleep(delayMs, signal).catch(() => {});
    if (signal.aborted) return;
    deps.begun();
    await run();
  };
  let running = guarded(begin());

  return {
    id,
    shown() {
      const progress = session.progress();
      return { state: 'scrolling', id, area, ...progress, ...(saving && { by: 'saving' }) };
    },
    preview: () => session.preview().data,
    async stop() {
      if (saving) return saving;
      if (session.progress().length === 0) return NOTHING_YET;
      stopping.abort();
      await running;
      return signal.aborted ? NOTHING_YET : save();
    },
    undo() {
      if (!saving) session.undo();
    },
    settled: () => running,
  };
};
