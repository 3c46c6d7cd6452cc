/** Decodes images in the format PPM, in which ffmpeg and `grim` return screenshots. Pure. */

import type { Pixels } from '../ports.ts';

/** Parses a binary PPM with 8 bits per channel; null: not a PPM, or incomplete. */
export const readPpm = (picture: Buffer): Pixels | null => {
  const [header, wide, high] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(picture.toString('latin1', 0, 64)) ?? [];
  const [width, height] = [Number(wide), Number(high)];
  if (header === undefined || picture.length < header.length + width * height * 3) return null;
  const data = new Uint8Array(width * height * 4);
  for (let from = header.length, to = 0; to < data.length; from += 3, to += 4) {
    data[to] = picture[from] as number;
    data[to + 1] = picture[from + 1] as number;
    data[to + 2] = picture[from + 2] as number;
    data[to + 3] = 255;
  }
  return { width, height, data };
};
