/**
 * State machine of the session in which the user selects on the frozen screen: waiting, choosing, taken. At most one
 * session is open; the result has exactly the pixels of the frozen screen; cancelling at any moment leaves no files.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { CaptureId, ItemId } from '../../api/ids.ts';
import type {
  Area,
  CaptureMode,
  CapturePurpose,
  CaptureSession,
  CaptureSessionIn,
  OpenWindow,
} from '../../ipc/protocol/capture.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import { DONE, done } from '../commands.ts';
import type { Clock, Random, ScreenCapturer } from '../ports.ts';
import type { CaptureAction, CaptureApi } from './capture-api.ts';
import { areaOf, onDesktop, titleAt, toArea } from './capture-region.ts';
import { crop, type Frame } from './crop.ts';

export interface SessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly capturer: ScreenCapturer;
  readonly settings: () => Settings;
  readonly last: { read(): Area | null; note(area: Area): void };
  /** Whether a screenshot is open in the editor. */
  readonly isEditing: () => boolean;
  /** Whether a recording is active. */
  readonly isRecording: () => boolean;
  readonly record: (area: Area, signal: AbortSignal) => Promise<Result<unknown>>;
  /** Saves the screenshot and runs its actions. `isWanted` is called before a file is kept. */
  readonly keep: (
    subject: { readonly pixels: Frame['pixels']; readonly mode: CaptureMode; readonly title: string },
    action: CaptureAction | null,
    isWanted: () => boolean,
    onSaved: () => void,
  ) => Promise<Result<ItemId | null>>;
  /** Called when a capture is requested while one is open. */
  readonly recall: () => void;
  readonly notify: (notice: Failure) => void;
  readonly onChange: () => void;
}

interface Frozen {
  readonly frames: readonly Frame[];
  readonly windows: readonly OpenWindow[];
}

/** The open session; `shown` null: the screen is being frozen, or the screenshot is being written. */
interface Open {
  readonly mode: CaptureMode;
  readonly purpose: CapturePurpose;
  readonly ending: AbortController;
  shown: CaptureSessionIn<'waiting' | 'choosing'> | null;
  frozen: Frozen | null;
  isTaking: boolean;
}

export interface Session extends Pick<CaptureApi, 'start' | 'choose' | 'frame'> {
  shown(): CaptureSession | null;
  /** Returns whether a session was open. */
  cancel(): boolean;
}

/**
 * Before a delayed screenshot or a recording: time for our windows to leave the screen, so that they are not captured.
 */
const CLEARING_MS = 250;

const SESSION_ENDED = err(failure('CAPTURE_GONE', 'This capture is over. Start it again.'));
const CANCELLED = err(failure('CANCELLED', 'The capture was cancelled.'));
export const BUSY = err(failure('CAPTURE_BUSY', 'A capture is open already. Finish it or give it up first.'));
const RECORDING = err(failure('CAPTURE_BUSY', 'A recording is under way already. Stop it first.'));

