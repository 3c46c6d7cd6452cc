/**
 * Public interface of the clipboard feature: read the clipboard, add its content to the queue, or add an image that the
 * app provides.
 */

import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { CommandsOf } from '../command-types.ts';

export interface ClipboardApi extends CommandsOf<'intake'> {
  /**
   * Queues everything or nothing; an image is named after the current time. Errors: those of `intake.clipboard`,
   * `queue.add` and `note.add`.
   */
  addClipboard(): Promise<Result<readonly ItemId[]>>;
  /** Queues an image of the app, given as PNG. Errors: those of `queue.add`. */
  addPicture(png: Uint8Array, name: string): Promise<Result<readonly ItemId[]>>;
}
