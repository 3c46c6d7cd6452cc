/** The commands of the connection to the service. */
import type { connectionCommands } from '../../contract/commands/connection.ts';
import { ok } from '../../contract/errors.ts';
import { type HandlerDeps, type HandlersOf, now } from './handlers.ts';

export const connectionHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof connectionCommands> => ({
  'connection.connect': ({ server, key }, signal) => engine.connect({ server, key, keep: 'store' }, signal),
  'connection.embed': async (embedded, signal) => {
    const { connection, accounts } = engine.state();
    return accounts.length === 0 ? engine.connect({ ...embedded, keep: 'embedded' }, signal) : ok(connection);
  },
  'connection.isSame': ({ server, key }) => ok({ isSame: engine.isConnectedWith(server, key) }),
  'connection.authorize': (request, signal) => engine.authorize(request, signal),
  'connection.authorized': (_, signal) => engine.authorized(signal),
  'connection.cancelAuthorize': now(() => engine.cancelAuthorize()),
  'connection.activate': ({ id }) => engine.activateAccount(id),
  'connection.remove': async ({ id }) => ok(await engine.removeAccount(id)),
  'connection.freshen': now(() => engine.freshenAccounts()),
  'connection.disconnect': async () => ok(await engine.disconnect()),
  'connection.refresh': async (_, signal) => ok(await engine.refresh(signal)),
});
