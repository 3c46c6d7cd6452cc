/**
 * Dispatches the preparation of an item for upload, and the preview of it for videos and images. Folders are packed;
 * videos and images are fitted to the account's limits. A location in a video is always removed, the metadata of an
 * image only if the settings say so. The source itself is only read.
 */

import { ok } from '../api/errors.ts';
import { syncFolder } from '../base/node/sync-to-disk.ts';
import type { Settings } from '../ipc/protocol/settings.ts';
import { createFolderPrepare, type FolderPrepareDeps } from './folder/prepare-folder.ts';
import { isImageAt } from './image/image-file.ts';
import { isPlainPng } from './image/is-plain-png.ts';
import { createImagePreparation } from './image/prepare-image.ts';
import type { Random } from './ports.ts';
import type { Prepare, PreviewFit } from './upload/preparation-types.ts';
import type { OpenSourceAt } from './upload/upload-source.ts';
import type { FindFfmpeg } from './video/ffmpeg.ts';
import type { VideoPreparation } from './video/prepare-video.ts';

export interface PreparationDeps extends FolderPrepareDeps {
  readonly random: Random;
  readonly settings: () => Settings;
  readonly ffmpeg: FindFfmpeg;
  readonly video: VideoPreparation;
  readonly openSource: OpenSourceAt;
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

  const byKind: Prepare = async (item, context, signal) => {
    if (item.job.kind === 'folder') return folder(item, context, signal);
    const { path } = item.source;
    if (item.origin === 'capture' && (await isPlainPng(path, context.account.limits.maxImageBytes))) return ok(null);
    const isImage = await isImageAt(path, deps.openSource);
    if (!isImage.ok) return isImage;
    return (isImage.value ? image : video).prepare(item, context, signal);
  };

  return {
    async prepare(item, context, signal) {
      const prepared = await byKind(item, context, signal);
      // Its bytes are synced, but without its name the row would have no body after a power cut.
      if (prepared.ok && prepared.value) await syncFolder(deps.spoolDir);
      return prepared;
    },
    async previewFit(path, fit, account, signal) {
      const isImage = await isImageAt(path, deps.openSource);
      if (!isImage.ok) return isImage;
      const imagePreview = isImage.value ? await image.preview(path, account, signal) : null;
      if (imagePreview) return ok({ kind: 'image', image: imagePreview });
      const videoPreview = await video.preview(path, fit, account, signal);
      return videoPreview.ok ? ok({ kind: 'video', video: videoPreview.value }) : videoPreview;
    },
  };
};
