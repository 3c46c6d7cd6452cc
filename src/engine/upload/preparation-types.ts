/**
 * Types of the functions that prepare an item before its upload. `Prepare` packs a folder, or converts an image or
 * video to fit the account's limits, to remove private metadata or as the user chose. `PreviewFit` shows in advance
 * what `Prepare` would make of an image or video.
 */

import type { Account } from '../../api/account.ts';
import type { Result } from '../../api/errors.ts';
import type { ConversionPreview, PreparedFile } from '../../ipc/protocol/prepared-file.ts';
import type { FitChoice, QueueItemIn } from '../../ipc/protocol/queue-item.ts';

interface PrepareContext {
  readonly account: Account;
  /** Progress from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Resolves to the prepared body, or null where the source can be sent unchanged. A body is in the spool under the
 * item's id and gets its final name only when complete, so a crash leaves at most an unfinished file. Running it again
 * starts over. Errors: why the source is refused, worded for users; DISK_FULL; CANCELLED.
 */
export type Prepare = (
  item: QueueItemIn<'queued'>,
  context: PrepareContext,
  signal: AbortSignal,
) => Promise<Result<PreparedFile | null>>;

/** Previews the result of `prepare` for an image or a video; `fit` applies to videos. Errors: as `prepare`. */
export type PreviewFit = (
  path: string,
  fit: FitChoice | null,
  account: Account,
  signal: AbortSignal,
) => Promise<Result<ConversionPreview>>;
