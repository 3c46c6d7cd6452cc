/**
 * Handlers of the connection commands that need the host: connects to its built-in server, and tells whether a caller
 * uses the same service with the same API key as this process.
 */
import { err, failure, ok } from '../../../api/errors.ts';
import { isProvenKey } from '../peer-authentication.ts';
import type { HandlerDeps, HandlersOf } from './handler-types.ts';

const NO_TRY_OUT = err(failure('COMMAND_INVALID', 'This host has no built-in server.'));

export const connectionHandlers = ({
  engine: { connection },
  tryOut,
}: HandlerDeps): HandlersOf<`connection.${'isSame' | 'tryOut'}`> => ({
  'connection.isSame': (proof) =>
    ok({ isSame: connection.isConnectedWith(proof.server, (key) => isProvenKey(key, proof)) }),
  'connection.tryOut': async (_, signal) =>
    tryOut ? connection.connect({ ...(await tryOut()), keep: 'embedded' }, signal) : NO_TRY_OUT,
});
