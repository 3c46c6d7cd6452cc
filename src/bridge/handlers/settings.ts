/** The commands of the settings. */
import type { settingsCommands } from '../../contract/commands/settings.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const settingsHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof settingsCommands> => ({
  'settings.update': (change) => engine.updateSettings(change),
});
