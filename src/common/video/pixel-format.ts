/** Derives ffprobe's pixel format names (`yuv420p`, `yuvj420p`, `yuv420p10le`, ...) from codec headers. */
import type { H264Pictures } from './h264.ts';

const CHROMA = ['gray', 'yuv420p', 'yuv422p', 'yuv444p'] as const;

const named = (chroma: number, bitDepth: number): string => {
  const base = CHROMA[chroma] ?? 'unknown';
  return bitDepth === 8 ? base : `${base}${bitDepth}le`;
};

/** RGB, and full-range H.264 of 8 bits, have names of their own; grey pictures decode to 4:2:0. */
export const h264PixelFormat = ({ chroma, bitDepth, fullRange, rgb }: H264Pictures): string => {
  const name = named(Math.max(1, chroma), bitDepth);
  if (rgb && chroma === 3) return name.replace('yuv444p', 'gbrp');
  return fullRange && bitDepth === 8 ? name.replace('yuv', 'yuvj') : name;
};

/** From the codec string of VP9 (`vp09.profile.level.depth.chroma...`; omitted fields have their defaults). */
export const vp9PixelFormat = (codec: string): string => {
  const [, profile = '00', , depth = '08', chroma] = codec.split('.');
  // Profiles 0 and 2 are always 4:2:0; chroma 0 and 1 differ only in sample position.
  if (profile === '00' || profile === '02') return named(1, Number(depth));
  return named(chroma === '02' ? 2 : chroma === '03' ? 3 : 1, Number(depth));
};

/** From the codec string of AV1 (`av01.profile.level.depth.monochrome.chroma...`). */
export const av1PixelFormat = (codec: string): string => {
  const [, , , depth = '08', monochrome = '0', chroma = '110'] = codec.split('.');
  if (monochrome === '1') return named(0, Number(depth));
  return named(chroma.startsWith('00') ? 3 : chroma.startsWith('10') ? 2 : 1, Number(depth));
};
