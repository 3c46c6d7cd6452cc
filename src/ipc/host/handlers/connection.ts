/** Handlers of the connection commands. */

import { err, failure, ok } from '../../../api/errors.ts';
import type { connectionCommands } from '../../protocol/commands/connection.ts';
import { isProvenKey } from '../key-proof.ts';
import { done, type HandlerDeps, type HandlersOf, now } from './handlers.ts';

const NO_TRY_OUT = err(failure('COMMAND_INVALID', 'This host has no built-in server.'));

export const connectionHandlers = ({ engine, tryOut }: HandlerDeps): HandlersOf<keyof typeof connectionCommands> => ({
  'connection.connect': ({ server, key }, signal) => engine.connect({ server, key, keep: 'store' }, signal),
  'connection.embed': async (embedded, signal) => {
    const { connection, accounts } = engine.state();
    return accounts.length === 0 ? engine.connect({ ...embedded, keep: 'embedded' }, signal) : ok(connection);
  },
  'connection.isSame': (proof) =>
    ok({ isSame: engine.isConnectedWith(proof.server, (key) => isProvenKey(key, proof)) }),
  'connection.authorize': (request, signal) => engine.authorize(request, signal),
  'connection.authorized': (_, signal) => engine.authorized(signal),
  'connection.reopenAuthorize': () => done(engine.reopenAuthorize()),
  'connection.cancelAuthorize': now(() => engine.cancelAuthorize()),
  'connection.tryOut': async (_, signal) =>
    tryOut ? engine.connect({ ...(await tryOut()), keep: 'embedded' }, signal) : NO_TRY_OUT,
  'connection.activate': ({ id }) => engine.activateAccount(id),
  'connection.remove': async ({ id }) => ok(await engine.removeAccount(id)),
  'connection.freshen': now(() => engine.freshenAccounts()),
  'connection.disconnect': async () => ok(await engine.disconnect()),
  'connection.refresh': async (_, signal) => ok(await engine.refresh(signal)),
});
