/** Decides whether one more item may be prepared, hashed, sent or cancelled now, by what is already running. */

import { unreachable } from '../../api/errors.ts';

/** Work of one role competes for the same resource: processor, disk or network; cancelling competes for none. */
export type Role = 'prepare' | 'hash' | 'send' | 'cancel';

/** Several at once, so that a long preparation does not block short ones behind it. */
const PREPARATIONS_MAX = 3;
/** Hashed items that wait for a send slot; hashing further ahead gains nothing and reads files too early. */
const HASHED_AHEAD = 2;

export interface Load {
  readonly running: readonly Role[];
  /** How many items may be sent concurrently. */
  readonly itemsAtOnce: () => number;
  /** Number of hashed items that only wait for a free slot. */
  readonly countReady: () => number;
}

export const hasFreeSlot = (role: Role, { running, itemsAtOnce, countReady }: Load): boolean => {
  const busy = running.filter((other) => other === role).length;
  switch (role) {
    case 'cancel':
      return true;
    case 'prepare':
      return busy < PREPARATIONS_MAX;
    case 'hash':
      return busy === 0 && countReady() < HASHED_AHEAD;
    case 'send':
      return busy < itemsAtOnce();
    default:
      return unreachable(role);
  }
};
