/** Public interface of the note feature: the note commands, and adding files as notes. */

import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { CommandsOf } from '../command-types.ts';

/** A file whose text becomes a note; it is read once, immediately. */
interface NoteFile {
  readonly path: string;
  readonly name: string;
}

export interface NoteApi extends CommandsOf<'note'> {
  /** All or nothing. Errors: as `note.add`, SOURCE_*, NOTE_NOT_TEXT. */
  addFiles(
    files: readonly NoteFile[],
    how: Omit<CommandInput<'note.addPaths'>, 'paths'>,
  ): Promise<Result<readonly ItemId[]>>;
}
