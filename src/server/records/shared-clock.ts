/**
 * The clock by which nodes on the same records agree on leases and claims: that of PostgreSQL where there may be several.
 * It is followed by its distance to the clock of this computer, so that reading it costs nothing.
 */
import { type Clock, systemClock } from '../clock-and-random.ts';

export interface SharedClock extends Clock {
  /** The clock of the records showed `theirs` between `asked`, by the clock of this computer, and now. */
  follow(theirs: number, asked: number): void;
}

/** Shows the time of `clock` until it follows another one. */
export const createSharedClock = (clock: Clock, computer: Clock = systemClock): SharedClock => {
  let ahead = 0;
  return {
    now: () => clock.now() + ahead,
    follow: (theirs, asked) => {
      ahead = Math.round(theirs - (asked + computer.now()) / 2);
    },
  };
};
