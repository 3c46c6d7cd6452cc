/** The commands about folders of code. */
import type { folderCommands } from '../../contract/commands/folder.ts';
import { err, failure } from '../../contract/errors.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const folderHandlers = ({ engine, sources }: HandlerDeps): HandlersOf<keyof typeof folderCommands> => ({
  'folder.preview': ({ token }, signal) => {
    const folder = sources.look(token);
    if (!folder) return err(failure('COMMAND_INVALID', 'The folder is no longer at hand. Add it again.'));
    return engine.previewFolder(folder.source.path, signal);
  },
  'folder.previewPath': ({ path }, signal) => engine.previewFolder(path, signal),
});
