/**
 * The connection to the service: one server, one key, one account. The account is remembered, so that a start without
 * a network still knows whose queue this is; a key that is no longer good stops the work and loses nothing.
 */
import Type from 'typebox';
import { Account } from '../../contract/account.ts';
import { err, type Failure, failure, ok, type Result, retryOf } from '../../contract/errors.ts';
import type { Connection, KeyPlace } from '../../contract/state.ts';
import type { ConnectRequest } from '../door.ts';
import type { Clock, Random, SecretStore } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createFact } from '../profile/facts.ts';
import { backoffMs } from '../queue/backoff.ts';
import { normaliseAddress } from '../service/address.ts';
import type { ServiceClient } from '../service/client.ts';
import { type OpenClient, openSession, type Session } from './session.ts';

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretStore;
  readonly profile: Profile;
  readonly profileDir: string;
  readonly openClient: OpenClient;
  readonly onChange: () => void;
  /** The service has answered as this account: what waited for it may go on. */
  readonly onConnected: () => void;
}

export interface AccountConnection {
  state(): Connection;
  /** What work needs; else why there is none. A passing fault of the network is left to the work itself. */
  session(): Result<Session>;
  connect(request: ConnectRequest, signal: AbortSignal): Promise<Result<Connection>>;
  uses(server: string, key: string): boolean;
  disconnect(): Promise<Connection>;
  refresh(signal: AbortSignal): Promise<Connection>;
  /** Work has met this failure: a refused key ends the session, whoever notices it. */
  report(failure: Failure): void;
  /** Reads the account again soon, because something was published; several calls are one. */
  refreshSoon(): void;
  close(): Promise<void>;
}

const Stored = Type.Object({ server: Type.String(), account: Account });

/** The storage used is read again this long after a publication. */
const REFRESH_SOON_MS = 5_000;

interface Live {
  readonly client: ServiceClient;
  readonly key: string;
  readonly session: Session;
  readonly keep: ConnectRequest['keep'];
  /** Null while the service accepts the key, as far as is known. */
  readonly failure: Failure | null;
  /** Whether the service has answered since the start. */
  readonly seen: 'yes' | 'not-yet';
}

export const createConnection = async (deps: ConnectionDeps): Promise<AccountConnection> => {
  const { clock, random, secrets } = deps;
  const stored = createFact(deps.profile, 'connection', Stored);
  const closing = new AbortController();
  let live: Live | null = null;
  let soon: Promise<void> | null = null;
  let watching: AbortController | null = null;

  const secretName = (server: string) => `${server} ${deps.profileDir}`;

  const keyPlaceOf = (keep: ConnectRequest['keep']): KeyPlace => (keep === 'store' ? secrets.place : keep);

  const set = (next: Live | null) => {
    live = next;
    deps.onChange();
  };

  const state = (): Connection => {
    if (!live) return { state: 'none' };
    const { server } = live.client;
    const { account } = live.session;
    if (live.failure) return { state: 'failed', server, account, failure: live.failure };
    if (live.seen === 'not-yet') return { state: 'connecting', server, account };
    return { state: 'connected', server, account, keyPlace: keyPlaceOf(live.keep) };
  };

  /** Reads the account anew; a passing fault is tried again until it has passed. */
  const read = async (signal: AbortSignal): Promise<void> => {
    const asked = live;
    if (!asked) return;
    const reply = await asked.client.call('readAccount', {}, signal);
    if (live?.client !== asked.client || signal.aborted) return;
    if (!reply.ok) {
      set({ ...live, failure: reply.error });
      watch();
      return;
    }
    if (live.keep === 'store') stored.write({ server: asked.client.server, account: reply.value });
    set({ ...live, session: { ...live.session, account: reply.value }, failure: null, seen: 'yes' });
    deps.onConnected();
  };

  /** One loop at most; it ends when the service answers, or when only a person can mend it. */
  const watch = () => {
    if (watching) return;
    const own = new AbortController();
    watching = own;
    const signal = AbortSignal.any([own.signal, closing.signal]);
    const loop = async () => {
      for (let attempt = 1; live?.failure && isPassing(live.failure); attempt++) {
        await clock.sleep(live.failure.afterMs ?? backoffMs(attempt + 2, random.number()), signal);
        await read(signal);
      }
    };
    loop()
      .catch(() => {})
      .finally(() => {
        if (watching === own) watching = null;
      });
  };

  const replace = async (next: Live | null) => {
    const old = live;
    watching?.abort();
    watching = null;
    set(next);
    await old?.client.close();
  };

  const begin = async () => {
    const known = stored.read();
    if (!known) return;
    const key = await secrets.get(secretName(known.server));
    const missing = key.ok ? failure('NOT_CONNECTED', 'The key of this connection is gone. Connect again.') : key.error;
    const secret = key.ok ? (key.value ?? '') : '';
    const client = deps.openClient(known.server, secret);
    const session = openSession(clock, client, known.account);
    const hasKey = key.ok && key.value !== null;
    live = { client, key: secret, session, keep: 'store', failure: hasKey ? null : missing, seen: 'not-yet' };
    if (hasKey) read(closing.signal).catch(() => {});
  };
  await begin();

  return {
    state,
    session() {
      if (!live) return err(failure('NOT_CONNECTED', 'Connect to a service first.'));
      return live.failure && isFinal(live.failure) ? err(live.failure) : ok(live.session);
    },
    async connect({ server: typed, key, keep }, signal) {
      const server = normaliseAddress(typed);
      if (!server.ok) return server;
      const client = deps.openClient(server.value, key);
      const account = await client.call('readAccount', {}, signal);
      const kept = account.ok && keep === 'store' ? await secrets.set(secretName(server.value), key) : ok(undefined);
      if (!account.ok || !kept.ok) {
        await client.close();
        return account.ok ? (kept as Result<never>) : account;
      }
      if (keep === 'store') stored.write({ server: server.value, account: account.value });
      const session = openSession(clock, client, account.value);
      await replace({ client, key, session, keep, failure: null, seen: 'yes' });
      deps.onConnected();
      return ok(state());
    },
    uses(typed, key) {
      const server = normaliseAddress(typed);
      return server.ok && live?.client.server === server.value && live.key === key;
    },
    async disconnect() {
      const known = stored.read();
      if (known) await secrets.delete(secretName(known.server));
      stored.clear();
      await replace(null);
      return state();
    },
    async refresh(signal) {
      live?.client.reconnect();
      await read(signal);
      return state();
    },
    report(reported) {
      if (live && reported.status === 401 && isFinal(reported)) set({ ...live, failure: reported });
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
    async close() {
      closing.abort();
      await soon;
      await live?.client.close();
    },
  };
};

const isPassing = ({ code }: Failure): boolean => retryOf(code) === 'backoff' || retryOf(code) === 'wait';

/** The key or its rights are refused, or there is no key: no request can succeed until the person has connected again. */
const isFinal = ({ code }: Failure): boolean => retryOf(code) === 'reconnect' || code === 'KEY_STORE_FAILED';
