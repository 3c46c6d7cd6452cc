/** Note commands that the engine offers to hosts. */

import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { NewNote } from '../../ipc/protocol/draft.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/ipc.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';

/** A file whose text becomes a note; it is read once, immediately. */
interface NoteFile {
  readonly path: string;
  readonly name: string;
}

export interface NoteApi {
  /**
   * Persists the text in the spool and its row before it resolves. Errors: NOTE_EMPTY, NOTE_TOO_LONG, those of `add`.
   */
  addNote(note: CommandInput<'note.add'>): Promise<Result<ItemId>>;
  /** All or nothing. Errors: as `addNote`, SOURCE_*, NOTE_NOT_TEXT. */
  addNoteFiles(
    files: readonly NoteFile[],
    how: Pick<CommandInput<'note.addPaths'>, 'format' | 'language'> & { readonly share?: LinkSettings },
  ): Promise<Result<readonly ItemId[]>>;
  guessNote(note: CommandInput<'note.guess'>): CommandOutput<'note.guess'>;
  readNote(asked: CommandInput<'note.read'>, signal: AbortSignal): Promise<Result<CommandOutput<'note.read'>>>;
  editNote(edit: CommandInput<'note.edit'>, signal: AbortSignal): Promise<Result<CommandOutput<'note.edit'>>>;
  saveDraft(edit: CommandInput<'note.saveDraft'>): Result<void>;
  dropDraft(id: ItemId): void;
  /** The unpublished draft, also from an earlier process. */
  unpublishedNote(slot?: number): NewNote | null;
  /** The slots with a draft, in order. */
  unpublishedSlots(): readonly number[];
  /** Errors: DISK_FULL. */
  saveUnpublished(note: NewNote, slot?: number): Result<void>;
  dropUnpublished(slot?: number): void;
}
