/**
 * What the app made of a source before sending it: the facts that a person is shown, before and after. Each kind is
 * written by the room of the engine that makes it. Sizes in bytes.
 */
import Type, { type Static } from 'typebox';
import { FolderAccount } from '../../common/folder/preview.ts';
import { FitPreview, MadeVideo } from './fit.ts';
import { ImagePreview, MadeImage } from './image-fit.ts';

/** A folder's archive: what went into it and what stayed out, judged here before anything was sent. */
const MadeFolder = Type.Object({ kind: Type.Literal('folder'), selection: FolderAccount });

export const PreparedSummary = Type.Union([MadeVideo, MadeImage, MadeFolder]);
export type PreparedSummary = Static<typeof PreparedSummary>;

/** What would be made of a file, before it is. A picture that moves and is no image to the service is a video. */
export const MakingPreview = Type.Union([
  Type.Object({ kind: Type.Literal('video'), video: FitPreview }),
  Type.Object({ kind: Type.Literal('image'), image: ImagePreview }),
]);
export type MakingPreview = Static<typeof MakingPreview>;

/** What is sent in place of the source: a file in the spool that belongs to its item and goes with it. */
export const PreparedBody = Type.Object({
  path: Type.String({ minLength: 1 }),
  /** The file name that the service is told, with the ending of what it is now. */
  name: Type.String({ minLength: 1 }),
  size: Type.Integer({ minimum: 0 }),
  made: PreparedSummary,
});
export type PreparedBody = Static<typeof PreparedBody>;
