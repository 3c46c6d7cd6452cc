/**
 * Messages between the server and the child process that opens untrusted files: tasks (inspect a media file, make a
 * preview) and their results, all of them plain data. Also the size and the format of previews, and the error for an
 * unsupported file.
 */
import type { VideoLimits } from '../../api/account.ts';
import type { MediaKind } from '../../api/detect-media-kind.ts';
import type { VideoProblem } from '../../common/video/validate-video.ts';
import type { MediaMetadata } from '../content/publish-item.ts';
import type { SealedFile } from '../storage/sealed-reader.ts';

export type Inspection =
  | { readonly ok: true; readonly metadata: MediaMetadata }
  | {
      readonly ok: false;
      readonly code: 'UPLOAD_FORMAT_UNSUPPORTED' | 'VIDEO_NOT_SUITABLE' | 'UPLOAD_SERVER_BUSY';
      readonly detail: string;
      readonly params?: { readonly problems: readonly VideoProblem[] };
    };

/** The result of making a preview. */
export type Preview =
  /** A WebP, or what `PreviewTask.format` says, of at most `PREVIEW_SIDE` pixels on its longer side. */
  | { readonly kind: 'made'; readonly bytes: Uint8Array }
  /** It takes too much, or the server lacks the program. The item works without. */
  | { readonly kind: 'none' }
  /** It contains no picture to show. `reason` is a sentence for the owner. */
  | { readonly kind: 'damaged'; readonly reason: string }
  /** The server is stopping; retry later. */
  | { readonly kind: 'later' };

/** Maximum pixels of a preview's longer side; a smaller picture keeps its size. */
export const PREVIEW_SIDE = 640;
export const PREVIEW_MIME = 'image/webp';

/** Pixels of the preview of a picture or video of this size. */
export const previewSize = (width: number, height: number): { readonly width: number; readonly height: number } => {
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/** Of a JPEG. */
export interface ScanLimits {
  /** Allowed for any number of pixels. */
  readonly always: number;
  /** Maximum scans x megapixels of more. */
  readonly megapixels: number;
}

export interface InspectionTask {
  readonly job: 'inspect';
  readonly file: SealedFile;
  readonly kind: MediaKind;
  /** Maximum width x height of an image. */
  readonly maxPixels: number;
  readonly scans: ScanLimits;
  readonly video: VideoLimits;
}

export interface PreviewTask {
  readonly job: 'preview';
  readonly file: SealedFile;
  readonly kind: MediaKind;
  /** JPEG, on white: for chats, some of which show no WebP. */
  readonly format: 'webp' | 'jpeg';
  readonly ffmpeg: string;
  /** Processor time for decoding the frames. */
  readonly posterSeconds: number;
}

/** The input of the child process. */
export type ChildTask = InspectionTask | PreviewTask;

export const unsupported = (detail: string): Inspection => ({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED', detail });
