/**
 * The clock by which all nodes (server processes) on one database decide when leases and claims expire. With
 * PostgreSQL, also for a single node, it follows the clock of the database. It stores only the difference to this
 * computer's clock, so that reading the time needs no statement.
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
