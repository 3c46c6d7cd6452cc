/** What making an image fit the service costs: shown to a person before it is done, and kept with the item afterwards. */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/content.ts';
import { Failure } from '../../api/errors.ts';

/** A picture upright, as it is seen. */
export const ImageMetadata = Type.Object({
  /** `png`, `jpeg`, `webp` or `avif`; before, also what the service does not take, such as `heic` or `bmp`. */
  format: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** Pixels. */
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
});
export type ImageMetadata = Static<typeof ImageMetadata>;

/**
 * What is done to a picture. Nobody sees `metadata-removed` (place, camera, texts), `repacked` (the same pixels in fewer
 * bytes) and `converted` (another format). The others cost something: `scaled` (fewer pixels), `quality-reduced` (fine
 * differences are lost), `colours-reduced` (8 bits a channel, or CMYK no more), `first-page-only` (of several pages).
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

/** What was made of an image. */
export const MadeImage = Type.Object({ kind: Type.Literal('image'), ...Changed });
export type MadeImage = Static<typeof MadeImage>;

/** `change` is no estimate: it was tried. */
export const ImagePreview = Type.Union([
  Type.Object({ way: Type.Literal('pass'), before: ImageMetadata }),
  Type.Object({ way: Type.Literal('change'), ...Changed }),
  Type.Object({ way: Type.Literal('refuse'), before: Nullable(ImageMetadata), failure: Failure }),
]);
export type ImagePreview = Static<typeof ImagePreview>;
