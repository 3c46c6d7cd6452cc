/**
 * Handlers of the commands about the host itself: its state, window, panels, updates and quitting. Also connects to
 * the host's built-in server, with which users try the app, and checks whether the caller has the same API key as
 * this process.
 */

import { err, failure, ok } from '../../../api/errors.ts';
import { isProvenKey } from '../peer-authentication.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handler-types.ts';

const NO_QUIT = err(failure('COMMAND_INVALID', 'This host ends with the program that started it.'));
const NO_TRY_OUT = err(failure('COMMAND_INVALID', 'This host has no built-in server.'));

type Commands =
  | `app.${'state' | 'panel' | 'updates' | 'trayIcon' | 'show' | 'quit'}`
  | `connection.${'isSame' | 'tryOut'}`;

export const appHandlers = (deps: HandlerDeps): HandlersOf<Commands> => {
  const { engine, show, quit, panel, state, tryOut, updates, isTrayShown } = deps;
  return {
    'app.state': () => ok(state()),
    'app.panel': ({ panel: name, height }) => {
      panel?.(name, height);
      return DONE;
    },
    'app.updates': () => ok(updates?.() ?? { state: 'not-looked-for', version: null, checkedAt: null }),
    'app.trayIcon': async () => {
      if (!isTrayShown) return ok({ state: 'none' });
      return ok({ state: (await isTrayShown()) ? 'shown' : 'hidden' });
    },
    'app.show': () => {
      show();
      return DONE;
    },
    'app.quit': () => {
      if (!quit) return NO_QUIT;
      // Send the reply first.
      setImmediate(quit);
      return DONE;
    },
    'connection.isSame': (proof) =>
      ok({ isSame: engine.connection.isConnectedWith(proof.server, (key) => isProvenKey(key, proof)) }),
    'connection.tryOut': async (_, signal) =>
      tryOut ? engine.connection.connect({ ...(await tryOut()), keep: 'embedded' }, signal) : NO_TRY_OUT,
  };
};
