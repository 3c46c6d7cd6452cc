/** What every room of preparation promises to the queue, whatever it prepares. */

import type { Account } from '../../api/account.ts';
import type { Result } from '../../api/errors.ts';
import type { MakingPreview, PreparedBody } from '../../ipc/protocol/prepared-body.ts';
import type { FitChoice, QueueItemIn } from '../../ipc/protocol/queue-item.ts';

interface PrepareContext {
  readonly account: Account;
  /** How much is done, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Answers what is to be sent, or null where the source fits as it is. A body lies in the spool under the item's id; it
 * has its name only once it is whole, so that a crash leaves nothing but an unfinished file. Running it again begins
 * anew. Errors: what the source is refused for, in words for a person; DISK_FULL; CANCELLED.
 */
export type Prepare = (
  item: QueueItemIn<'queued'>,
  context: PrepareContext,
  signal: AbortSignal,
) => Promise<Result<PreparedBody | null>>;

/** What `prepare` would make of an image or a video; `fit` is of videos. Errors: as `prepare`. */
export type PreviewFit = (
  path: string,
  fit: FitChoice | null,
  account: Account,
  signal: AbortSignal,
) => Promise<Result<MakingPreview>>;
