/** Makes the edited picture at full resolution. Promise: a pixel that no mark touches is the pixel that was taken. */
import { type Document, frameOf, stepNumber } from '../document.ts';
import { paintMark } from '../marks/paint.ts';
import { readerOf } from './original-image.ts';
import { coversOf, paintCover } from './redaction.ts';

/** The PNG of the frame; it holds the pixels as they are seen and nothing else. Throws where there is no memory for it. */
export const exportPicture = async (original: ImageBitmap, document: Document): Promise<Blob> => {
  const { x, y, width, height } = frameOf(document);
  const canvas = new OffscreenCanvas(width, height);
  // Painted by the processor, not the graphics card: every machine makes the same pixels.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error(`There is no canvas of ${width} x ${height}.`);
  context.imageSmoothingEnabled = false;
  context.drawImage(original, x, y, width, height, 0, 0, width, height);
  context.translate(-x, -y);
  for (const cover of coversOf(document, readerOf(original))) paintCover(context, cover);
  for (const mark of document.marks) paintMark(context, mark, stepNumber(document, mark.id));
  const png = await canvas.convertToBlob({ type: 'image/png' });
  // A browser answers another type, or nothing, where it could not.
  if (png.type !== 'image/png' || png.size === 0) throw new Error('The picture could not be written as PNG.');
  return png;
};
