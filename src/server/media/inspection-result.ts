/** What an inspection of a media file finds: facts for the item, or a refusal that says why. Plain data: it crosses processes. */
import type { VideoLimits } from '../../api/account.ts';
import type { MediaKind } from '../../api/media-kind.ts';
import type { VideoProblem } from '../../common/video/validate-video.ts';
import type { SealedFile } from '../storage/sealed-file.ts';

/** Facts of an item; fields as in the Content record. Pixels are as shown: rotation is applied. */
export interface MediaMetadata {
  readonly width: number;
  readonly height: number;
  /** Null for images. */
  readonly durationMs: number | null;
  readonly videoCodec: string | null;
  readonly hasAudio: boolean;
}

export type Inspection =
  | { readonly ok: true; readonly facts: MediaMetadata }
  | {
      readonly ok: false;
      readonly code: 'UPLOAD_FORMAT_UNSUPPORTED' | 'VIDEO_NOT_SUITABLE' | 'UPLOAD_SERVER_BUSY';
      readonly detail: string;
      readonly params?: { readonly problems: readonly VideoProblem[] };
    };

/** What becomes of the wish for a preview. */
export type Preview =
  /** A WebP of at most `PREVIEW_SIDE` pixels on its longer side. */
  | { readonly kind: 'made'; readonly bytes: Uint8Array }
  /** It takes too much, or the server has no program for it. The item is fine without. */
  | { readonly kind: 'none' }
  /** There is no picture in it that could be shown. `reason` is a sentence for the owner. */
  | { readonly kind: 'damaged'; readonly reason: string }
  /** The server stops; it may be tried again. */
  | { readonly kind: 'later' };

/** Pixels of a preview's longer side; a smaller picture keeps its size. */
export const PREVIEW_SIDE = 640;
export const PREVIEW_MIME = 'image/webp';

export interface InspectionTask {
  readonly job: 'inspect';
  readonly file: SealedFile;
  readonly kind: MediaKind;
  /** Width x height that an image may have at most. */
  readonly maxPixels: number;
  /** Scans x megapixels that a JPEG may have at most. */
  readonly scanMegapixels: number;
  readonly video: VideoLimits;
}

export interface PreviewTask {
  readonly job: 'preview';
  readonly file: SealedFile;
  readonly kind: MediaKind;
  readonly ffmpeg: string;
  /** Processor time for decoding the frames. */
  readonly posterSeconds: number;
}

/** What the child process is asked. */
export type ChildTask = InspectionTask | PreviewTask;

export const unsupported = (detail: string): Inspection => ({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED', detail });
