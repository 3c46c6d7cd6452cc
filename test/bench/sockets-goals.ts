/** The goals of `npm run bench:sockets`, and the sentences about those that a run missed. */
import { DEFAULT_CONFIG } from '../../src/server/config/config.ts';

export const GROWN_GOAL_MIB = 100;
export const DRAIN_SECONDS = DEFAULT_CONFIG.limits.drainSeconds;

/** What the other address got while the connections of `what` were there. */
export interface Attacked {
  readonly what: string;
  readonly served: number;
  readonly of: number;
}

interface End {
  readonly grownMiB: number;
  readonly stopMs: number;
  /** Of the process. */
  readonly code: number | null;
}

export const missedGoals = (attacked: readonly Attacked[], { grownMiB, stopMs, code }: End): readonly string[] => [
  ...attacked
    .filter(({ served, of }) => served < of)
    .map(({ what, served, of }) => `${what}: ${of - served} of ${of} pages were not served.`),
  ...(grownMiB < GROWN_GOAL_MIB ? [] : [`The memory grew by ${grownMiB.toFixed(0)} MiB.`]),
  ...(stopMs <= DRAIN_SECONDS * 1_000 ? [] : [`The stop took ${(stopMs / 1_000).toFixed(1)} s.`]),
  ...(code === 0 ? [] : [`The server ended with code ${code}.`]),
];
