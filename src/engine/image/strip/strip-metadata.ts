/** The functions that strip the metadata of an image without changing pixels, one for each accepted format. */
import { stripAvif } from './avif.ts';
import { stripJpeg } from './jpeg.ts';
import { stripPng } from './png.ts';
import type { Stripped } from './stripped-file.ts';
import { stripWebp } from './webp.ts';

export const STRIPPERS: Readonly<Record<'png' | 'jpeg' | 'webp' | 'avif', (file: Buffer) => Stripped | null>> = {
  png: stripPng,
  jpeg: stripJpeg,
  webp: stripWebp,
  avif: stripAvif,
};
