/** Determines the next role of an item and whether a slot for it is free. */

import { unreachable } from '../../api/errors.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import { isSentInOneRequest } from '../upload/single-request-upload.ts';
import { hasWork } from './work-item.ts';

/** Work of one role competes for the same resource: processor, disk or network; cancelling competes for none. */
export type Role = 'prepare' | 'hash' | 'send' | 'cancel';

/** Several at once, so that a long preparation does not block short ones behind it. */
const PREPARATIONS_MAX = 3;
/** Hashed items that wait for a send slot; hashing further ahead gains nothing and reads files too early. */
const HASHED_AHEAD = 2;

/** Null: the item needs no work, or the user has paused it. */
export const roleOf = (item: QueueItem, isPaused: () => boolean): Role | null => {
  if (item.intent === 'cancel') return item.state === 'linked' ? null : 'cancel';
  if (!hasWork(item) || item.intent === 'pause' || isPaused()) return null;
  switch (item.state) {
    case 'queued':
      return item.job.kind === 'note' ? 'send' : 'prepare';
    case 'prepared':
      return item.job.kind === 'folder' || isSentInOneRequest(item) ? 'send' : 'hash';
    default:
      return 'send';
  }
};

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
