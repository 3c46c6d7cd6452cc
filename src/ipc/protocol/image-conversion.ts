/**
 * Schemas of how an image is converted before the upload, to fit the service's limits or to remove metadata: the
 * preview that the user sees in advance, and the changes that are kept with the item afterwards.
 */
import Type, { type Static } from 'typebox';
import { Failure } from '../../api/errors.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';

/** A picture in its displayed orientation. */
export const ImageMetadata = Type.Object({
  /**
   * `png`, `jpeg`, `webp` or `avif`; before the conversion also formats that the service refuses, such as `heic` or
   * `bmp`.
   */
  format: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** In pixels. */
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
});
export type ImageMetadata = Static<typeof ImageMetadata>;

/**
 * Changes to a picture. Invisible: `metadata-removed` (location, camera, texts), `repacked` (the same pixels in fewer
 * bytes) and `converted` (another format). Lossy: `scaled` (fewer pixels), `quality-reduced` (fine differences are
 * lost), `colours-reduced` (8 bits a channel, or from CMYK), `first-page-only` (of several pages).
 */
export const ImageChange = literals(
  ...(['metadata-removed', 'repacked', 'converted'] as const),
  ...(['scaled', 'quality-reduced', 'colours-reduced', 'first-page-only'] as const),
);
export type ImageChange = Static<typeof ImageChange>;

const Changed = {
  before: ImageMetadata,
  after: ImageMetadata,
  done: Type.Array(ImageChange, { minItems: 1 }),
} as const;

/** The result of converting an image. */
export const MadeImage = Type.Object({ kind: Type.Literal('image'), ...Changed });
export type MadeImage = Static<typeof MadeImage>;

/** `change` is not an estimate: the conversion was tried. */
export const ImagePreview = Type.Union([
  Type.Object({ way: Type.Literal('pass'), before: ImageMetadata }),
  Type.Object({ way: Type.Literal('change'), ...Changed }),
  Type.Object({ way: Type.Literal('refuse'), before: Nullable(ImageMetadata), failure: Failure }),
]);
export type ImagePreview = Static<typeof ImagePreview>;
