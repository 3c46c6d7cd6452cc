/**
 * Derives the present connection state, which the window shows with a delay: whether pending work can continue, and
 * otherwise what it waits for. Also encodes the progress of items as a string, so that callers can detect a change.
 * Pure.
 */

import { type ErrorCode, type Failure, retryOf } from '../../../api/errors.ts';
import type { AccountId, ItemId } from '../../../api/ids.ts';
import { isOnThisMachine } from '../../../api/service-address.ts';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { needsUser } from './item-view.ts';

export type Connectivity =
  | { readonly kind: 'up' }
  /** No account is connected. */
  | { readonly kind: 'unconnected' }
  /** Only the user can fix the connection; `needs` key: by connecting again. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly needs: 'key' | 'other' }
  | Away
  /** Rate limited by the service until `until`, in milliseconds since 1970-01-01 UTC. */
  | { readonly kind: 'resting'; readonly until: number }
  /** Paused by the user while items are waiting. */
  | { readonly kind: 'paused'; readonly waiting: number };

/** Recovers by itself. */
export interface Away {
  readonly kind: 'network' | 'service';
  /** Of the account whose items wait; not always the active one. */
  readonly server: string;
  /** Whether the active account is cut off, too. */
  readonly isActive: boolean;
  readonly failure: Failure;
  /** Number of items that continue by themselves afterwards. */
  readonly waiting: number;
  /** Those of them with a failed attempt. */
  readonly ids: readonly ItemId[];
  /** When it began, if known, and the next retry. Milliseconds since 1970-01-01 UTC. */
  readonly since: number | null;
  readonly nextAt: number | null;
}

export const isAway = (reach: Connectivity): reach is Away => reach.kind === 'network' || reach.kind === 'service';

const UNREACHED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CONNECTION_REFUSED',
  'SERVER_UNREACHABLE',
  'NETWORK_FAILED',
  'REPLY_TIMEOUT',
  'NOT_THE_SERVICE',
]);

/** Whether this item waits only for an unreachable service. */
const isUnreached = ({ error, intent }: QueueItem): boolean =>
  intent === 'run' && error !== null && error.retryAt !== null && UNREACHED.has(error.failure.code);

const isPassing = ({ code }: Failure): boolean => retryOf(code) === 'backoff' || retryOf(code) === 'wait';

type Accounts = Pick<AppState, 'connection' | 'accounts'>;

/** The server that items of this account go to; null: the account is not connected. */
const serverOf = (accountId: AccountId | null, { connection, accounts }: Accounts): string | null => {
  const own = accounts.find((one) => one.connection.account?.user.id === accountId)?.connection;
  if (own) return own.server;
  if (connection.state === 'none') return null;
  const active = connection.account?.user.id ?? accountId;
  return accountId === null || accountId === active ? connection.server : null;
};

const isLocal = (server: string): boolean => {
  const address = URL.parse(server);
  return address !== null && isOnThisMachine(address);
};

/** `network`: `navigator.onLine`, which is reliable only when it reports offline. */
export const connectivityOf = (
  { connection, accounts, queue }: Accounts & Pick<AppState, 'queue'>,
  network: 'there' | 'none',
): Connectivity => {
  if (connection.state === 'none') return { kind: 'unconnected' };
  const failed = connection.state === 'failed' ? connection.failure : null;
  if (failed && !isPassing(failed)) {
    return { kind: 'refused', failure: failed, needs: retryOf(failed.code) === 'reconnect' ? 'key' : 'other' };
  }
  const going = queue.items.filter((item) => isUnfinished(item) && item.intent === 'run' && !needsUser(item));
  if (queue.paused) return going.length === 0 ? { kind: 'up' } : { kind: 'paused', waiting: going.length };

  const placeOf = ({ accountId }: QueueItem) => serverOf(accountId, { connection, accounts });
  const cutOff = going.filter((item) => isUnreached(item) && placeOf(item) !== null);
  const first = cutOff.find((item) => placeOf(item) === connection.server) ?? cutOff[0];
  const place = failed || !first ? connection.server : (placeOf(first) ?? connection.server);
  const isNetwork = network === 'none' && !isLocal(place);
  /** Without a network the items of every remote server wait for the same. */
  const isConcerned = (item: QueueItem): boolean => {
    const own = placeOf(item);
    return own === place || (isNetwork && own !== null && !isLocal(own));
  };
  const unreached = cutOff.filter(isConcerned);
  const failure = failed ?? unreached[0]?.error?.failure;
  const until = connection.state === 'connected' ? connection.restsUntil : undefined;
  if (!failure) return until === undefined ? { kind: 'up' } : { kind: 'resting', until };
  const errors = unreached.flatMap(({ error }) => error ?? []);
  const tries = errors.flatMap(({ retryAt }) => retryAt ?? []);
  return {
    kind: isNetwork ? 'network' : 'service',
    isActive: isNetwork ? !isLocal(connection.server) : place === connection.server,
    ...{ server: URL.parse(place)?.host ?? place, failure, waiting: going.filter(isConcerned).length },
    ids: unreached.map(({ id }) => id),
    since: errors.length > 0 ? Math.min(...errors.map(({ since }) => since)) : null,
    nextAt: tries.length > 0 ? Math.min(...tries) : null,
  };
};

/** Progress of these items as a comparable string; it changes once any of them progresses. */
export const progressOf = ({ items }: AppState['queue'], ids: readonly ItemId[]): string =>
  JSON.stringify(
    items
      .filter(({ id }) => ids.includes(id))
      .map((item) => [item.id, item.state, item.intent, 'confirmedBytes' in item ? item.confirmedBytes : 0]),
  );

const isUnfinished = ({ state }: QueueItem): boolean => state !== 'linked' && state !== 'unreadable';
