/**
 * Scrolls a region to its end without help from the user, waits after each step until the picture is still or changes
 * only in a part, and joins the frames. Where a frame cannot be joined after several clicks of the wheel, it scrolls
 * back click by click and tries again; if that fails too, it stops and keeps what is joined. The outcome tells why it
 * ended, and whether every join is exact.
 */
import { err, failure, ok, type Result } from '../../../api/errors.ts';
import type { Area } from '../../../ipc/protocol/capture.ts';
import type { ScrollDirection, ScrollOutcome } from '../../../ipc/protocol/scroll.ts';
import type { Clock, Pixels, ScreenCapturer } from '../../ports.ts';
import { cellsOf, changedCells, countOf, type FrameCells, swapAxes } from './frame-cells.ts';
import { createFrameJoiner, type FrameJoiner, type JoinStep } from './join-frames.ts';

export interface ScrollingDeps {
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>;
  readonly capturer: ScreenCapturer;
}

export interface ScrollingRequest {
  readonly area: Area;
  readonly direction: ScrollDirection;
}

export interface ScrolledPicture {
  readonly pixels: Pixels;
  readonly outcome: ScrollOutcome;
}

const POLL_MS = 60;
/** Smooth scrolling ends within this time; what still changes then is an animation. */
const RESTLESS_AFTER_MS = 900;
const STILL_MAX_MS = 2_500;
/** A page may load more when its end is reached. */
const LOAD_MS = 700;
const END_TRIES = 2;
/** The part of the moving rows that one step scrolls. */
const STEP_PART = 0.45;
const CLICKS_MAX = 12;
const STEPS_MAX = 2_000;
/** More changes are not an animation in a part of the region, but a region that moves. */
const RESTLESS_PART_MAX = 0.4;

const NO_SCROLLING = err(
  failure(
    'CAPTURE_UNAVAILABLE',
    'Linkshot cannot scroll other windows on this desktop; only X11 lets it. Capture the parts one by one instead.',
  ),
);

interface StillFrame {
  readonly cells: FrameCells;
  /** Cells that do not come to rest. */
  readonly restless: Uint8Array | null;
}

/** Errors: those of the capturer, CAPTURE_UNAVAILABLE where the desktop lets no program scroll. */
export const captureScrolling = async (
  deps: ScrollingDeps,
  request: ScrollingRequest,
  signal: AbortSignal,
): Promise<Result<ScrolledPicture>> => {
  const joiner = createFrameJoiner();
  const ended = await scrollToEnd(deps, request, { joiner, onStep: () => {} }, signal);
  if (!ended.ok) return ended;
  const pixels = joiner.result();
  return ok({ pixels: request.direction === 'right' ? swapAxes(pixels) : pixels, outcome: ended.value });
};

export interface Joining {
  readonly joiner: FrameJoiner;
  /** Called with each step that the joiner took. */
  readonly onStep: (step: JoinStep) => void;
}

/**
 * Scrolls to the end and joins what appears; sideways, the joiner has columns as rows. After an abort nothing is added.
 * Errors: those of the capturer, CAPTURE_UNAVAILABLE where the desktop lets no program scroll.
 */
