/**
 * Makes of a source what can be sent: a folder becomes an archive, a video or image that the service would refuse
 * becomes one that it takes. The source itself is only ever read. Each kind has its room.
 */
import type { Account } from '../contract/account.ts';
import { ok, type Result } from '../contract/errors.ts';
import type { Body, MakingPreview } from '../contract/made.ts';
import type { FitChoice, QueueItemIn } from '../contract/queue-item.ts';
import type { Settings } from '../contract/settings.ts';
import { createFolderPrepare, type FolderPrepareDeps } from './folder/prepare.ts';
import { createImagePreparation } from './image/prepare.ts';
import { isImageAt } from './image/source.ts';
import type { Random } from './ports.ts';
import type { FindFfmpeg } from './video/find-ffmpeg.ts';
import type { VideoPreparation } from './video/prepare.ts';

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

/** What `prepare` would make of an image or a video; `fit` is of videos. Errors: as `prepare`. */
export type PreviewFit = (
  path: string,
  fit: FitChoice | null,
  account: Account,
  signal: AbortSignal,
) => Promise<Result<MakingPreview>>;

export interface PreparationDeps extends FolderPrepareDeps {
  readonly random: Random;
  readonly settings: () => Settings;
  readonly ffmpeg: FindFfmpeg;
  readonly video: VideoPreparation;
}

export const createPreparation = (
  deps: PreparationDeps,
): { readonly prepare: Prepare; readonly previewFit: PreviewFit } => {
  const { video } = deps;
  const folder = createFolderPrepare(deps);
  const image = createImagePreparation({
    ...deps,
    stripMetadata: () => deps.settings().stripMetadata,
    moving: video.prepare,
  });
  return {
    async prepare(item, context, signal) {
      if (item.job.kind === 'folder') return folder(item, context, signal);
      const isImage = await isImageAt(item.source.path);
      if (!isImage.ok) return isImage;
      return (isImage.value ? image : video).prepare(item, context, signal);
    },
    async previewFit(path, fit, account, signal) {
      const isImage = await isImageAt(path);
      if (!isImage.ok) return isImage;
      const seen = isImage.value ? await image.preview(path, account, signal) : null;
      if (seen) return ok({ kind: 'image', image: seen });
      const foreseen = await video.preview(path, fit, account, signal);
      return foreseen.ok ? ok({ kind: 'video', video: foreseen.value }) : foreseen;
    },
  };
};
