/**
 * Handlers of the commands that use files by token (`file-tokens.ts`), and of those that receive the bytes of files.
 */

import { err, failure, ok, type Result } from '../../../api/errors.ts';
import type { ItemId, SourceToken } from '../../../api/ids.ts';
import { rm } from '../../../base/node/retrying-fs.ts';
import type { Offered } from '../file-tokens.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handler-types.ts';

const FILE_GONE = err(failure('COMMAND_INVALID', 'The file is no longer at hand. Add it again.'));
const ONE_FILE_GONE = err(failure('COMMAND_INVALID', 'One of the files is no longer available. Add it again.'));
const NO_PICTURE = err(failure('COMMAND_INVALID', 'The edited image did not arrive. Try again.'));

type Commands =
  | 'queue.add'
  | 'note.addFiles'
  | `capture.${'copy' | 'finish'}`
  | 'fit.preview'
  | 'vision.readFile'
  | 'folder.putBack'
  | `intake.${'open' | 'state' | 'finish' | 'folder' | 'abandon' | 'release'}`;

export const fileHandlers = ({ engine, sources, intake }: HandlerDeps): HandlersOf<Commands> => {
  /** Path of an edited image; null: the original is meant. */
  const takePicture = (token: SourceToken | null): Result<string | null> => {
    if (token === null) return ok(null);
    const [edited] = sources.take([token]) ?? [];
    return edited?.source.owner === 'spool' ? ok(edited.source.path) : NO_PICTURE;
  };

  /** The user's folders that were added. */
  const addedFolders = new Map<SourceToken, Offered>();

  /** The tokens stay valid where nothing is added: the user may try again. */
  const addTaken = async (
    tokens: readonly SourceToken[],
    add: (files: readonly Offered[]) => Promise<Result<readonly ItemId[]>>,
  ): Promise<Result<{ ids: ItemId[] }>> => {
    const files = sources.take(tokens);
    if (!files) return ONE_FILE_GONE;
    const added = await add(files);
    if (!added.ok) {
      sources.putBack(tokens, files);
      return added;
    }
    for (const [index, token] of tokens.entries()) {
      const file = files[index];
      if (file?.source.owner === 'user' && file.job?.kind === 'folder') addedFolders.set(token, file);
    }
    return ok({ ids: [...added.value] });
  };

  return {
    'queue.add': ({ tokens, share, fit }) =>
      addTaken(tokens, (files) =>
        engine.queue.add(
          files.map((file) => ({ ...(fit && { job: { kind: 'file', fit } }), ...file, ...(share && { share }) })),
          'window',
        ),
      ),
    'note.addFiles': ({ tokens, ...how }) =>
      addTaken(tokens, async (files) => {
        const added = await engine.note.addFiles(
          files.map(({ source, name }) => ({ path: source.path, name })),
          how,
        );
        // The note has its text in a file of its own. A copy that cannot be removed now goes at the next start.
        const copies = added.ok ? files.filter(({ source }) => source.owner === 'spool') : [];
        await Promise.all(copies.map(({ source }) => rm(source.path, { force: true }).catch(() => {})));
        return added;
      }),
    'folder.putBack': ({ token }) => {
      const folder = addedFolders.get(token);
      if (folder) sources.putBack([token], [folder]);
      addedFolders.delete(token);
      return DONE;
    },
    'capture.copy': ({ picture, ...request }) => {
      const edited = takePicture(picture);
      return edited.ok ? engine.capture.copy({ ...request, picture: edited.value }) : edited;
    },
    'capture.finish': ({ picture, ...request }, signal) => {
      const edited = takePicture(picture);
      return edited.ok ? engine.capture.finish({ ...request, picture: edited.value }, signal) : edited;
    },
    'fit.preview': ({ token, fit }, signal) => {
      const file = sources.look(token);
      return file ? engine.fit.previewPath({ path: file.source.path, fit }, signal) : FILE_GONE;
    },
    'vision.readFile': async ({ token, reading }, signal) => {
      const [file] = sources.take([token]) ?? [];
      if (!file) return FILE_GONE;
      const { owner, path } = file.source;
      try {
        return await engine.vision.readFile(path, reading, signal);
      } finally {
        if (owner === 'spool') await rm(path, { force: true });
      }
    },
    'intake.open': (file) => intake.open(file),
    'intake.state': ({ id }) => intake.state(id),
    'intake.finish': ({ id, sha256 }) => intake.finish(id, sha256),
    'intake.folder': () => ok({ path: engine.spoolDir }),
    'intake.abandon': async ({ id }) => {
      await intake.abandon(id);
      return DONE;
    },
    'intake.release': async ({ token }) => {
      await sources.release(token);
      return DONE;
    },
  };
};
