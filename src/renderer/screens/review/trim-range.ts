/**
 * Calculates the trim range of a recording, and how much must be encoded again to cut there. Pure; times are
 * milliseconds from the beginning.
 */

export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

export type Edge = 'start' | 'end';

/** Step of an arrow key; recordings have 30 frames per second. */
export const FRAME_MS = 1000 / 30;
/** Minimum length of a clip. */
const SHORTEST_MS = 200;
/** Frame times are rounded to milliseconds. */
const SAME_MS = 2;

const between = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** `range` with one edge at `ms`, limited by the other edge. */
export const withEdge = (range: Range, edge: Edge, ms: number, durationMs: number): Range => {
  const shortest = Math.min(SHORTEST_MS, durationMs);
  return edge === 'start'
    ? { ...range, startMs: between(ms, 0, range.endMs - shortest) }
    : { ...range, endMs: between(ms, range.startMs + shortest, durationMs) };
};

/** Length that must be re-encoded when the cut starts between two key frames: up to the next key frame. */
export const encodedMs = ({ startMs, endMs }: Range, keyFramesMs: readonly number[]): number => {
  const next = keyFramesMs.find((at) => at >= startMs - SAME_MS) ?? endMs;
  return next <= startMs + SAME_MS ? 0 : Math.min(next, endMs) - startMs;
};

/** The key frame nearest to the start that leaves a valid range; null: none but the start itself. */
export const keyFrameNear = ({ startMs, endMs }: Range, keyFramesMs: readonly number[]): number | null => {
  const possible = keyFramesMs.filter((at) => at <= endMs - SHORTEST_MS);
  const [first] = possible.toSorted((a, b) => Math.abs(a - startMs) - Math.abs(b - startMs));
  return first === undefined || Math.abs(first - startMs) <= SAME_MS ? null : first;
};

/** The range as the engine takes it: whole milliseconds, and null for an end at the end of the recording. */
export const cutOf = ({ startMs, endMs }: Range, durationMs: number): { startMs: number; endMs: number | null } => ({
  startMs: Math.round(startMs),
  endMs: endMs >= durationMs ? null : Math.round(endMs),
});
