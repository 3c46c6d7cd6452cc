/** Decides whether a request body arrives fast enough, and whether a client still reads its response. Pure. */
import type { ServerConfig } from '../config/config.ts';

/** `whole`: a small body, which has one time limit. `steady`: parts and files, which need a minimum rate. */
export type BodyKind = 'whole' | 'steady';

export interface PaceLimits {
  /** Concurrent requests of one network. */
  readonly atOnce: number;
  readonly wholeMs: number;
  readonly graceMs: number;
  readonly bytesPerMs: number;
  readonly readStallMs: number;
}

export const paceLimits = ({ limits }: ServerConfig): PaceLimits => ({
  atOnce: limits.connectionsPerAddress,
  wholeMs: limits.requestSeconds * 1_000,
  graceMs: limits.bodyGraceSeconds * 1_000,
  bytesPerMs: limits.bodyBytesPerSecond / 1_000,
  readStallMs: limits.readStallSeconds * 1_000,
});

/** Whether a body exceeds its limit after `bytes` in `elapsedMs`. */
export const isTooSlow = (kind: BodyKind, bytes: number, elapsedMs: number, limits: PaceLimits): boolean =>
  kind === 'whole' ? elapsedMs > limits.wholeMs : elapsedMs > limits.graceMs && bytes < limits.bytesPerMs * elapsedMs;

/** A growing byte count, and when it last grew. */
export interface ByteProgress {
  readonly count: number;
  readonly at: number;
}

export const progressed = (before: ByteProgress, count: number, now: number): ByteProgress =>
  count === before.count ? before : { count, at: now };
