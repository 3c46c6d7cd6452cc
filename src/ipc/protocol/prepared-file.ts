/**
 * Schemas of the file that the app sends instead of a source (a packed folder, a converted video or picture), its
 * summary for the user, and the preview of a conversion. The parts that are specific to videos and images are in
 * `video-conversion.ts` and `image-conversion.ts`. Sizes in bytes.
 */
import Type, { type Static } from 'typebox';
import { FolderSummary } from '../../common/folder/folder-preview.ts';
import { ImagePreview, MadeImage } from './image-conversion.ts';
import { FitPreview, MadeVideo } from './video-conversion.ts';

/** A folder's archive: what it contains and what was excluded, decided here before anything was sent. */
const MadeFolder = Type.Object({ kind: Type.Literal('folder'), selection: FolderSummary });

export const PreparedSummary = Type.Union([MadeVideo, MadeImage, MadeFolder]);
export type PreparedSummary = Static<typeof PreparedSummary>;

/** What would be made of a file. An animated picture that the service does not accept as an image is a video. */
export const ConversionPreview = Type.Union([
  Type.Object({ kind: Type.Literal('video'), video: FitPreview }),
  Type.Object({ kind: Type.Literal('image'), image: ImagePreview }),
]);
export type ConversionPreview = Static<typeof ConversionPreview>;

/** The file sent instead of the source: it is in the spool, belongs to its item and is removed with it. */
export const PreparedFile = Type.Object({
  path: Type.String({ minLength: 1 }),
  /** The file name for the service, with the extension of the new format. */
  name: Type.String({ minLength: 1 }),
  size: Type.Integer({ minimum: 0 }),
  made: PreparedSummary,
});
export type PreparedFile = Static<typeof PreparedFile>;
