/**
 * Formats in one line how an item was prepared for its upload: "1080p60 45 MB → 720p30 22 MB; lost: subtitles" for a
 * converted video, format and size before and after for a picture (or that only its metadata was removed), or the
 * number of included and excluded files of a folder.
 */

import type { ImageMetadata } from '../../../../ipc/protocol/image-conversion.ts';
import type { PreparedSummary } from '../../../../ipc/protocol/prepared-file.ts';
import type { VideoSummary } from '../../../../ipc/protocol/video-conversion.ts';
import type { Format } from '../../../locales/format.ts';
import type { Locale } from '../../../locales/locale.tsx';

const formatVideo = ({ width, height, fps, size }: VideoSummary, format: Format): string =>
  `${Math.min(width, height)}p${Math.round(fps)} ${format.bytes(size)}`;

const formatImage = ({ format: kind, bytes }: ImageMetadata, format: Format): string =>
  `${kind.toUpperCase()} ${format.bytes(bytes)}`;

export const preparedSummary = (made: PreparedSummary, { t, format }: Pick<Locale, 't' | 'format'>): string => {
  switch (made.kind) {
    case 'video': {
      const converted = `${formatVideo(made.before, format)} → ${formatVideo(made.after, format)}`;
      const losses = made.losses.map((loss) => t.fit.losses[loss]);
      return losses.length === 0 ? converted : `${converted}; ${t.queue.madeWithout(format.list(losses))}`;
    }
    case 'image':
      // The change is invisible, so no numbers are needed.
      return made.done.every((change) => change === 'metadata-removed')
        ? t.queue.madePrivate
        : `${formatImage(made.before, format)} → ${formatImage(made.after, format)}`;
    case 'folder': {
      const { files, skippedFiles, uncountedFolders } = made.selection;
      return t.queue.madeFolder(files, skippedFiles, uncountedFolders);
    }
  }
};
