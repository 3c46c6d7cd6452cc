/**
 * Manages all connections to accounts, those of the profile and those of this run only. Each account has its own
 * session, so that its pending items continue while another account is active. An item belongs to the account that was
 * active when the item was added, or else to the next active one, and is never sent under another. An item of a run
 * whose own service and key could not be reached waits for these.
 */

import { createHash } from 'node:crypto';
import type { Account } from '../../api/account.ts';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { AccountId, ConnectionId, Sha256 } from '../../api/ids.ts';
import { normaliseAddress } from '../../api/service-address.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import { ignoringFullDisk } from '../../common/disk-full.ts';
import type { ConnectedAccount, Connection, KeyPlace } from '../../ipc/protocol/app-state.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { ConnectRequest } from '../engine-interface.ts';
import type { Clock, Random, SecretStore } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createMemoryKeyStore } from '../profile/system-key-store.ts';
import type { OpenClient, Session } from './account-session.ts';
import { type AccountConnection, openConnection } from './connection.ts';
import { createConnectionKeys } from './connection-keys.ts';
import { createConnectionStore, type StoredConnection } from './connection-store.ts';

export interface ConnectionsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretStore;
  readonly profile: Profile;
  readonly profileDir: string;
  readonly openClient: OpenClient;
  readonly onChange: () => void;
  /** Shows a notice until the user has seen it. */
  readonly notify: (notice: Failure) => void;
  /** The service has answered as this account: work that waited for it can continue. */
  readonly onConnected: (accountId: AccountId) => void;
}

/** Whether an account is removed although its key cannot be deleted: with a notice, which is the default. */
type IfKeyStays = CommandInput<'connection.disconnect'>['ifKeyStays'];

/** A key and the account it belongs to. `server` as returned by `normaliseAddress`. */
interface Admission {
  readonly server: string;
  readonly key: string;
  readonly account: Account;
  readonly keep: Required<ConnectRequest>['keep'];
  readonly activate: Required<ConnectRequest>['activate'];
}

/** Who new items belong to. `account` null: not known yet; then `meantFor` counts, as in `QueueItem`. */
export interface ItemOwner {
  readonly account: Account | null;
  readonly meantFor?: Sha256;
}

export interface Connections {
  /** Starts requests to the services; `onConnected` may be called from now on. */
  start(): void;
  /** The active one. */
  state(): Connection;
  all(): ConnectedAccount[];
  active(): Account | null;
  owner(): ItemOwner;
  /**
   * What work for this account needs, or why it is unavailable. Null: for the one that it is `meantFor`, or else the
   * active one.
   */
  session(accountId: AccountId | null, meantFor?: Sha256): Result<Session>;
  connect(request: Required<ConnectRequest>, signal: AbortSignal): Promise<Result<Connection>>;
  /**
   * Adds a connection whose account is known and activates it as asked. A key that the key store rejects is kept in
   * memory and the user is notified. Errors: DISK_FULL.
   */
  admit(admission: Admission): Promise<Result<void>>;
  uses(server: string, isKey: (key: string) => boolean): boolean;
  activate(id: ConnectionId): Result<Connection>;
  /** Errors: KEY_STORE_FAILED as `ifKeyStays` says. */
  remove(id: ConnectionId, ifKeyStays?: IfKeyStays): Promise<Result<Connection>>;
  /** Errors: KEY_STORE_FAILED as `ifKeyStays` says. */
  disconnect(ifKeyStays?: IfKeyStays): Promise<Result<Connection>>;
  /** Reads all accounts again on new sockets; resolves when the active one is read. */
  refresh(signal: AbortSignal): Promise<Connection>;
  /** Reads the accounts that were last read longer ago than this. */
  freshen(olderThanMs: number): void;
  /** Reports a failure met by work for this account (null: the active one). */
  report(failure: Failure, accountId: AccountId | null): void;
  /** Call after a publication: the storage used has changed. */
  published(accountId: AccountId | null): void;
  close(): Promise<void>;
}

/** How long opening a profile waits for the key store; a locked one prompts the user first. */
const KEY_STORE_MS = 1_500;

/** Keys have 256 random bits, so the digest does not reveal them. */
const digestOf = (server: string, key: string): Sha256 =>
  createHash('sha256').update(`linkshot-meant-for\n${server}\n${key}`).digest('hex') as Sha256;

