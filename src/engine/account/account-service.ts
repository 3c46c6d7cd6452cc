/**
 * Assembles the account feature of the engine: opens the stored connections, exposes their state and sessions, and
 * implements the commands that connect, approve, refresh, remove and choose accounts. New items belong to the chosen
 * (active) account.
 */
import Type from 'typebox';
import type { ConnectedDevice } from '../../api/device-auth.ts';
import { ok, type Result } from '../../api/errors.ts';
import { DONE, done } from '../empty-result.ts';
import type { ConnectionApi, EngineDeps, EngineState } from '../engine-interface.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { createAuthorizing } from './authorize.ts';
import { type Connections, type ConnectionsDeps, createConnections } from './connections.ts';

export type AccountsDeps = ConnectionsDeps & Pick<EngineDeps, 'opener' | 'device'>;

export interface Accounts
  extends Pick<Connections, 'start' | 'session' | 'report' | 'published' | 'active' | 'owner' | 'close'> {
  state(): Pick<EngineState, 'connection' | 'accounts' | 'authorization'>;
  readonly commands: ConnectionApi;
}

/** Account data older than this is read again when a window comes to the front. */
const FRESH_MS = 5 * 60_000;

/** Stable for the lifetime of the profile: the service revokes the older keys of a device that connects again. */
const deviceIdOf = (profile: Profile, random: AccountsDeps['random']): string => {
  const persisted = createPersistedValue(profile, 'device', Type.Object({ id: Type.String({ minLength: 1 }) }));
  const known = persisted.read();
  if (known) return known.id;
  const id = random.uuid();
  persisted.write({ id });
  return id;
};

export const openAccounts = async (deps: AccountsDeps): Promise<Accounts> => {
  const { profile, random, device } = deps;
  const connections = await createConnections(deps);

  const admit = (server: string, { apiKey, credential, account }: ConnectedDevice): Promise<Result<void>> =>
    connections.admit({ server, key: apiKey, account: { ...account, credential }, keep: 'store', activate: 'always' });
  const authorizing = createAuthorizing({
    ...deps,
    device: { ...device, id: deviceIdOf(profile, random) },
    admit,
  });

  const connect: ConnectionApi['connect'] = async (request, signal) => {
    const connected = await connections.connect({ keep: 'store', activate: 'always', ...request }, signal);
    // A failure of an earlier attempt is obsolete.
    if (connected.ok && authorizing.state()?.state === 'failed') authorizing.cancel();
    return connected;
  };

  return {
    start: connections.start,
    session: connections.session,
    report: connections.report,
    published: connections.published,
    active: connections.active,
    owner: connections.owner,
    state: () => ({
      connection: connections.state(),
      accounts: connections.all(),
      authorization: authorizing.state(),
    }),
    commands: {
      connect,
      // The built-in server starts with the app: it is not chosen for a user who has another account.
      embed: (request, signal) => connect({ ...request, keep: 'embedded', activate: 'if-only' }, signal),
      isConnectedWith: connections.uses,
      authorize: authorizing.start,
      async authorized(_, signal) {
        const outcome = await authorizing.waitForEnd(signal);
        return outcome.ok ? ok(connections.state()) : outcome;
      },
      reopenAuthorize: async () => done(await authorizing.reopen()),
      cancelAuthorize() {
        authorizing.cancel();
        return DONE;
      },
      activate: ({ id }) => connections.activate(id),
      remove: ({ id, ifKeyStays }) => connections.remove(id, ifKeyStays),
      disconnect: ({ ifKeyStays }) => connections.disconnect(ifKeyStays),
      refresh: async (_, signal) => ok(await connections.refresh(signal)),
      freshen() {
        connections.freshen(FRESH_MS);
        return DONE;
      },
    },
    async close() {
      authorizing.cancel();
      await connections.close();
    },
  };
};
