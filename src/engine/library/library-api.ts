/**
 * Library commands that the engine offers to hosts. Commands on several items answer for each one, in the requested
 * order.
 */

import type { Failure, Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/ipc.ts';
import type { ItemChange, Preset } from '../../ipc/protocol/link-settings.ts';
import type { LibraryItem } from '../../ipc/protocol/state.ts';
import type { MediaKind, MediaReply } from '../api-client/media-download.ts';

export interface ItemAnswer {
  readonly id: ItemId;
  /** The current item; null when it is not in the library. */
  readonly item: LibraryItem | null;
  /** Why the command failed for this item; null: it succeeded. */
  readonly failure: Failure | null;
}

export type DeleteWhen = CommandInput<'library.delete'>['when'];

export interface LibraryApi {
  search(query: CommandInput<'library.search'>): CommandOutput<'library.search'>;
  /** Finds an item by its link, the id in the link, or the app's own id; null: unknown in this profile. */
  findItem(link: string): LibraryItem | null;
  /** Reads the items from the service; missing ones are marked as gone. */
  refreshItems(ids: readonly ItemId[], signal: AbortSignal): Promise<ItemAnswer[]>;
  /**
   * Errors of each: PLAN_FEATURE_REQUIRED and TOO_MANY_TAGS before anything is changed, NOT_CONNECTED,
   * ACCOUNT_MISMATCH, those of the service.
   */
  updateItems(ids: readonly ItemId[], change: ItemChange, signal: AbortSignal): Promise<ItemAnswer[]>;
  /**
   * `after-undo`: persisted now, executed after UNDO_MS or when the app quits; `longer`: extends a pending deletion to
   * UNDO_MS from now.
   */
  deleteItems(ids: readonly ItemId[], when: DeleteWhen, signal: AbortSignal): Promise<ItemAnswer[]>;
  undeleteItems(ids: readonly ItemId[]): ItemAnswer[];
  forgetItems(ids: readonly ItemId[]): void;
  /** Imports what the active account has published elsewhere. Errors: NOT_CONNECTED, those of the service. */
  syncLibrary(signal: AbortSignal): Promise<Result<CommandOutput<'library.sync'>>>;

  /**
   * Streams the bytes of an item. `range`: value of a Range header. Errors: NOT_CONNECTED, MEDIA_PROCESSING,
   * SHARE_UNAVAILABLE and others of the service, those of the network, CANCELLED.
   */
  media(id: ItemId, kind: MediaKind, range: string | null, signal: AbortSignal): Promise<Result<MediaReply>>;
  /** Lists a shared folder, read from its archive. Errors: FOLDER_ARCHIVE_INVALID, those of `media`. */
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
