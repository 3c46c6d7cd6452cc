/**
 * Connection to one account at one service. The account is cached for starts without a network; a rejected key stops
 * the uploads without losing items; an expiring key is renewed.
 */

import type { Account, ApiCredential } from '../../api/account.ts';
import {
  err,
  type Failure,
  failure,
  isOverTypeLimit,
  isRefusedWith,
  ok,
  type Result,
  retryOf,
} from '../../api/errors.ts';
import type { ConnectionId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { backoffMs } from '../../base/common/backoff.ts';
import type { KeyPlace, AccountConnection as Shown } from '../../ipc/protocol/app-state.ts';
import type { Clock, Random } from '../ports.ts';
import { type OpenClient, openSession, type Session } from './account-session.ts';
import type { ConnectionKeys } from './connection-keys.ts';

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly openClient: OpenClient;
  readonly onChange: () => void;
  /** The service has answered as this account: work that waited for it can continue. */
  readonly onConnected: () => void;
  /** Persists the account. */
  readonly save: (account: Account, readAt: number) => void;
}

export interface OpenRequest {
  readonly id: ConnectionId;
  readonly server: string;
  readonly keyPlace: KeyPlace;
  readonly keys: ConnectionKeys;
  readonly account: Account;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly readAt: number;
}

export interface AccountConnection {
  readonly id: ConnectionId;
  readonly server: string;
  readonly keyPlace: KeyPlace;
  state(): Shown;
  account(): Account;
  readAt(): number;
  /**
   * What work for the account needs, or why it is unavailable. Temporary network errors are left to the work itself.
   */
  session(): Result<Session>;
  uses(isKey: (key: string) => boolean): boolean;
  /** Reads the key from the key store; a locked store may wait for the user. */
  load(): Promise<void>;
  /** Reads the account and its limits from the service. */
  read(signal: AbortSignal): Promise<void>;
  /** Stores another key for this account and uses it. Errors: KEY_STORE_FAILED, DISK_FULL. */
  replaceKey(key: string, account: Account): Promise<Result<void>>;
  /**
   * Reports a failure met by work: a refused key ends the session, whichever request noticed it; after a refusal by a
   * limit the account is read again soon, because its plan may have ended.
   */
  report(failure: Failure): void;
  /** Reads the account again on new sockets, because those from before a suspend are dead. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Reads the account again soon; coalesces repeated calls. */
  refreshSoon(): void;
  /** Deletes its keys from the key store. Errors: KEY_STORE_FAILED. */
  deleteKeys(): Promise<Result<void>>;
  close(): Promise<void>;
}

/** Delay before the account is read again after a publication, which changes the storage used, or a refusal. */
const REFRESH_SOON_MS = 5_000;

