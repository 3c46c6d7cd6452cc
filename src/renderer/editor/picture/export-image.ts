/**
 * Renders the edited image at full resolution as PNG. Pixels that neither a mark nor the backdrop covers equal those of
 * the capture.
 */
import { layBackdrop } from '../../drawing/backdrop-layout.ts';
import { type Document, frameOf, stepNumber } from '../../drawing/document.ts';
import type { Size } from '../../drawing/mark.ts';
import { readerOf } from './original-image.ts';
import { paintOnBackdrop } from './paint-backdrop.ts';
import { paintMark } from './paint-marks.ts';
import { coversOf, paintCover } from './redaction.ts';

/** Rendered in software, so that every machine produces the same pixels. */
const openCanvas = ({ width, height }: Size): readonly [OffscreenCanvas, OffscreenCanvasRenderingContext2D] => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error(`There is no canvas of ${width} x ${height}.`);
  context.imageSmoothingEnabled = false;
  return [canvas, context];
};

/** The frame with all marks, without its backdrop. Throws if there is not enough memory. */
export const renderFrame = (original: ImageBitmap, document: Document): OffscreenCanvas => {
  const { x, y, width, height } = frameOf(document);
  const [canvas, context] = openCanvas({ width, height });
  context.drawImage(original, x, y, width, height, 0, 0, width, height);
  context.translate(-x, -y);
  for (const cover of coversOf(document, readerOf(original))) paintCover(context, cover);
  for (const mark of document.marks) paintMark(context, mark, stepNumber(document, mark.id));
  return canvas;
};

const renderOnBackdrop = (frame: OffscreenCanvas, { backdrop }: Document): OffscreenCanvas => {
  if (backdrop === undefined) return frame;
  const [canvas, context] = openCanvas(layBackdrop(backdrop, frame).size);
  paintOnBackdrop(context, frame, backdrop);
  return canvas;
};

/** The PNG of the frame on its backdrop, without metadata. Throws if there is not enough memory. */
export const exportPicture = async (original: ImageBitmap, document: Document): Promise<Blob> => {
  const canvas = renderOnBackdrop(renderFrame(original, document), document);
  const png = await canvas.convertToBlob({ type: 'image/png' });
  // A browser returns another type or an empty blob when encoding fails.
  if (png.type !== 'image/png' || png.size === 0) throw new Error('The picture could not be written as PNG.');
  return png;
};
