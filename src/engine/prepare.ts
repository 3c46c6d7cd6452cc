/**
 * Makes of a source what can be sent: a folder becomes an archive, a video or image that the service would refuse
 * becomes one that it takes. The source itself is only ever read. Each kind has its room.
 */
import type { Account } from '../contract/account.ts';
import type { Result } from '../contract/errors.ts';
import type { Body } from '../contract/made.ts';
import type { QueueItemIn } from '../contract/queue-item.ts';
import type { Settings } from '../contract/settings.ts';
import { createFolderPrepare, type FolderPrepareDeps } from './folder/prepare.ts';
import { createImagePreparation } from './image/prepare.ts';
import { isImageAt } from './image/source.ts';
import type { Random } from './ports.ts';
import type { FindFfmpeg } from './video/find-ffmpeg.ts';

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

export interface PrepareDeps extends FolderPrepareDeps {
  readonly random: Random;
  readonly settings: () => Settings;
  readonly ffmpeg: FindFfmpeg;
  readonly video: Prepare;
}

export const createPrepare = (deps: PrepareDeps): Prepare => {
  const folder = createFolderPrepare(deps);
  const image = createImagePreparation({
    ...deps,
    stripMetadata: () => deps.settings().stripMetadata,
    moving: deps.video,
  });
  return async (item, context, signal) => {
    if (item.job.kind === 'folder') return folder(item, context, signal);
    const isImage = await isImageAt(item.source.path);
    if (!isImage.ok) return isImage;
    return (isImage.value ? image.prepare : deps.video)(item, context, signal);
  };
};
