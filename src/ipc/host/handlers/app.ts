/** Handlers of the commands about the host itself: its state, window, panels, tray icon, updates and quitting. */

import { err, failure, ok } from '../../../api/errors.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handler-types.ts';

const NO_QUIT = err(failure('COMMAND_INVALID', 'This host ends with the program that started it.'));

type Commands = `app.${'state' | 'panel' | 'updates' | 'trayIcon' | 'show' | 'quit'}`;

export const appHandlers = (deps: HandlerDeps): HandlersOf<Commands> => {
  const { show, quit, panel, state, updates, isTrayShown } = deps;
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
    'app.show': async ({ screen }) => {
      const shown = await show(screen);
      return shown.ok ? DONE : shown;
    },
    'app.quit': () => {
      if (!quit) return NO_QUIT;
      // Send the reply first.
      setImmediate(quit);
      return DONE;
    },
  };
};