export const scrollToEnd = async (
  { clock, capturer }: ScrollingDeps,
  { area, direction }: ScrollingRequest,
  { joiner, onStep }: Joining,
  signal: AbortSignal,
): Promise<Result<ScrollOutcome>> => {
  const { scroll } = capturer;
  if (!scroll) return NO_SCROLLING;
  const add = (...input: Parameters<FrameJoiner['add']>): JoinStep => {
    const step = joiner.add(...input);
    onStep(step);
    return step;
  };
  /** Sideways, columns become rows, so that all frames move up. */
  const turn = direction === 'right' ? swapAxes : (pixels: Pixels) => pixels;
  const grab = async (): Promise<Result<Pixels>> => {
    const grabbed = await capturer.grab(area, 'hide', signal);
    signal.throwIfAborted();
    return grabbed.ok ? ok(turn(grabbed.value)) : grabbed;
  };
  const still = () => untilStill(clock, grab, signal);
  const move = (clicks: number) => scroll.call(capturer, area, direction, clicks, signal);

  const first = await still();
  if (!first.ok) return first;
  add(first.value.cells);
  let last = first.value;
  /** Rows that one click scrolls; null: not known yet. */
  let clickRows: number | null = null;
  let clicks = 1;
  let unchanged = 0;
  let isExact = true;
  const finish = (ended: ScrollOutcome['ended'], reason: ScrollOutcome['reason'] = null) =>
    ok({ ended, reason, length: joiner.length, isExact });

  for (let step = 0; step < STEPS_MAX; step++) {
    const scrolled = await move(clicks);
    if (!scrolled.ok) return scrolled;
    const frame = await still();
    if (!frame.ok) return frame;
    const restless = union(last.restless, frame.value.restless);
    const joined = add(frame.value.cells, restless, clickRows && clickRows * clicks);
    switch (joined.state) {
      case 'joined':
        last = frame.value;
        unchanged = 0;
        isExact &&= joined.isExact;
        clickRows ??= joined.rows / clicks;
        clicks = clicksFor(joined.moving, clickRows);
        break;
      case 'same':
        if (++unchanged >= END_TRIES) return joined.mayHaveMoved ? finish('uncertain', 'several-match') : finish('end');
        await clock.sleep(LOAD_MS, signal);
        break;
      case 'full':
        return finish('full');
      case 'uncertain': {
        // The page has grown below, as it does at its end; what is new is joined once it has moved.
        if (hasGrownBelow(last.cells, frame.value.cells) && ++unchanged < END_TRIES) break;
        const found = clicks > 1 ? await goBack(add, move, still, clicks) : null;
        if (!found) return finish('uncertain', joined.reason);
        if (found.step.state === 'joined') {
          last = found.frame;
          isExact &&= found.step.isExact;
        }
        clicks = 1;
        clickRows = null;
        break;
      }
    }
  }
  return finish('full');
};

/** The upper half has not moved, and something has changed in the lower one. */
const hasGrownBelow = (before: FrameCells, now: FrameCells): boolean => {
  if (before.hashes.length !== now.hashes.length) return false;
  const changed = changedCells(before, now);
  const upper = Math.floor(now.height / 2) * now.bands;
  return countOf(changed.subarray(0, upper)) === 0 && countOf(changed) > 0;
};

/** Scrolls back click by click until the frame can be joined; null: it cannot. */
const goBack = async (
  add: FrameJoiner['add'],
  move: (clicks: number) => Promise<Result<void>>,
  still: () => Promise<Result<StillFrame>>,
  clicks: number,
): Promise<{ readonly step: JoinStep; readonly frame: StillFrame } | null> => {
  for (let back = 0; back < clicks; back++) {
    const moved = await move(-1);
    if (!moved.ok) return null;
    const frame = await still();
    if (!frame.ok) return null;
    const step = add(frame.value.cells, frame.value.restless);
    if (step.state === 'joined' || step.state === 'same') return { step, frame: frame.value };
  }
  return null;
};

const clicksFor = (moving: number, clickRows: number): number =>
  Math.max(1, Math.min(CLICKS_MAX, Math.floor((moving * STEP_PART) / clickRows)));

const union = (one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null => {
  if (!one || !other || one.length !== other.length) return other ?? one;
  return one.map((cell, at) => cell | (other[at] as number));
};

/** Two equal frames, or one in which only an animation still changes. */
const untilStill = async (
  clock: ScrollingDeps['clock'],
  grab: () => Promise<Result<Pixels>>,
  signal: AbortSignal,
): Promise<Result<StillFrame>> => {
  const since = clock.monotonic();
  let before: FrameCells | null = null;
  let restless: Uint8Array | null = null;
  for (;;) {
    const grabbed = await grab();
    if (!grabbed.ok) return grabbed;
    const cells = cellsOf(grabbed.value);
    const changed = before && before.hashes.length === cells.hashes.length ? changedCells(before, cells) : null;
    const elapsed = clock.monotonic() - since;
    if (changed && countOf(changed) === 0 && !restless) return ok({ cells, restless: null });
    if (changed && elapsed > RESTLESS_AFTER_MS) {
      restless = union(restless, changed);
      const isPart = restless !== null && countOf(restless) <= restless.length * RESTLESS_PART_MAX;
      if (elapsed > STILL_MAX_MS || (isPart && elapsed > RESTLESS_AFTER_MS * 1.5)) return ok({ cells, restless });
    }
    before = cells;
    await clock.sleep(POLL_MS, signal);
  }
};
