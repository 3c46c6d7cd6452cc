/**
 * The session of one account, which all its requests share: the API client, the account as last read, and the limit of
 * concurrent upload parts. Also makes API clients, each with its own rate limiter.
 */
import type { Account } from '../../api/account.ts';
import { type AdaptiveConcurrency, createAdaptiveConcurrency } from '../api-client/adaptive-concurrency.ts';
import { createServiceClient, type ServiceClient } from '../api-client/client.ts';
import { createRateLimiter } from '../api-client/rate-limiter.ts';
import type { Clock, Random } from '../ports.ts';

export interface Session {
  readonly client: ServiceClient;
  readonly lanes: AdaptiveConcurrency;
  /** The account as last read, possibly in an earlier run. */
  readonly account: Account;
}

/**
 * Creates a client of the service at `server`, a normalised address. `key` null: as a guest. `onRest` is called when
 * `restsUntil` has changed.
 */
export type OpenClient = (server: string, key: string | null, onRest?: () => void) => ServiceClient;

export const createOpenClient =
  (deps: { readonly clock: Clock; readonly random: Random }): OpenClient =>
  (server, key, onRest) =>
    createServiceClient({ clock: deps.clock, gate: createRateLimiter({ ...deps, onRest }), server, key });

export const openSession = (clock: Clock, client: ServiceClient, account: Account): Session => ({
  client,
  lanes: createAdaptiveConcurrency(clock),
  account,
});

/** Whether the key may delete items; true where its permissions are unknown. */
export const mayDelete = ({ account }: Pick<Session, 'account'>): boolean =>
  account.credential?.scopes.includes('content:delete') ?? true;
