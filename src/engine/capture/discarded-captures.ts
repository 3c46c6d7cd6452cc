/**
 * Pictures that the person gave up in the editor. Promise: each can be brought back for an hour, the newest five of them
 * and as long as the app runs; after that it is gone from the disk, at the next start if the app was killed.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { CaptureId } from '../../api/ids.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { DiscardedCapture } from '../../ipc/protocol/capture.ts';
import type { Clock } from '../ports.ts';
import { type CaptureDrafts, draftPath } from './drawing-drafts.ts';
import type { PendingCapture, PendingCaptures } from './pending-captures.ts';

/** How long a picture that was given up can be brought back. */
export const KEPT_MS = 60 * 60_000;
export const KEPT_MOST = 5;
/** A computer that slept, or whose clock was set, must not keep one for much longer. */
const LOOK_AGAIN_MS = 5 * 60_000;

export interface DiscardedDeps {
  readonly clock: Clock;
  readonly pending: PendingCaptures;
  readonly drafts: CaptureDrafts;
  readonly onChange: () => void;
}

export interface DiscardedCaptures {
  /** The newest first. */
  all(): readonly DiscardedCapture[];
  /** Files that are kept for them. */
  files(): readonly string[];
  add(picture: PendingCapture): void;
  /** To the editor. Errors: CAPTURE_GONE. */
  restore(id: CaptureId): Result<void>;
  /** Removes all of them for good. */
  clear(): Promise<void>;
  /** Removes what is due, now and from now on. */
  wake(): void;
  close(): Promise<void>;
}

type Gone = PendingCapture & { readonly fate: Extract<PendingCapture['fate'], { is: 'discarded' }> };
const isDiscarded = (picture: PendingCapture): picture is Gone => picture.fate.is === 'discarded';

export const createDiscardedCaptures = ({ clock, pending, drafts, onChange }: DiscardedDeps): DiscardedCaptures => {
  const closing = new AbortController();
  let isWatching = false;

  /** Those whose files are being removed. */
  const leaving = new Set<CaptureId>();

  const newestFirst = (): readonly Gone[] =>
    pending
      .all()
      .filter(isDiscarded)
      .filter(({ id }) => !leaving.has(id))
      .toReversed();

  /** The files first: what is still on the disk is still on the list, so that the next start finds it. */
  const forget = async (pictures: readonly PendingCapture[]): Promise<void> => {
    if (pictures.length === 0) return;
    for (const { id } of pictures) leaving.add(id);
    onChange();
    await Promise.all(
      pictures.map(async ({ id, path }) => {
        await Promise.all([rm(path, { force: true }), drafts.drop(path)]);
        pending.drop(id);
        leaving.delete(id);
      }),
    );
  };

  /** A clock that was set back by more than the time says nothing about what is left of it. */
  const isDue = ({ fate }: Gone): boolean => Math.abs(clock.now() - fate.at) >= KEPT_MS;

  const forgetDue = (): Promise<void> =>
    forget(newestFirst().filter((picture, index) => index >= KEPT_MOST || isDue(picture)));

  const watch = async (): Promise<void> => {
    for (;;) {
      await forgetDue();
      const oldest = newestFirst().at(-1);
      if (!oldest) return;
      const left = oldest.fate.at + KEPT_MS - clock.now();
      await clock.sleep(Math.min(Math.max(1, left), LOOK_AGAIN_MS), closing.signal);
    }
  };

  const wake = (): void => {
    if (closing.signal.aborted) return;
    if (isWatching) {
      forgetDue().catch(() => {});
      return;
    }
    isWatching = true;
    watch()
      // What cannot be removed now is tried again at the next start.
      .catch(() => {})
      .finally(() => {
        isWatching = false;
      });
  };

  return {
    all: () => newestFirst().map(({ id, name, fate }) => ({ id, name, until: fate.at + KEPT_MS })),
    files: () => newestFirst().flatMap(({ path }) => [path, draftPath(path)]),
    add(picture) {
      pending.note({ ...picture, fate: { is: 'discarded', at: clock.now() } });
      onChange();
      wake();
    },
    restore(id) {
      const picture = newestFirst().find((one) => one.id === id);
      if (!picture) return GONE;
      pending.note({ ...picture, fate: { is: 'editing' } });
      onChange();
      return ok(undefined);
    },
    clear: () => forget(newestFirst()),
    wake,
    async close() {
      closing.abort();
      // Whoever quits does not come back for it.
      await forget(newestFirst());
    },
  };
};

const GONE = err(failure('CAPTURE_GONE', 'This picture was removed for good: discarded ones are kept for an hour.'));
