/**
 * Describes in one line the file that is sent instead of the source, such as a converted video: before and after, and
 * what a viewer will miss. Also describes the preview of a conversion.
 */

import { unreachable } from '../../api/errors.ts';
import type { ImageChange, ImageMetadata } from '../../ipc/protocol/image-conversion.ts';
import type { ConversionPreview, PreparedSummary } from '../../ipc/protocol/prepared-file.ts';
import type { FitLoss, VideoSummary } from '../../ipc/protocol/video-conversion.ts';
import { errorMessageOf } from '../error-messages.ts';
import { formatBytes, formatCount, formatDuration } from './format.ts';

const LOSSES: Readonly<Record<FitLoss, string>> = {
  sound: 'without sound',
  'sound-tracks': 'with one audio track',
  extras: 'without subtitles and data',
  'dynamic-range': 'HDR converted to SDR',
  end: 'without its damaged end',
  rest: 'only its beginning',
};

/** Only changes that are visible or that users should know. */
const CHANGES: Readonly<Partial<Record<ImageChange, string>>> = {
  'metadata-removed': 'location and camera data removed',
  scaled: 'smaller',
  'quality-reduced': 'lower quality',
  'colours-reduced': 'fewer colours',
  'first-page-only': 'only its first page',
};

/** Such as 1080p60 45 MiB. */
const formatVideo = ({ width, height, fps, size }: VideoSummary): string =>
  `${Math.min(width, height)}p${Math.round(fps)} ${formatBytes(size)}`;

const formatImage = ({ format, width, height, bytes }: ImageMetadata): string =>
  `${format.toUpperCase()} ${width}x${height} ${formatBytes(bytes)}`;

const withNotes = (text: string, notes: readonly string[]): string => [text, ...notes].join('; ');

export const formatPrepared = (made: PreparedSummary): string => {
  switch (made.kind) {
    case 'video': {
      const losses = made.losses.map((loss) => LOSSES[loss]);
      return withNotes(`${formatVideo(made.before)} -> ${formatVideo(made.after)}`, losses);
    }
    case 'image': {
      const changes = made.done.flatMap((change) => CHANGES[change] ?? []);
      return withNotes(`${formatImage(made.before)} -> ${formatImage(made.after)}`, changes);
    }
    case 'folder': {
      const { files, skippedFiles } = made.selection;
      const out = skippedFiles > 0 ? [`${formatCount(skippedFiles, 'file')} excluded`] : [];
      return withNotes(formatCount(files, 'file'), out);
    }
    default:
      return unreachable(made);
  }
};

/** The result of preparing a file; in a preview, the numbers after it are estimates. */
export const formatPreview = (preview: ConversionPreview): string => {
  if (preview.kind === 'image') {
    const { image } = preview;
    switch (image.way) {
      case 'pass':
        return `${formatImage(image.before)}, unchanged`;
      case 'change':
        return formatPrepared({ kind: 'image', ...image });
      case 'refuse':
        return errorMessageOf(image.failure, 'nothing');
      default:
        return unreachable(image);
    }
  }
  const { video } = preview;
  switch (video.way) {
    case 'pass':
      return `${formatVideo(video.before)}, unchanged`;
    case 'refuse':
      return errorMessageOf(video.failure, 'nothing');
    default:
      return `${formatPrepared({ kind: 'video', ...video })}; about ${formatDuration(video.secondsNeeded)}`;
  }
};

/** Whether it could not be sent at all. */
export const isRefused = (preview: ConversionPreview): boolean =>
  preview.kind === 'image' ? preview.image.way === 'refuse' : preview.video.way === 'refuse';
