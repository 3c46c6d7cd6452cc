/** Lowers the CPU priority of a process or of the calling thread, and never raises it. */
import { getPriority, setPriority } from 'node:os';

/**
 * `pid` 0 is this process, on Linux the calling thread alone. `niceness` is from 1 to 19; a higher one gives way to more
 * processes. Where the priority is lower already it stays, because a user without rights may not raise it. A process that
 * has ended, or a system that refuses, changes nothing.
 */
export const lowerPriority = (pid: number, niceness: number): void => {
  try {
    if (getPriority(pid) < niceness) setPriority(pid, niceness);
  } catch {
    // The work itself does not depend on its priority.
  }
};
