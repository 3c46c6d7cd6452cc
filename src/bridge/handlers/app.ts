/** The commands of the app as a whole. */
import type { appCommands } from '../../contract/app/commands/app.ts';
import { ok } from '../../contract/errors.ts';
import { DONE, type HandlerDeps, type HandlersOf, now } from './handlers.ts';

export const appHandlers = ({
  engine,
  show,
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
});
