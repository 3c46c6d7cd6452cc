/** What may be asked about the clipboard. */

import type { LinkSettings } from '../../contract/app/link-settings.ts';
import type { Result } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';

export interface ClipboardDoor {
  /**
   * Takes in what was copied, all or none: files, else a picture, else text as a note. `pictureName`: what a picture is
   * called, otherwise by the moment. Errors: NOTE_EMPTY where there is none of them, COMMAND_INVALID where this host reaches
   * no clipboard, APP_FAILED where it cannot be read, those of `add` and `addNote`.
   */
  addClipboard(
    how?: { readonly share?: LinkSettings | undefined; readonly pictureName?: string | undefined },
    by?: 'window' | 'command',
  ): Promise<Result<readonly ItemId[]>>;
}
