/** The server's own answers come first where there are fewer cores than work. */
import { setPriority } from 'node:os';

/** Pages wait for a rendering, so renderings go before the reading of files. */
const NICENESS = { answers: 5, 'answers and pages': 10 } as const;

/** Call it in the thread that is to give way. Linux alone knows priorities of threads; elsewhere nothing happens. */
export const yieldTo = (what: keyof typeof NICENESS): void => {
  if (process.platform === 'linux') setPriority(0, NICENESS[what]);
};
