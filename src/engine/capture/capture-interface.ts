/**
 * Public interface of the capture feature: the capture commands, and the pictures of a capture that hosts serve to a
 * page.
 */

import type { Result } from '../../api/errors.ts';
import type { CaptureId } from '../../api/ids.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/command-table.ts';
import type { CommandsOf } from '../command-types.ts';

/** What to do with the region selected on the frozen screen; null: use the settings. */
export type CaptureAction = CommandInput<'capture.choose'>['way'];

export interface CaptureApi extends CommandsOf<'capture'> {
  /**
   * Finishes editing. `picture`: path of the edited PNG in the spool; null: the unedited original. Errors:
   * CAPTURE_GONE, COMMAND_INVALID where it is no edited picture of this capture, DRAWING_NOT_APPLIED, SECRETS_FOUND,
   * SAVE_FAILED, and those of `queue.add`.
   */
  finish(
    request: Omit<CommandInput<'capture.finish'>, 'picture'> & { readonly picture: string | null },
    signal: AbortSignal,
  ): Promise<Result<CommandOutput<'capture.finish'>>>;
  /**
   * Puts the picture of the editor on the clipboard, and leaves it in the editor. `picture`: as above, and deleted.
   * Errors: CAPTURE_GONE, COMMAND_INVALID, DRAWING_NOT_APPLIED, APP_FAILED.
   */
  copy(
    request: Omit<CommandInput<'capture.copy'>, 'picture'> & { readonly picture: string | null },
  ): Promise<Result<CommandOutput<'capture.copy'>>>;
  /**
   * The frozen pixels of one display, RGBA of 8 bits, rows without padding; null: no such session. Display 0: the
   * preview of a scrolling capture.
   */
  frame(id: CaptureId, display: number): Uint8Array | null;
  /**
   * The screenshot that a page should copy to the clipboard, for a page that missed the event; null: there is no such
   * screenshot.
   */
  pendingCopy(): CaptureId | null;
  /** Path of the PNG that is open in the editor; null: it is not there. */
  picture(id: CaptureId): string | null;
  /** Path of the PNG that a page should copy to the clipboard, as edited; null: it no longer exists. */
  clipboardPicture(id: CaptureId): string | null;
}
