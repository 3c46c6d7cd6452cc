/** Decides whether and when a failed item is retried, and keeps the time of each item's next retry. */

import { type Failure, retryOf, unreachable } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { backoffMs, LONGEST_BACKOFF_MS } from '../../../base/common/backoff.ts';
import type { ItemError, QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { Clock, Random } from '../../ports.ts';
import { isLocked } from '../../upload/upload-source.ts';

/** Used where a server sends no Retry-After. */
const DEFAULT_WAIT_MS = 3_000;
/** Spreads items that wait for the same moment over this share of their wait. */
const SPREAD = 0.1;
/** Retries for a file that is being written; after this many the user must decide. */
const SETTLING_ATTEMPTS = 6;
/** Retry interval of a cancellation that the service refuses; the user may end it. */
const RETRY_CANCEL_MS = 20_000;

export interface RetryDecision {
  readonly attempts: number;
  readonly error: ItemError;
}

/** `settling`: the file changed before anything was sent, so it is read again for a while. */
export type RetryContext = 'plain' | 'settling';

/** Programs that rewrite a file empty it first. */
const isOtherContent = ({ code }: Failure): boolean => code === 'SOURCE_CHANGED' || code === 'SOURCE_EMPTY';

/** Before anything is sent, a file that is being rewritten, or that a virus scanner locks, is read again. */
export const beforeSending = (reason: Failure): RetryContext =>
  isOtherContent(reason) || isLocked(reason) ? 'settling' : 'plain';

/** While sending, only a file lock is expected to pass by itself. */
export const whileSending = (reason: Failure): RetryContext => (isLocked(reason) ? 'settling' : 'plain');

export const decideRetry = (
  item: QueueItem,
  failure: Failure,
  context: RetryContext,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): RetryDecision => {
  const now = clock.now();
  const since = item.error?.failure.code === failure.code ? item.error.since : now;
  const decision = (attempts: number, waitMs: number | null): RetryDecision => ({
    attempts,
    error: { failure, since, retryAt: waitMs === null ? null : Math.round(now + waitMs) },
  });
  const retryWithBackoff = () => decision(item.attempts + 1, backoffMs(item.attempts + 1, random.number()));

  if (context === 'settling' && item.attempts < SETTLING_ATTEMPTS) return retryWithBackoff();
  switch (retryOf(failure.code)) {
    case 'wait':
      return decision(item.attempts, (failure.afterMs ?? DEFAULT_WAIT_MS) * (1 + SPREAD * random.number()));
    case 'backoff':
      return retryWithBackoff();
    case 'reconnect':
      return decision(item.attempts, null);
    case 'never':
    case 'user':
      return decision(item.attempts, item.intent === 'cancel' ? RETRY_CANCEL_MS : null);
    default:
      return unreachable(retryOf(failure.code) as never);
  }
};

/** Errors caused by an unreachable service or account. */
const CONNECTION_ERRORS = new Set<Failure['code']>([
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

/** Whether the item's error is resolved once the service has answered as its account. */
export const isConnectionError = ({ error }: QueueItem): boolean =>
  error !== null && (CONNECTION_ERRORS.has(error.failure.code) || retryOf(error.failure.code) === 'reconnect');

// Schedules retries in monotonic time, so that a clock change cannot delay them for days.

interface RetrySchedule {
  /** The monotonic time at which the item may continue; 0 without an error, null where it waits for the user. */
  of(item: QueueItem): number | null;
  /** Call when the item has left the queue. */
  forget(id: ItemId): void;
}

export const createRetrySchedule = (clock: Clock): RetrySchedule => {
  const known = new Map<ItemId, { readonly retryAt: number; readonly at: number }>();
  return {
    of({ id, error }) {
      if (!error) return 0;
      const { retryAt } = error;
      if (retryAt === null) return null;
      const before = known.get(id);
      if (before?.retryAt === retryAt) return before.at;
      const wait = Math.min(Math.max(0, retryAt - clock.now()), 3 * LONGEST_BACKOFF_MS);
      const at = clock.monotonic() + wait;
      known.set(id, { retryAt, at });
      return at;
    },
    forget(id) {
      known.delete(id);
    },
  };
};
