/**
 * Loads the captured image from the host, checks whether browsers can edit an image of its size, and reads its pixels.
 * The image is never modified.
 */
import type { Size } from '../../drawing/mark.ts';
import type { ReadPixels } from './redaction.ts';

/** Canvas size that every browser supports; larger canvases silently stay empty. */
const MOST_SIDE = 32_767;
const MOST_PIXELS = 2 ** 27;

export const isEditable = ({ width, height }: Size): boolean =>
  width <= MOST_SIDE && height <= MOST_SIDE && width * height <= MOST_PIXELS;

/** Null: it cannot be loaded, or is too large for this machine. Colours are not converted. */
export const loadOriginal = async (url: string, signal: AbortSignal): Promise<ImageBitmap | null> => {
  try {
    const reply = await fetch(url, { signal });
    if (!reply.ok) return null;
    return await createImageBitmap(await reply.blob(), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  } catch {
    return null;
  }
};

/** Reads small areas through a canvas no larger than each of them. */
export const readerOf = (original: ImageBitmap): ReadPixels => {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  return ({ x, y, width, height }) => {
    canvas.width = width;
    canvas.height = height;
    context.drawImage(original, x, y, width, height, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
};
