/** What may be asked of the library. Many items at once are answered one by one, in the order asked. */

import type { Failure, Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/ipc.ts';
import type { ItemChange, Preset } from '../../ipc/protocol/link-settings.ts';
import type { LibraryItem } from '../../ipc/protocol/state.ts';
import type { MediaKind, MediaReply } from '../api-client/media-download.ts';

export interface ItemAnswer {
  readonly id: ItemId;
  /** As it is now; null when it is gone from the library, or was never in it. */
  readonly item: LibraryItem | null;
  /** Why nothing was done; null where it was. */
  readonly failure: Failure | null;
}

export type DeleteWhen = CommandInput<'library.delete'>['when'];

export interface LibraryApi {
  search(query: CommandInput<'library.search'>): CommandOutput<'library.search'>;
  /** By a link, the id in one, or the app's own id; null where this profile knows none. */
  findItem(link: string): LibraryItem | null;
  /** Reads the items from the service; one that it does not have any more is marked as gone. */
  refreshItems(ids: readonly ItemId[], signal: AbortSignal): Promise<ItemAnswer[]>;
  /**
   * Errors of each: PLAN_FEATURE_REQUIRED and TOO_MANY_TAGS before anything is changed, NOT_CONNECTED, ACCOUNT_MISMATCH,
   * those of the service.
   */
  updateItems(ids: readonly ItemId[], change: ItemChange, signal: AbortSignal): Promise<ItemAnswer[]>;
  /** `after-undo`: written down now, done UNDO_MS later or at the end of the app; `longer`: UNDO_MS from now, if at all. */
  deleteItems(ids: readonly ItemId[], when: DeleteWhen, signal: AbortSignal): Promise<ItemAnswer[]>;
  undeleteItems(ids: readonly ItemId[]): ItemAnswer[];
  forgetItems(ids: readonly ItemId[]): void;
  /** Takes over what the active account has published elsewhere. Errors: NOT_CONNECTED, those of the service. */
  syncLibrary(signal: AbortSignal): Promise<Result<CommandOutput<'library.sync'>>>;

  /**
   * The bytes of an item as they arrive. `range`: value of a Range header. Errors: NOT_CONNECTED, MEDIA_PROCESSING,
   * SHARE_UNAVAILABLE and others of the service, those of the network, CANCELLED.
   */
  media(id: ItemId, kind: MediaKind, range: string | null, signal: AbortSignal): Promise<Result<MediaReply>>;
  /** Of a shared folder, read from its archive. Errors: FOLDER_ARCHIVE_INVALID, those of `media`. */
  folderFiles(id: ItemId, signal: AbortSignal): Promise<Result<CommandOutput<'library.folder'>>>;
  /** Errors: NOT_FOUND where the folder has no such file, and those of `folderFiles`. */
  folderFile(id: ItemId, path: string, signal: AbortSignal): Promise<Result<CommandOutput<'library.folderFile'>>>;
  /** Up to today, the oldest day first. Errors: PLAN_FEATURE_REQUIRED before anything is sent, those of the service. */
  viewsOf(id: ItemId, days: number, signal: AbortSignal): Promise<Result<CommandOutput<'library.views'>>>;

  copyLink(input: CommandInput<'link.copy'>): Promise<Result<CommandOutput<'link.copy'>>>;
  formatLinks(input: CommandInput<'link.format'>): Promise<Result<CommandOutput<'link.format'>>>;
  openLink(id: ItemId): Promise<Result<void>>;

  savePreset(preset: CommandInput<'preset.save'>): Result<Preset>;
  removePreset(id: string): Result<void>;
  makeDefaultPreset(id: string | null): Result<void>;
}
