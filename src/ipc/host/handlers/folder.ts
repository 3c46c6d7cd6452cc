/** Handlers of the folder commands. */
import { basename } from 'node:path';
import { err, failure, ok } from '../../../api/errors.ts';
import type { SourceToken } from '../../../api/ids.ts';
import type { FolderProgress } from '../../../common/folder/preview.ts';
import type { folderCommands } from '../../protocol/commands/folder.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handlers.ts';

/** A preview in progress. */
interface Reading {
  readonly stop: AbortController;
  progress: FolderProgress;
}

const NOTHING = () => {};

export const folderHandlers = (deps: HandlerDeps): HandlersOf<keyof typeof folderCommands> => {
  const { engine, sources, folders } = deps;
  const readings = new Map<SourceToken, Reading>();
  return {
    'folder.preview': async ({ token }, signal) => {
      const folder = sources.look(token);
      if (!folder) return err(failure('COMMAND_INVALID', 'The folder is no longer at hand. Add it again.'));
      readings.get(token)?.stop.abort();
      const reading: Reading = { stop: new AbortController(), progress: { files: 0, share: null } };
      readings.set(token, reading);
      const onProgress = (progress: FolderProgress): void => {
        reading.progress = progress;
      };
      try {
        const either = AbortSignal.any([signal, reading.stop.signal]);
        const preview = await engine.previewFolder(folder.source, onProgress, either);
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
      if (!folders) return err(failure('COMMAND_INVALID', 'This host has no dialog for folders.'));
      const path = await folders.choose('');
      if (path === null) return ok({ folder: null });
      const name = basename(path);
      const token = sources.offer({ source: { owner: 'person', path }, name, job: { kind: 'folder' } });
      return ok({ folder: { token, name } });
    },
    'folder.previewPath': ({ path }, signal) => engine.previewFolder({ owner: 'person', path }, NOTHING, signal),
  };
};
