/**
 * Loads the image library sharp for untrusted files, on first use or in advance. The library decodes only the formats
 * of `LOADERS` (no SVG, which may contain scripts and links) and has no cache.
 */
import type { Sharp, SharpOptions } from 'sharp';

const LOADERS = ['Png', 'Jpeg', 'Webp', 'Heif', 'Tiff', 'Nsgif'];

export type Decode = (input: string | Buffer | Uint8Array | Uint16Array, options?: SharpOptions) => Sharp;

let decoder: Promise<Decode> | undefined;

const load = async (): Promise<Decode> => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: LOADERS.flatMap((name) => [`VipsForeignLoad${name}File`, `VipsForeignLoad${name}Buffer`]),
  });
  return (input, options) => sharp(input, options);
};

export const openDecoder = (): Promise<Decode> => {
  decoder ??= load();
  return decoder;
};

/** A picture of one pixel: decoding it also loads the PNG decoder. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** Loads the library and decodes one pixel with it. */
export const warmDecoder = async (): Promise<void> => {
  const decode = await openDecoder();
  await decode(Buffer.from(PIXEL, 'base64')).stats();
};