export const createSession = (deps: SessionDeps): Session => {
  const { clock, random, capturer, settings } = deps;
  let open: Open | null = null;

  const close = (one: Open) => {
    if (open !== one) return;
    open = null;
    deps.onChange();
  };

  const freeze = async (signal: AbortSignal): Promise<Result<Frozen>> => {
    const [frames, windows] = await Promise.all([
      capturer.freeze(settings().capturePointer, signal),
      capturer.windows(signal),
    ]);
    if (!frames.ok) return frames;
    return ok({ frames: frames.value, windows: windows.ok ? windows.value : [] });
  };

  /** The area for modes that need no selection; null: the user selects. */
  const areaWithoutSelection = (mode: CaptureMode, { frames, windows }: Frozen): Result<Area> | null => {
    const displays = frames.map(({ display }) => display);
    if (mode === 'all' || mode === 'last') return areaOf({ mode }, { displays, windows, last: deps.last.read() });
    const [only, ...others] = displays;
    return mode === 'screen' && only && others.length === 0 ? ok(toArea(only)) : null;
  };

  const captureArea = async (
    one: Open,
    { frames, windows }: Frozen,
    area: Area,
    action: CaptureAction | null,
    signal: AbortSignal,
  ): Promise<Result<ItemId | null>> => {
    if (one.purpose === 'recording') {
      const wasShown = one.shown !== null;
      close(one);
      // A countdown is longer than the frozen screen takes to close; without one it would be in the first frames.
      if (wasShown && settings().recordingCountdownSeconds === 0)
        await clock.sleep(CLEARING_MS, signal).catch(() => {});
      const begun = await deps.record(area, signal);
      return begun.ok ? ok(null) : begun;
    }
    const displays = frames.map(({ display }) => display);
    const subject = { pixels: crop(frames, area), mode: one.mode, title: titleAt(area, { displays, windows }) };
    return deps.keep(
      subject,
      action,
      () => open === one,
      () => close(one),
    );
  };

  const begin = async (one: Open, signal: AbortSignal): Promise<Result<void>> => {
    const pressedAt = clock.now();
    const frozen = await freeze(signal);
    if (open !== one) return CANCELLED;
    if (!frozen.ok) return frozen;
    const area = areaWithoutSelection(one.mode, frozen.value);
    if (area) {
      if (!area.ok) return area;
      const taken = await captureArea(one, frozen.value, area.value, null, signal);
      return taken.ok ? ok(undefined) : taken;
    }
    const { frames, windows } = frozen.value;
    const displays = frames.map(({ display }) => display);
    const last = deps.last.read();
    one.frozen = frozen.value;
    one.shown = {
      state: 'choosing',
      id: random.uuid() as string as CaptureId,
      ...{ mode: one.mode, purpose: one.purpose, pressedAt },
      ...{ displays: [...displays], windows: [...windows] },
      last: last && onDesktop(last, displays).ok ? last : null,
    };
    deps.onChange();
    return ok(undefined);
  };

  /** Closes the session on every failure. */
  const run = async (one: Open, signal: AbortSignal): Promise<Result<void>> => {
    let begun: Result<void> = CANCELLED;
    try {
      begun = await begin(one, signal);
      return begun;
    } catch (error) {
      if (signal.aborted) return begun;
      throw error;
    } finally {
      if (!begun.ok) close(one);
    }
  };

  const runLater = async (one: Open, delayMs: number): Promise<void> => {
    await clock.sleep(Math.max(0, delayMs - CLEARING_MS), one.ending.signal);
    one.shown = null;
    deps.onChange();
    await clock.sleep(Math.min(delayMs, CLEARING_MS), one.ending.signal);
    const begun = await run(one, one.ending.signal);
    if (!begun.ok && begun.error.code !== 'CANCELLED') deps.notify(begun.error);
  };

  return {
    shown: () => open?.shown ?? null,
    async start({ mode, purpose = 'picture', delaySeconds }, signal) {
      if (open || deps.isEditing()) {
        deps.recall();
        return BUSY;
      }
      if (purpose === 'recording' && deps.isRecording()) return RECORDING;
      const delayMs = (delaySeconds ?? settings().captureDelaySeconds) * 1000;
      const ending = new AbortController();
      const one: Open = { mode, purpose, ending, shown: null, frozen: null, isTaking: false };
      open = one;
      if (delayMs === 0) return done(await run(one, AbortSignal.any([signal, ending.signal])));
      one.shown = { state: 'waiting', mode, purpose, startsAt: clock.now() + delayMs };
      deps.onChange();
      // Continues when the caller has disconnected.
      runLater(one, delayMs).catch(() => close(one));
      return DONE;
    },
    async choose({ id, area, way: action }, signal) {
      const one = open;
      if (!one?.frozen || one.isTaking || one.shown?.state !== 'choosing' || one.shown.id !== id) return SESSION_ENDED;
      const { frozen } = one;
      const chosen = onDesktop(
        area,
        frozen.frames.map(({ display }) => display),
      );
      if (!chosen.ok) return chosen;
      deps.last.note(toArea(area));
      one.isTaking = true;
      try {
        const taken = await captureArea(one, frozen, toArea(area), action, signal);
        return taken.ok ? ok({ item: taken.value }) : taken;
      } finally {
        // After a full disk the frozen screen stays open to select again.
        one.isTaking = false;
      }
    },
    frame(id, number) {
      if (open?.shown?.state !== 'choosing' || open.shown.id !== id) return null;
      return open.frozen?.frames.find(({ display }) => display.number === number)?.pixels.data ?? null;
    },
    cancel() {
      if (!open) return false;
      open.ending.abort();
      close(open);
      return true;
    },
  };
};
