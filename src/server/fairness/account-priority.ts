/** The server's own answers come first where there are fewer cores than work. */
import { setPriority } from 'node:os';

/** A third of the share that the thread of the answers has, and three times that of the processes that open media. */
const NICENESS = 5;

/** Call it in the thread that is to give way. Linux alone knows priorities of threads; elsewhere nothing happens. */
export const giveWayToAnswers = (): void => {
  if (process.platform === 'linux') setPriority(0, NICENESS);
};
