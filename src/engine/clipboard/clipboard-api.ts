/** What may be asked about the clipboard. */

import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Copied } from '../../ipc/protocol/commands/file-upload.ts';

export interface ClipboardApi {
  /**
   * What was copied: files, else a picture, else text that can be a note. Errors: NOTE_EMPTY where there is none of them,
   * NOTE_TOO_LONG, COMMAND_INVALID where this host reaches no clipboard, APP_FAILED where it cannot be read, DISK_FULL.
   */
  readClipboard(): Promise<Result<Copied>>;
  /** Queues all of it or none; a picture is called by the moment. Errors: also those of `add` and `addNote`. */
  addClipboard(): Promise<Result<readonly ItemId[]>>;
}