export const openConnection = (deps: ConnectionDeps, request: OpenRequest): AccountConnection => {
  const { clock, random } = deps;
  const { id, server, keys, keyPlace } = request;
  const closing = new AbortController();
  const client = deps.openClient(server, null, deps.onChange);
  let session: Session = openSession(clock, client, request.account);
  let { readAt } = request;
  let key: string | null = null;
  /** Null while the service accepts the key, as far as is known. */
  let refusal: Failure | null = null;
  let isSeen = false;
  /** Readings of the account that began, and the number of the one that was last answered with it. */
  let begun = 0;
  let accepted = 0;
  let isRenewing = false;
  let soon: Promise<void> | null = null;
  let watching: Promise<void> | null = null;

  const use = (next: string) => {
    key = next;
    client.rekey(next);
  };

  const fail = (reason: Failure) => {
    refusal = reason;
    deps.onChange();
    watch();
  };

  const accept = async (account: Account) => {
    session = { ...session, account };
    readAt = clock.now();
    refusal = null;
    isSeen = true;
    deps.save(account, readAt);
    deps.onChange();
    deps.onConnected();
    await keys.confirm();
    await renew();
  };

  const load = async (): Promise<boolean> => {
    if (key !== null) return true;
    const found = await keys.load();
    if (closing.signal.aborted) return false;
    // A key that was provided meanwhile is newer than what the key store answered.
    if (key !== null) return true;
    if (found.ok) use(found.value);
    else fail(found.error);
    return found.ok;
  };

  /** Reads the account again; temporary errors are retried until they pass. */
  const read = async (signal: AbortSignal): Promise<void> => {
    const turn = ++begun;
    if (!(await load())) return;
    const keyUsed = key;
    const reply = await client.call('readAccount', {}, signal);
    if (signal.aborted || closing.signal.aborted) return;
    if (reply.ok) {
      accepted = Math.max(accepted, turn);
      return accept(reply.value);
    }
    // A temporary error of an older reading says nothing about the service that has answered a newer one.
    if (turn < accepted && isPassing(reply.error)) return;
    // The key was replaced meanwhile; the code that replaced it reads the account itself.
    if (key !== keyUsed) return;
    const older = isKeyRefused(reply.error) ? await keys.fallBack() : null;
    if (older === null) return fail(reply.error);
    use(older);
    return read(signal);
  };

  /** At most one loop; it ends when the service answers, or when only the user can fix the error. */
  const watch = () => {
    const loop = async () => {
      for (let attempt = 1; refusal && isPassing(refusal); attempt++) {
        await clock.sleep(refusal.afterMs ?? backoffMs(attempt + 2, random.number()), closing.signal);
        await read(closing.signal);
      }
    };
    watching ??= loop()
      .catch(() => {})
      .finally(() => {
        watching = null;
      });
  };

  /**
   * Renews the key. The new key is stored and recorded before its first use, which revokes the old one. Failures are
   * retried at the next reading.
   */
  const renew = async () => {
    if (isRenewing || !isRenewalDue(session.account.credential, clock.now())) return;
    isRenewing = true;
    try {
      const reply = await client.call('renewKey', {}, closing.signal);
      if (!reply.ok || !(await keys.put(reply.value.apiKey)).ok) return;
      use(reply.value.apiKey);
      await read(closing.signal);
    } finally {
      isRenewing = false;
    }
  };

  const refreshSoon = () => {
    soon ??= clock
      .sleep(REFRESH_SOON_MS, closing.signal)
      .then(() => read(closing.signal))
      .catch(() => {})
      .finally(() => {
        soon = null;
      });
  };

  return {
    id,
    server,
    keyPlace,
    state() {
      const { account } = session;
      if (refusal) return { state: 'failed', server, account, failure: refusal };
      if (!isSeen) return { state: 'connecting', server, account };
      const restsUntil = client.restsUntil();
      return { state: 'connected', server, account, keyPlace, ...(restsUntil !== null && { restsUntil }) };
    },
    account: () => session.account,
    readAt: () => readAt,
    session() {
      if (refusal && isFinal(refusal)) return err(refusal);
      return key === null
        ? err(failure('KEY_STORE_FAILED', 'The key store has not provided the key yet.'))
        : ok(session);
    },
    uses: (isKey) => key !== null && isKey(key),
    load: async () => void (await load()),
    read,
    async replaceKey(next, account) {
      const kept = await keys.put(next);
      if (!kept.ok) return kept;
      use(next);
      await accept(account);
      return ok(undefined);
    },
    report(reported) {
      const isRefusedByLimit = isOverTypeLimit(reported.code) || reported.code === 'UPLOAD_TOO_LARGE';
      if (isRefusedByLimit && reported.status !== undefined) refreshSoon();
      if (!isRefusedWith(reported, 401) || !isFinal(reported)) return;
      fail(reported);
      // The request may have used a key that was renewed meanwhile: the service decides.
      read(closing.signal).catch(() => {});
    },
    async refresh(signal) {
      client.reconnect();
      await read(signal);
    },
    refreshSoon,
    deleteKeys: keys.deleteAll,
    async close() {
      closing.abort();
      await client.close();
      await Promise.all([soon, watching]);
    },
  };
};

const isPassing = ({ code }: Failure): boolean => retryOf(code) === 'backoff' || retryOf(code) === 'wait';

/** The key or its rights are refused, or there is no key: no request can succeed until the user connects again. */
const isFinal = ({ code }: Failure): boolean => retryOf(code) === 'reconnect' || code === 'KEY_STORE_FAILED';

const isKeyRefused = ({ code }: Failure): boolean =>
  code === 'API_KEY_INVALID' || code === 'API_KEY_REVOKED' || code === 'API_KEY_EXPIRED';

// Decides when a connection's key is renewed (API document, "credential"): in the 30 days before it expires. Pure.

/** Keys that a user created have no device and are never renewed. `now` in milliseconds since 1970-01-01 UTC. */
const isRenewalDue = (credential: ApiCredential | undefined, now: number): boolean => {
  if (!credential?.expiresAt || credential.deviceName === null) return false;
  const end = Date.parse(credential.expiresAt);
  return now >= end - LIMITS.renewWindowMs && now < end;
};
