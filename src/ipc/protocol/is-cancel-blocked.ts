/** Whether cancelling an item needs the user, because its service cannot be asked about it or refuses. Pure. */
import { retryOf } from '../../api/errors.ts';
import type { QueueItem } from './queue-item.ts';

/** Cancelling it once more removes the item from the queue, although it may be published. */
export const isCancelBlocked = ({ intent, error }: QueueItem): boolean => {
  if (intent !== 'cancel' || error === null) return false;
  const retry = retryOf(error.failure.code);
  return retry === 'reconnect' || retry === 'user' || retry === 'never';
};
