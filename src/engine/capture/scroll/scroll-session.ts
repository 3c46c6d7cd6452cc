/**
 * Runs a scrolling capture that the user watches. The app scrolls the area to its end and joins the frames; where it
 * cannot, or after the user has removed a piece, the user scrolls and the app joins. The capture can be stopped at any
 * moment and keeps what is joined.
 */
import { ok, type Result } from '../../../api/errors.ts';
import { onAbort } from '../../../base/common/on-abort.ts';
import type { Area } from '../../../ipc/protocol/capture.ts';
import { SCROLL_PREVIEW_ROWS_MAX, SCROLL_PREVIEW_WIDTH, type ScrollProgress } from '../../../ipc/protocol/scroll.ts';
import type { Pixels } from '../../ports.ts';
import { findShift } from './find-shift.ts';
import { cellsOf, changedCells, countOf, type FrameCells } from './frame-cells.ts';
import { createFrameJoiner, type JoinStep } from './join-frames.ts';
import { type ScrollingDeps, scrollToEnd } from './scroll-to-end.ts';

export interface ScrollSession {
  progress(): ScrollProgress;
  preview(): Pixels;
  result(): Pixels;
  /**
   * Resolves when the end is reached and all of it is certain, or when `signal` is aborted. Errors: those of the
   * capturer.
   */
  run(signal: AbortSignal): Promise<Result<void>>;
  /** Removes the last piece; from now on the user scrolls. */
  undo(): void;
  /** Adds nothing more by itself. */
  halt(): void;
}

export interface ScrollSessionDeps extends ScrollingDeps {
  readonly onChange: () => void;
  /** By default what the service accepts. */
  readonly pixelsMax?: number;
}

/** Between two looks at what the user scrolls. */
const WATCH_MS = 80;
/** More changed cells are another part of the page. */
const ELSEWHERE_PART = 0.4;

export const createScrollSession = (deps: ScrollSessionDeps, area: Area): ScrollSession => {
  const { clock, capturer, onChange } = deps;
  const joiner = createFrameJoiner(deps.pixelsMax);
  let by: ScrollProgress['by'] = capturer.scroll ? 'app' : 'user';
  let note: ScrollProgress['note'] = null;
  let isExact = true;
  /** For undo. */
  let wasExact = true;
  let revision = 0;
  /** Aborted when the user takes over. */
  const byHand = new AbortController();
  /** Waits for a decision of the user. */
  let wake = (): void => {};
  /** What is shown while nothing moves after an undo: the removed piece, which is not to come back by itself. */
  let removed: 'unseen' | FrameCells | null = null;

  const update = (change: () => void): void => {
    const before = [by, note, isExact, joiner.length, revision].join();
    change();
    if (before !== [by, note, isExact, joiner.length, revision].join()) onChange();
  };

  const onStep = (step: JoinStep): void =>
    update(() => {
      switch (step.state) {
        case 'joined':
          wasExact = isExact;
          isExact &&= step.isExact;
          note = null;
          revision += 1;
          break;
        case 'same':
          note = null;
          break;
        case 'full':
          note = 'full';
          by = 'ended';
          break;
        case 'uncertain':
          // While the app scrolls, it goes back and tries smaller steps first.
          if (by === 'user') note = step.reason;
      }
    });

  /** Resolves to whether the capture is complete. */
  const scrollByApp = async (signal: AbortSignal): Promise<Result<boolean>> => {
    const either = AbortSignal.any([signal, byHand.signal]);
    const request = { area, direction: 'down' } as const;
    const ended = await scrollToEnd({ clock, capturer }, request, { joiner, onStep }, either).catch((error) => {
      if (either.aborted) return null;
      throw error;
    });
    if (ended === null || either.aborted) return ok(false);
    if (!ended.ok) {
      // The desktop scrolls nothing, but it shows the area.
      if (joiner.length === 0) return ended;
      update(() => {
        by = 'user';
      });
      return ok(false);
    }
    const { ended: how, reason } = ended.value;
    if (how === 'end' && isExact) return ok(true);
    update(() => {
      by = how === 'uncertain' ? 'user' : 'ended';
      note = how === 'full' ? 'full' : reason;
    });
    return ok(false);
  };

  const isSettled = (cells: FrameCells): boolean => {
    if (removed === null) return false;
    if (removed === 'unseen') removed = cells;
    if (!isElsewhere(removed, cells)) return true;
    removed = null;
    return false;
  };

  /** Joins what the user scrolls to, until nothing more fits. */
  const watch = async (signal: AbortSignal): Promise<Result<void>> => {
    let seen: FrameCells | null = null;
    while (by === 'user' && !signal.aborted) {
      const grabbed = await capturer.grab(area, 'hide', signal);
      if (signal.aborted) break;
      if (!grabbed.ok) return grabbed;
      const cells = cellsOf(grabbed.value);
      if (!isSettled(cells) && (seen === null || isDifferent(seen, cells))) onStep(joiner.add(cells));
      seen = cells;
      await clock.sleep(WATCH_MS, signal).catch(() => {});
    }
    return ok(undefined);
  };

  return {
    progress: () => ({
      ...{ by, note, isExact, revision, canUndo: joiner.canUndo, length: joiner.length },
      width: joiner.length === 0 ? 0 : area.width,
    }),
    preview: () => joiner.preview(SCROLL_PREVIEW_WIDTH, SCROLL_PREVIEW_ROWS_MAX),
    result: joiner.result,
    async run(signal) {
      if (by === 'app') {
        const complete = await scrollByApp(signal);
        if (!complete.ok) return complete;
        if (complete.value) return ok(undefined);
      }
      while (!signal.aborted) {
        const watched = await watch(signal);
        if (!watched.ok) return watched;
        if (signal.aborted) break;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const unfollow = onAbort(signal, resolve);
        await promise;
        unfollow();
      }
      return ok(undefined);
    },
    undo() {
      if (!joiner.undo()) return;
      byHand.abort();
      update(() => {
        [by, note, isExact] = ['user', null, wasExact];
        revision += 1;
      });
      removed = 'unseen';
      wake();
    },
    halt: () =>
      update(() => {
        by = 'ended';
      }),
  };
};

const isDifferent = (one: FrameCells, other: FrameCells): boolean =>
  one.hashes.length !== other.hashes.length || countOf(changedCells(one, other)) > 0;

/** Scrolled either way, or to another part; not an animation. */
const isElsewhere = (one: FrameCells, other: FrameCells): boolean => {
  if (one.hashes.length !== other.hashes.length) return true;
  if (countOf(changedCells(one, other)) > one.hashes.length * ELSEWHERE_PART) return true;
  return [findShift(one, other, null, null), findShift(other, one, null, null)].some(({ state }) => state === 'moved');
};
