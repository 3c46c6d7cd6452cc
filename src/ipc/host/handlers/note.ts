/** Handlers of the note commands. */
import { basename } from 'node:path';
import { err, failure, ok, type Result } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import type { noteCommands } from '../../protocol/commands/note.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handlers.ts';

const asIds = (added: Result<readonly ItemId[]>): Result<{ ids: ItemId[] }> =>
  added.ok ? ok({ ids: [...added.value] }) : added;

export const noteHandlers = ({ engine, sources }: HandlerDeps): HandlersOf<keyof typeof noteCommands> => ({
  'note.add': async (note) => {
    const added = await engine.addNote(note);
    return added.ok ? ok({ id: added.value }) : added;
  },
  'note.addFiles': async ({ tokens, ...how }) => {
    const files = sources.take(tokens);
    if (!files) return err(failure('COMMAND_INVALID', 'One of the files is no longer at hand. Add it again.'));
    return asIds(
      await engine.addNoteFiles(
        files.map(({ source, name }) => ({ path: source.path, name })),
        how,
      ),
    );
  },
  'note.addPaths': async ({ paths, ...how }) =>
    asIds(
      await engine.addNoteFiles(
        paths.map((path) => ({ path, name: basename(path) })),
        how,
      ),
    ),
  'note.guess': (note) => ok(engine.guessNote(note)),
  'note.read': (input, signal) => engine.readNote(input, signal),
  'note.edit': (edit, signal) => engine.editNote(edit, signal),
  'note.saveDraft': (edit) => {
    const saved = engine.saveDraft(edit);
    return saved.ok ? DONE : saved;
  },
  'note.dropDraft': ({ id }) => {
    engine.dropDraft(id);
    return DONE;
  },
  'note.unpublished': ({ slot }) => ok({ draft: engine.unpublishedNote(slot), kept: [...engine.unpublishedSlots()] }),
  'note.saveUnpublished': ({ slot, ...note }) => {
    const saved = engine.saveUnpublished(note, slot);
    return saved.ok ? DONE : saved;
  },
  'note.dropUnpublished': ({ slot }) => {
    engine.dropUnpublished(slot);
    return DONE;
  },
});
