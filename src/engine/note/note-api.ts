/** What may be asked about notes. */

import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { NewNote } from '../../ipc/protocol/draft.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/ipc.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';

/** A file whose text becomes a note; it is only read, and read at once. */
interface NoteFile {
  readonly path: string;
  readonly name: string;
}

export interface NoteApi {
  /** Writes the text into the spool, and its row, before it answers. Errors: NOTE_EMPTY, NOTE_TOO_LONG, those of `add`. */
  addNote(note: CommandInput<'note.add'>): Promise<Result<ItemId>>;
  /** All or none. Errors: as `addNote`, SOURCE_*, NOTE_NOT_TEXT. */
  addNoteFiles(
    files: readonly NoteFile[],
    how: Pick<CommandInput<'note.addPaths'>, 'format' | 'language'> & { readonly share?: LinkSettings },
  ): Promise<Result<readonly ItemId[]>>;
  guessNote(note: CommandInput<'note.guess'>): CommandOutput<'note.guess'>;
  readNote(asked: CommandInput<'note.read'>, signal: AbortSignal): Promise<Result<CommandOutput<'note.read'>>>;
  editNote(edit: CommandInput<'note.edit'>, signal: AbortSignal): Promise<Result<CommandOutput<'note.edit'>>>;
  saveDraft(edit: CommandInput<'note.saveDraft'>): Result<void>;
  dropDraft(id: ItemId): void;
  /** What was written and not published, also by an earlier process. */
  unpublishedNote(slot?: number): NewNote | null;
  /** Where there is one, in their order. */
  unpublishedSlots(): readonly number[];
  /** Errors: DISK_FULL. */
  saveUnpublished(note: NewNote, slot?: number): Result<void>;
  dropUnpublished(slot?: number): void;
}
