/**
 * Makes of a source what can be sent: a folder becomes an archive, a video or image that the service would refuse
 * becomes one that it takes. The source itself is only ever read. Each kind has its room.
 */
import type { Account } from '../contract/account.ts';
import { ok, type Result } from '../contract/errors.ts';
import type { Body } from '../contract/made.ts';
import type { QueueItemIn } from '../contract/queue-item.ts';
import { createFolderPrepare, type FolderPrepareDeps } from './folder/prepare.ts';

export interface PrepareContext {
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
) => Promise<Result<Body | null>>;

export type PrepareDeps = FolderPrepareDeps;

export const createPrepare = (deps: PrepareDeps): Prepare => {
  const folder = createFolderPrepare(deps);
  return (item, context, signal) =>
    item.job.kind === 'folder' ? folder(item, context, signal) : Promise.resolve(ok(null));
};