export const createConnections = async (deps: ConnectionsDeps): Promise<Connections> => {
  const { clock, random, secrets } = deps;
  const store = createConnectionStore(deps);
  const closing = new AbortController();
  let connections: readonly AccountConnection[] = [];
  let activeId: ConnectionId | null = store.read().activeId;
  /** The service and key of this run, until the service has accepted it. */
  let sought: Sha256 | null = null;
  const started = Promise.withResolvers<void>();

  const byId = (id: ConnectionId | null) => connections.find((known) => known.id === id);
  /**
   * The same account may be connected twice: persistently and with another key for this run, or at two addresses.
   * Prefers one with a usable session; of these the active one, else the one that was read last, because a service that
   * has moved was last read at its new address.
   */
  const connectionOf = (accountId: AccountId | null, meantFor?: Sha256): AccountConnection | undefined => {
    const active = byId(activeId);
    if (accountId === null && meantFor)
      return connections.find(({ server, uses }) => uses((key) => digestOf(server, key) === meantFor));
    if (accountId === null) return active;
    const isRead = (one: AccountConnection) => one.state().state === 'connected';
    const [best] = connections
      .filter((one) => one.account().user.id === accountId)
      .sort(
        (one, other) =>
          Number(other.session().ok) - Number(one.session().ok) ||
          Number(other === active) - Number(one === active) ||
          Number(isRead(other)) - Number(isRead(one)) ||
          other.readAt() - one.readAt(),
      );
    return best;
  };

  const state = (): Connection => byId(activeId)?.state() ?? { state: 'none' };

  /** A connection of this run only is never persisted, nor is the fact that it was active. */
  const isKept = (id: ConnectionId): boolean => store.get(id) !== undefined;

  const use = (connection: AccountConnection) => {
    activeId = connection.id;
    if (isKept(connection.id)) ignoringFullDisk(() => store.activate(connection.id));
    deps.onChange();
    // Items without an account continue with this one.
    if (connection.session().ok) deps.onConnected(connection.account().user.id);
  };

  const open = (
    known: StoredConnection,
    keyPlace: KeyPlace,
    keep: Required<ConnectRequest>['keep'],
  ): AccountConnection => {
    let stored = known;
    // Each name on record here is that of a key which this store has returned.
    const place = secrets.place === 'keyring' && { keyPlace: secrets.place };
    const keys = createConnectionKeys({
      secrets: keep === 'store' ? secrets : createMemoryKeyStore(),
      label: `${known.server} ${known.id}`,
      names: known.keyNames,
      save(names) {
        stored = { ...stored, keyNames: [...names], ...place };
        if (keep === 'store' && byId(known.id)) store.put(stored);
      },
    });
    const opened = openConnection(
      {
        ...{ clock, random, openClient: deps.openClient, onChange: deps.onChange },
        onConnected: () => deps.onConnected(opened.account().user.id),
        save(account, readAt) {
          stored = { ...stored, account, readAt, ...place };
          if (keep === 'store' && byId(known.id)) ignoringFullDisk(() => store.put(stored));
        },
      },
      { ...known, keyPlace, keys },
    );
    connections = [...connections, opened];
    return opened;
  };

  /** Where a key may be left; null: all are deleted. */
  const deleteKeys = async (connection: AccountConnection): Promise<Failure | null> => {
    const deleted = await connection.deleteKeys();
    return deleted.ok ? null : { ...deleted.error, params: { keyLeftFor: connection.server } };
  };

  const drop = async (connection: AccountConnection, ifKeyStays: IfKeyStays = 'remove'): Promise<Result<void>> => {
    // There may never have been a store for names of an earlier version: the account could not be removed for ever.
    const isVain = secrets.place === 'session' && store.get(connection.id)?.keyPlace === undefined;
    const refusal = ifKeyStays === 'refuse' && !isVain ? await deleteKeys(connection) : null;
    if (refusal) return err(refusal);
    connections = connections.filter((other) => other !== connection);
    // No other account is activated automatically: new items must not go where the user does not expect them.
    if (activeId === connection.id) activeId = null;
    deps.onChange();
    await connection.close();
    const left = await deleteKeys(connection);
    if (left) deps.notify(left);
    if (isKept(connection.id)) ignoringFullDisk(() => store.remove(connection.id));
    return ok(undefined);
  };

  const remove = async (id: ConnectionId | null, ifKeyStays?: IfKeyStays): Promise<Result<Connection>> => {
    const connection = byId(id);
    const dropped = connection ? await drop(connection, ifKeyStays) : ok(undefined);
    return dropped.ok ? ok(state()) : dropped;
  };

  const admit = async ({ server, key, account, keep, activate }: Admission): Promise<Result<void>> => {
    const keyPlace = keep === 'store' ? secrets.place : keep;
    // A key for this run never replaces a persisted one, nor the reverse.
    const isSame = (known: AccountConnection) =>
      known.server === server &&
      known.account().user.id === account.user.id &&
      known.keyPlace === keyPlace &&
      isKept(known.id) === (keep === 'store');
    const known = connections.find(isSame);
    // The built-in server has started again on another port: nothing answers at the old one.
    const moved = connections.find(
      (other) =>
        keep === 'embedded' &&
        other.keyPlace === keep &&
        other.server !== server &&
        other.account().user.id === account.user.id,
    );
    const id = random.uuid() as ConnectionId;
    const stored = { id, server, account, readAt: clock.now(), keyNames: [] };
    const connection = known ?? open(stored, keyPlace, keep);
    const kept = await connection.replaceKey(key, account);
    if (!kept.ok) {
      if (!known) await drop(connection);
      if (kept.error.code !== 'KEY_STORE_FAILED' || keep !== 'store') return kept;
      // No other place may store the key. It is used while the app runs, and the user is notified.
      deps.notify(kept.error);
      return admit({ server, key, account, keep: 'session', activate });
    }
    if (activate === 'always' || connections.length === 1 || (moved && activeId === moved.id)) use(connection);
    if (moved) await drop(moved);
    return kept;
  };

  const begin = async () => {
    const opened = store.read().connections.map((known) => open(known, secrets.place, 'store'));
    const loading = opened.map((connection) => connection.load());
    for (const [index, connection] of opened.entries()) {
      Promise.all([loading[index], started.promise])
        .then(() => connection.read(closing.signal))
        .catch(() => {});
    }
    const enough = new AbortController();
    await Promise.race([Promise.all(loading), clock.sleep(KEY_STORE_MS, enough.signal)]);
    enough.abort();
  };
  await begin();

  return {
    start: started.resolve,
    state,
    all: () =>
      connections.map((one) => ({
        id: one.id,
        isActive: one.id === activeId,
        connection: one.state(),
        readAt: one.readAt(),
      })),
    active: () => byId(activeId)?.account() ?? null,
    owner: () => (sought ? { account: null, meantFor: sought } : { account: byId(activeId)?.account() ?? null }),
    session(accountId, meantFor) {
      const connection = connectionOf(accountId, meantFor);
      if (connection) return connection.session();
      if ((accountId === null && !meantFor) || connections.length === 0) {
        return err(failure('NOT_CONNECTED', 'Connect to a service first.'));
      }
      const detail = 'This item belongs to another account. Connect to that account again, or remove the item.';
      return err(failure('ACCOUNT_MISMATCH', detail));
    },
    async connect({ server: typed, key, keep, activate }, signal) {
      const server = normaliseAddress(typed);
      if (!server.ok) return server;
      sought = keep === 'session' ? digestOf(server.value, key) : null;
      const client = deps.openClient(server.value, key);
      const account = await client.call('readAccount', {}, signal);
      await client.close();
      if (!account.ok) return account;
      const admitted = await admit({ server: server.value, key, account: account.value, keep, activate });
      if (!admitted.ok) return admitted;
      sought = null;
      return ok(state());
    },
    admit,
    uses(typed, isKey) {
      const server = normaliseAddress(typed);
      const active = byId(activeId);
      return server.ok && active?.server === server.value && active.uses(isKey);
    },
    activate(id) {
      const connection = byId(id);
      if (!connection) return err(failure('COMMAND_INVALID', 'This account no longer exists.'));
      use(connection);
      return ok(state());
    },
    remove,
    disconnect: (ifKeyStays) => remove(activeId, ifKeyStays),
    async refresh(signal) {
      const active = byId(activeId);
      for (const one of connections) if (one !== active) one.refresh(closing.signal).catch(() => {});
      await active?.refresh(signal);
      return state();
    },
    freshen(olderThanMs) {
      for (const one of connections) {
        if (ageMs(one.readAt(), clock.now()) > olderThanMs) one.read(closing.signal).catch(() => {});
      }
    },
    report: (reported, accountId) => connectionOf(accountId)?.report(reported),
    published: (accountId) => connectionOf(accountId)?.refreshSoon(),
    async close() {
      closing.abort();
      await Promise.all(connections.map((one) => one.close()));
    },
  };
};
