/** Renders the edited image at full resolution. Pixels that no mark touches equal those of the capture. */
import { type Document, frameOf, stepNumber } from '../../drawing/document.ts';
import { readerOf } from './original-image.ts';
import { paintMark } from './paint.ts';
import { coversOf, paintCover } from './redaction.ts';

/** The PNG of the frame, without metadata. Throws if there is not enough memory. */
export const exportPicture = async (original: ImageBitmap, document: Document): Promise<Blob> => {
  const { x, y, width, height } = frameOf(document);
  const canvas = new OffscreenCanvas(width, height);
  // Rendered in software, so that every machine produces the same pixels.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error(`There is no canvas of ${width} x ${height}.`);
  context.imageSmoothingEnabled = false;
  context.drawImage(original, x, y, width, height, 0, 0, width, height);
  context.translate(-x, -y);
  for (const cover of coversOf(document, readerOf(original))) paintCover(context, cover);
  for (const mark of document.marks) paintMark(context, mark, stepNumber(document, mark.id));
  const png = await canvas.convertToBlob({ type: 'image/png' });
  // A browser returns another type or an empty blob when encoding fails.
  if (png.type !== 'image/png' || png.size === 0) throw new Error('The picture could not be written as PNG.');
  return png;
};
