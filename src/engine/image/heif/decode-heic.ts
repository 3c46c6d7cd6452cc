/**
 * Decodes a HEIC photo to a PNG. The HEVC tiles are extracted here and decoded with ffmpeg, because older versions of
 * ffmpeg cannot open the container and the image library has no HEVC decoder.
 */
import { writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { ok, type Result } from '../../../api/errors.ts';
import { readFile, rename, rm } from '../../../base/node/retrying-fs.ts';
import { UNFINISHED } from '../../spool-file-endings.ts';
import type { Ffmpeg } from '../../video/ffmpeg.ts';
import { toPng, unreadable } from '../ffmpeg-decode.ts';
import { type Heic, readHeic } from './heic-layout.ts';

/** `coefficients` of YCbCr by their number in ISO 23091-2. */
const MATRICES: Readonly<Record<number, string>> = { 1: 'bt709', 5: 'bt601', 6: 'bt601', 9: 'bt2020', 10: 'bt2020' };
const PIXELS_MAX = 100e6;

/** Errors: IMAGE_UNREADABLE, DISK_FULL, CANCELLED. */
export const decodeHeic = async (
  ffmpeg: Ffmpeg | null,
  { content, target }: { readonly content: Buffer; readonly target: string },
  signal: AbortSignal,
): Promise<Result<{ readonly hasMetadata: boolean }>> => {
  const heic = readHeic(content);
  if (!heic || (heic.crop && heic.crop.width * heic.crop.height > PIXELS_MAX)) return unreadable();
  const stream = `${target}.hevc${UNFINISHED}`;
  try {
    await writeFile(stream, heic.tiles, { mode: 0o600 });
    const decoded = await toPng(
      ffmpeg,
      ['-f', 'hevc', '-i', `file:${stream}`],
      { target, filter: filterOf(heic) },
      signal,
    );
    if (!decoded.ok) return decoded;
    if (heic.colour.icc) await colourPng(target, heic.colour.icc);
    return ok({ hasMetadata: heic.hasMetadata });
  } finally {
    await rm(stream, { force: true });
  }
};

const TURNS = { turn: 'transpose=cclock', 'flip-rows': 'vflip', 'flip-columns': 'hflip' } as const;

const filterOf = ({ columns, rows, crop, turns, colour }: Heic): string => {
  const matrix = colour.matrix === null ? undefined : MATRICES[colour.matrix];
  const scale = [
    'flags=accurate_rnd+full_chroma_int',
    `in_range=${colour.range}`,
    `in_color_matrix=${matrix ?? 'bt601'}`,
  ];
  return [
    ...(columns * rows > 1 ? [`tile=${columns}x${rows}`] : []),
    `scale=${scale.join(':')}`,
    'format=pix_fmts=rgb24|rgb48be',
    // After the conversion to RGB: subsampled colours can be cropped at even positions only.
    ...(crop ? [`crop=${crop.width}:${crop.height}:0:0`] : []),
    ...turns.map((turn) => TURNS[turn]),
  ].join(',');
};

/** Signature and IHDR; the profile follows directly. */
const PNG_HEAD_BYTES = 33;

/** Embeds a colour profile in a PNG. */
const colourPng = async (path: string, icc: Buffer): Promise<void> => {
  const png = await readFile(path);
  const payload = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(icc)]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(payload.length - 4, 0);
  ends.writeUInt32BE(crc32(payload), 4);
  const chunk = [ends.subarray(0, 4), payload, ends.subarray(4)];
  const coloured = `${path}.icc${UNFINISHED}`;
  try {
    await writeFile(coloured, [png.subarray(0, PNG_HEAD_BYTES), ...chunk, png.subarray(PNG_HEAD_BYTES)], {
      mode: 0o600,
    });
    await rename(coloured, path);
  } finally {
    await rm(coloured, { force: true });
  }
};
