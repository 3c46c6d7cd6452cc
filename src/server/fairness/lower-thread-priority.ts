/**
 * Lowers the priority of background threads on Linux, so that responses come first when there is more work than cores.
 */
import { lowerPriority } from '../../base/node/lower-priority.ts';

/** A third of the CPU share of the thread that replies, and three times that of the processes that open media. */
const NICENESS = 5;

/** Call it in the background thread. Only Linux has priorities of threads; elsewhere it does nothing. */
export const lowerThreadPriority = (): void => {
  if (process.platform === 'linux') lowerPriority(0, NICENESS);
};
