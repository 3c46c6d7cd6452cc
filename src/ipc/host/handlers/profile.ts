/** Handlers of the profile commands: usage and folders on this computer. */

import { err, failure, ok } from '../../../api/errors.ts';
import type { profileCommands } from '../../protocol/commands/profile.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handlers.ts';

export const NO_FILE_MANAGER = err(failure('COMMAND_INVALID', 'This host shows no folders.'));
const NO_FOLDER = err(failure('COMMAND_INVALID', 'There is no such folder on this computer yet.'));

export const profileHandlers = ({ engine, folders }: HandlerDeps): HandlersOf<keyof typeof profileCommands> => ({
  'profile.usage': async () => ok(await engine.usage()),
  'profile.clear': async ({ what }) => ok(await engine.clearProfile(what)),
  'profile.report': async () => ok({ text: await engine.report() }),
  'profile.openFolder': async ({ folder }) => {
    if (!folders) return NO_FILE_MANAGER;
    const path = await engine.folderOf(folder);
    return path !== null && (await folders.show(path)) ? DONE : NO_FOLDER;
  },
});
