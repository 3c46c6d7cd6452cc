/** What a failure means for an item: whether it is tried again by itself, and when. */

import { type Failure, retryOf, unreachable } from '../../../api/errors.ts';
import type { ItemError, QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { Clock, Random } from '../../ports.ts';
import { isLocked } from '../../upload/upload-source.ts';
import { backoffMs } from './backoff.ts';

/** Where a server asks to wait without saying how long. */
const UNTOLD_WAIT_MS = 3_000;
/** Waiters of one moment are spread over this share of their wait. */
const SPREAD = 0.1;
/** A file that is being written settles by itself; after so many looks the person is asked. */
const LOOKS = 6;
/** A person who has given an item up is not asked to mend it: it goes by itself, once that works. */
const GIVE_UP_AGAIN_MS = 20_000;

export interface RetryDecision {
  readonly attempts: number;
  readonly trouble: ItemError;
}

/** `settling`: the file changed before anything was sent, so it is looked at again for a while. */
export type RetryContext = 'plain' | 'settling';

/** Whoever writes a file anew empties it first. */
const isOtherContent = ({ code }: Failure): boolean => code === 'SOURCE_CHANGED' || code === 'SOURCE_EMPTY';

/** Before anything is sent, a file that is being written anew, or that a virus scanner holds, is simply looked at again. */
export const beforeSending = (reason: Failure): RetryContext =>
  isOtherContent(reason) || isLocked(reason) ? 'settling' : 'plain';

/** Later on, too, a scanner lets go of a file by itself. */
export const onceSending = (reason: Failure): RetryContext => (isLocked(reason) ? 'settling' : 'plain');

export const decideRetry = (
  item: QueueItem,
  failure: Failure,
  circumstance: RetryContext,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): RetryDecision => {
  const now = clock.now();
  const since = item.trouble?.failure.code === failure.code ? item.trouble.since : now;
  const verdict = (attempts: number, waitMs: number | null): RetryDecision => ({
    attempts,
    trouble: { failure, since, retryAt: waitMs === null ? null : Math.round(now + waitMs) },
  });
  const again = () => verdict(item.attempts + 1, backoffMs(item.attempts + 1, random.number()));

  if (circumstance === 'settling' && item.attempts < LOOKS) return again();
  switch (retryOf(failure.code)) {
    case 'wait':
      return verdict(item.attempts, (failure.afterMs ?? UNTOLD_WAIT_MS) * (1 + SPREAD * random.number()));
    case 'backoff':
      return again();
    case 'never':
    case 'person':
    case 'reconnect':
      return verdict(item.attempts, item.intent === 'cancel' ? GIVE_UP_AGAIN_MS : null);
    default:
      return unreachable(retryOf(failure.code) as never);
  }
};

/** Troubles that come from not reaching the service, or not as this account. */
const REACHING = new Set<Failure['code']>([
  'CONNECTION_REFUSED',
  'SERVER_UNREACHABLE',
  'NETWORK_FAILED',
  'REPLY_TIMEOUT',
  'NOT_THE_SERVICE',
  'UNSAFE_ANSWER',
  'REDIRECT_REFUSED',
  'TLS_FAILED',
  'KEY_STORE_FAILED',
  'ACCOUNT_MISMATCH',
]);

/** Whether the item's trouble is over once the service has answered as its account. */
export const endsWithAnAnswer = ({ trouble }: QueueItem): boolean =>
  trouble !== null && (REACHING.has(trouble.failure.code) || retryOf(trouble.failure.code) === 'reconnect');
