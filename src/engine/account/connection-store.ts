/**
 * Stores the connections to services in the profile: the server, the account as last read, and the names of its keys
 * in the key store. It also stores which connection is active. The keys themselves are only in the key store.
 */
import Type, { type Static } from 'typebox';
import { Account } from '../../api/account.ts';
import { ConnectionId } from '../../api/ids.ts';
import { Nullable } from '../../api/nullable-and-literals.ts';
import type { Random } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';

const StoredConnection = Type.Object({
  id: ConnectionId,
  server: Type.String(),
  account: Account,
  /** Milliseconds since 1970-01-01 UTC. */
  readAt: Type.Integer({ minimum: 0 }),
  /** Newest first; more than one only until the service has accepted the newest. */
  keyNames: Type.Array(Type.String()),
  /** Missing where an earlier version recorded the names, which may then be those of keys in its memory. */
  keyPlace: Type.Optional(Type.Literal('keyring')),
});
export type StoredConnection = Static<typeof StoredConnection>;

const StoredConnections = Type.Object({
  activeId: Nullable(ConnectionId),
  connections: Type.Array(StoredConnection),
});
type StoredConnections = Static<typeof StoredConnections>;

/** Format of older profiles, which had a single connection. */
const Single = Type.Object({ server: Type.String(), account: Account });

export interface ConnectionStore {
  read(): StoredConnections;
  get(id: ConnectionId): StoredConnection | undefined;
  /** Synced to disk when it returns: after a crash the names decide which key is used. */
  put(connection: StoredConnection): void;
  activate(id: ConnectionId | null): void;
  remove(id: ConnectionId): void;
}

interface StoreDeps {
  readonly profile: Profile;
  readonly profileDir: string;
  readonly random: Random;
}

export const createConnectionStore = ({ profile, profileDir, random }: StoreDeps): ConnectionStore => {
  const persisted = createPersistedValue(profile, 'connections', StoredConnections);
  const persistedSingle = createPersistedValue(profile, 'connection', Single);

  const migrated = (): StoredConnections => {
    const known = persistedSingle.read();
    if (!known) return { activeId: null, connections: [] };
    const id = random.uuid() as ConnectionId;
    return { activeId: id, connections: [{ id, ...known, readAt: 0, keyNames: [`${known.server} ${profileDir}`] }] };
  };
  let stored = persisted.read() ?? migrated();

  const write = (next: StoredConnections) => {
    profile.durably(() => persisted.write(next));
    stored = next;
  };
  const others = (id: ConnectionId) => stored.connections.filter((other) => other.id !== id);

  return {
    read: () => stored,
    get: (id) => stored.connections.find((known) => known.id === id),
    put(connection) {
      const { id } = connection;
      const isKnown = stored.connections.some((known) => known.id === id);
      const connections = isKnown
        ? stored.connections.map((known) => (known.id === id ? connection : known))
        : [...stored.connections, connection];
      write({ ...stored, connections });
    },
    activate: (activeId) => write({ ...stored, activeId }),
    remove: (id) => write({ activeId: stored.activeId === id ? null : stored.activeId, connections: others(id) }),
  };
};
