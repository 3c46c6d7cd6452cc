/** Handlers of the app commands. */

import { err, failure, ok } from '../../../api/errors.ts';
import type { appCommands } from '../../protocol/commands/app.ts';
import { DONE, type HandlerDeps, type HandlersOf, now } from './handlers.ts';

const NO_QUIT = err(failure('COMMAND_INVALID', 'This host ends with the program that started it.'));

export const appHandlers = ({
  engine,
  show,
  quit,
  panel,
  state,
  updates,
}: HandlerDeps): HandlersOf<keyof typeof appCommands> => ({
  'app.state': () => ok(state()),
  'app.dismissNotices': now(() => engine.dismissNotices()),
  'app.panel': ({ panel: name, height }) => {
    panel?.(name, height);
    return DONE;
  },
  'app.updates': () => ok(updates?.() ?? { state: 'not-looked-for', version: null, checkedAt: null }),
  'app.show': now(show),
  'app.quit': () => {
    if (!quit) return NO_QUIT;
    // Send the reply first.
    setImmediate(quit);
    return DONE;
  },
});
