/** Handlers of the settings commands. */

import { ok } from '../../../api/errors.ts';
import type { settingsCommands } from '../../protocol/commands/settings.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';
import { NO_FILE_MANAGER } from './profile.ts';

export const settingsHandlers = ({ engine, folders }: HandlerDeps): HandlersOf<keyof typeof settingsCommands> => ({
  'settings.update': (change) => engine.updateSettings(change),
  'settings.chooseSaveFolder': async () => {
    if (!folders) return NO_FILE_MANAGER;
    const chosen = await folders.choose((await engine.folderOf('captures')) ?? '');
    return chosen === null ? ok(engine.state().settings) : engine.updateSettings({ saveFolder: chosen });
  },
});
