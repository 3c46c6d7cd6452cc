/** Decides whether a link that has become ready is copied without being asked for. */
import { ageMs } from '../../base/common/wall-clock.ts';

const RECENT_MS = 5 * 60_000;

/** An old link must not overwrite what the user has copied since. Milliseconds since 1970-01-01 UTC. */
export const isRecentLink = (linkedAt: number, now: number): boolean => ageMs(linkedAt, now) < RECENT_MS;
