/** Clipboard commands that the engine offers to hosts. */

import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Copied } from '../../ipc/protocol/commands/file-upload.ts';

export interface ClipboardApi {
  /**
   * The clipboard content: files, else an image, else text that can be a note. Errors: NOTE_EMPTY where there is
   * nothing of these, NOTE_TOO_LONG, COMMAND_INVALID where this host has no clipboard, APP_FAILED where it cannot be
   * read, DISK_FULL.
   */
  readClipboard(): Promise<Result<Copied>>;
  /**
   * Queues everything or nothing; an image is named after the current time. Errors: also those of `add` and `addNote`.
   */
  addClipboard(): Promise<Result<readonly ItemId[]>>;
}
