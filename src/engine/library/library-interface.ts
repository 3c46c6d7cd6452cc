/**
 * Public interface of the library feature: the commands on published items, their media and their thumbnails. Refresh,
 * update, delete and undelete return a result for each item, in the requested order.
 */

import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/command-table.ts';
import type { MediaKind, MediaReply } from '../api-client/media-download.ts';
import type { CommandsOf } from '../command-types.ts';

/** The reply for one item. */
export type ItemAnswer = CommandOutput<'library.update'>['answers'][number];

export type DeleteWhen = CommandInput<'library.delete'>['when'];

export interface LibraryApi extends CommandsOf<'library'> {
  /**
   * Streams the bytes of an item. `range`: value of a Range header. Errors: COMMAND_INVALID for an unknown item, those
   * of its connection such as NOT_CONNECTED, those of the service such as MEDIA_PROCESSING and SHARE_UNAVAILABLE, those
   * of the network, CANCELLED.
   */
  media(id: ItemId, kind: MediaKind, range: string | null, signal: AbortSignal): Promise<Result<MediaReply>>;
  /** Path of the item's thumbnail (WebP; 320 px, or the service's preview of 640 px, at most); null: none (yet). */
  thumbnail(id: ItemId): string | null;
}
