/**
 * Handlers of the folder commands: previews of folders that a token names (`file-tokens.ts`), the host's folder
 * dialogs, and folders shown in the file manager.
 */
import { basename } from 'node:path';
import { err, failure, ok } from '../../../api/errors.ts';
import type { SourceToken } from '../../../api/ids.ts';
import type { FolderProgress } from '../../../common/folder/folder-preview.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handler-types.ts';

/** A preview in progress. */
interface Reading {
  readonly stop: AbortController;
  progress: FolderProgress;
}

const FOLDER_GONE = err(failure('COMMAND_INVALID', 'The folder is no longer available. Add it again.'));
const NO_DIALOG = err(failure('COMMAND_INVALID', 'This host has no dialog for folders.'));
const NO_FILE_MANAGER = err(failure('COMMAND_INVALID', 'This host shows no folders.'));
const NO_FOLDER = err(failure('COMMAND_INVALID', 'There is no such folder on this computer yet.'));

type Commands =
  | `folder.${'preview' | 'progress' | 'stop' | 'choose'}`
  | 'profile.openFolder'
  | 'settings.chooseSaveFolder';

export const folderHandlers = ({ engine, sources, folders }: HandlerDeps): HandlersOf<Commands> => {
  const readings = new Map<SourceToken, Reading>();
  return {
    'folder.preview': async ({ token }, signal) => {
      const folder = sources.look(token);
      if (!folder) return FOLDER_GONE;
      readings.get(token)?.stop.abort();
      const reading: Reading = { stop: new AbortController(), progress: { files: 0, share: null } };
      readings.set(token, reading);
      const onProgress = (progress: FolderProgress): void => {
        reading.progress = progress;
      };
      try {
        const either = AbortSignal.any([signal, reading.stop.signal]);
        const preview = await engine.folder.preview(folder.source, onProgress, either);
        return preview.ok ? ok({ ...preview.value, name: folder.name }) : preview;
      } finally {
        if (readings.get(token) === reading) readings.delete(token);
      }
    },
    'folder.progress': ({ token }) => ok({ progress: readings.get(token)?.progress ?? null }),
    'folder.stop': ({ token }) => {
      readings.get(token)?.stop.abort();
      return DONE;
    },
    'folder.choose': async () => {
      if (!folders) return NO_DIALOG;
      const path = await folders.choose('');
      if (path === null) return ok({ folder: null });
      const name = basename(path);
      const token = sources.offer({ source: { owner: 'user', path }, name, job: { kind: 'folder' } });
      return ok({ folder: { token, name } });
    },
    'profile.openFolder': async ({ folder }) => {
      if (!folders) return NO_FILE_MANAGER;
      const path = await engine.profile.folderOf(folder);
      return path !== null && (await folders.show(path)) ? DONE : NO_FOLDER;
    },
    'settings.chooseSaveFolder': async () => {
      if (!folders) return NO_DIALOG;
      const chosen = await folders.choose((await engine.profile.folderOf('captures')) ?? '');
      return chosen === null ? ok(engine.state().settings) : engine.settings.update({ saveFolder: chosen });
    },
  };
};
