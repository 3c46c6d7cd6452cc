/** Which part of a recording is kept, and what cutting it there costs. Pure; times are milliseconds from its beginning. */

export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

export type Edge = 'start' | 'end';

/** What an arrow key moves by; recordings run at thirty frames a second. */
export const FRAME_MS = 1000 / 30;
/** Less than this is no clip. */
const SHORTEST_MS = 200;
/** Times of frames are rounded to milliseconds. */
const SAME_MS = 2;

const between = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** `range` with one of its ends at `ms`, as far as the other end lets it. */
export const withEdge = (range: Range, edge: Edge, ms: number, durationMs: number): Range => {
  const shortest = Math.min(SHORTEST_MS, durationMs);
  return edge === 'start'
    ? { ...range, startMs: between(ms, 0, range.endMs - shortest) }
    : { ...range, endMs: between(ms, range.startMs + shortest, durationMs) };
};

/** How much is encoded anew where the cut begins between two key frames: up to the next one. */
export const encodedMs = ({ startMs, endMs }: Range, keyFramesMs: readonly number[]): number => {
  const next = keyFramesMs.find((at) => at >= startMs - SAME_MS) ?? endMs;
  return next <= startMs + SAME_MS ? 0 : Math.min(next, endMs) - startMs;
};

/** The key frame nearest to the start that leaves something of the range; null: there is none but the start itself. */
export const keyFrameNear = ({ startMs, endMs }: Range, keyFramesMs: readonly number[]): number | null => {
  const possible = keyFramesMs.filter((at) => at <= endMs - SHORTEST_MS);
  const [first] = possible.toSorted((a, b) => Math.abs(a - startMs) - Math.abs(b - startMs));
  return first === undefined || Math.abs(first - startMs) <= SAME_MS ? null : first;
};
