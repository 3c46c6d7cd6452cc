/** The commands of the connection to the service. */
import type { connectionCommands } from '../../contract/commands/connection.ts';
import { ok } from '../../contract/errors.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const connectionHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof connectionCommands> => ({
  'connection.connect': ({ server, key }, signal) => engine.connect({ server, key, keep: 'store' }, signal),
  'connection.embed': async (embedded, signal) => {
    const { connection } = engine.state();
    return connection.state === 'none' ? engine.connect({ ...embedded, keep: 'embedded' }, signal) : ok(connection);
  },
  'connection.isSame': ({ server, key }) => ok({ isSame: engine.isConnectedWith(server, key) }),
  'connection.disconnect': async () => ok(await engine.disconnect()),
  'connection.refresh': async (_, signal) => ok(await engine.refresh(signal)),
});
