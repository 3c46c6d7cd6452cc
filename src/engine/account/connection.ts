/**
 * One account at one service. The account is remembered, so that a start without a network still knows whose items these
 * are; a key that is no longer good stops the work and loses nothing; a key near its end is renewed.
 */

import type { Account } from '../../api/account.ts';
import { err, type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { ConnectionId } from '../../api/ids.ts';
import type { KeyPlace, AccountConnection as Shown } from '../../ipc/protocol/state.ts';
import type { Clock, Random } from '../ports.ts';
import { backoffMs } from '../queue/retry/backoff.ts';
import { type OpenClient, openSession, type Session } from './account-session.ts';
import type { ConnectionKeys } from './connection-keys.ts';
import { isRenewalDue } from './key-renewal.ts';

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly openClient: OpenClient;
  readonly onChange: () => void;
  /** The service has answered as this account: what waited for it may go on. */
  readonly onConnected: () => void;
  /** What is to be remembered over restarts. */
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
  /** What work needs; else why there is none. A passing fault of the network is left to the work itself. */
  session(): Result<Session>;
  uses(isKey: (key: string) => boolean): boolean;
  /** Takes the key out of the store; a locked one may keep it waiting until the person has answered. */
  load(): Promise<void>;
  /** Asks the service who it is and what it may. */
  read(signal: AbortSignal): Promise<void>;
  /** Keeps another key for this account and uses it. Errors: KEY_STORE_FAILED, DISK_FULL. */
  replaceKey(key: string, account: Account): Promise<Result<void>>;
  /** Work has met this failure: a refused key ends the session, whoever notices it. */
  report(failure: Failure): void;
  /** Reads the account again, on new sockets: those from before a sleep are dead. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Reads the account again soon; several calls are one. */
  refreshSoon(): void;
  /** Takes its keys out of the key store. Errors: KEY_STORE_FAILED. */
  forget(): Promise<Result<void>>;
  close(): Promise<void>;
}

/** The storage used is read again this long after a publication. */
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
    await keys.settle();
    await renew();
  };

  const load = async (): Promise<boolean> => {
    if (key !== null) return true;
    const found = await keys.load();
    if (closing.signal.aborted) return false;
    if (found.ok) use(found.value);
    else fail(found.error);
    return found.ok;
  };

  /** Reads the account anew; a passing fault is tried again until it has passed. */
  const read = async (signal: AbortSignal): Promise<void> => {
    if (!(await load())) return;
    const asked = key;
    const reply = await client.call('readAccount', {}, signal);
    if (signal.aborted || closing.signal.aborted) return;
    if (reply.ok) return accept(reply.value);
    // Another key has come into use meanwhile; whoever brought it asks with it.
    if (key !== asked) return;
    const older = isKeyRefused(reply.error) ? await keys.fallBack() : null;
    if (older === null) return fail(reply.error);
    use(older);
    return read(signal);
  };

  /** One loop at most; it ends when the service answers, or when only a person can mend it. */
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

  /** The new key is kept and on record before its first use, which ends the old one. What fails is tried at the next reading. */
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
      return key === null ? err(failure('KEY_STORE_FAILED', 'The key store has not given the key yet.')) : ok(session);
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
      if (reported.status !== 401 || !isFinal(reported)) return;
      fail(reported);
      // A request may have been on its way with a key that was renewed meanwhile: the service has the last word.
      read(closing.signal).catch(() => {});
    },
    async refresh(signal) {
      client.reconnect();
      await read(signal);
    },
    refreshSoon() {
      soon ??= clock
        .sleep(REFRESH_SOON_MS, closing.signal)
        .then(() => read(closing.signal))
        .catch(() => {})
        .finally(() => {
          soon = null;
        });
    },
    forget: keys.forget,
    async close() {
      closing.abort();
      await client.close();
      await Promise.all([soon, watching]);
    },
  };
};

const isPassing = ({ code }: Failure): boolean => retryOf(code) === 'backoff' || retryOf(code) === 'wait';

/** The key or its rights are refused, or there is no key: no request can succeed until the person has connected again. */
const isFinal = ({ code }: Failure): boolean => retryOf(code) === 'reconnect' || code === 'KEY_STORE_FAILED';

const isKeyRefused = ({ code }: Failure): boolean =>
  code === 'API_KEY_INVALID' || code === 'API_KEY_REVOKED' || code === 'API_KEY_EXPIRED';
