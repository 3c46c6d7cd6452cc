/**
 * Decodes with ffmpeg the image formats that the image library does not support, to a lossless PNG. `toPng` does the
 * same for any input of ffmpeg, and `unreadable` creates the error for an image that cannot be decoded.
 */
import { err, failure, type Result } from '../../api/errors.ts';
import type { Ffmpeg } from '../video/ffmpeg.ts';
import type { ForeignFormat } from './detect-format.ts';

/** The only demuxer for each format, so that ffmpeg opens nothing else, whatever the file contains. */
const DEMUXERS: Readonly<Record<ForeignFormat, string>> = {
  bmp: 'bmp_pipe',
  ico: 'ico',
  psd: 'psd_pipe',
  jp2: 'j2k_pipe',
  jxl: 'jpegxl_pipe',
  qoi: 'qoi_pipe',
};
const PIXELS_MAX = 100e6;
const LIMIT_MS = 120_000;

export const unreadable = (): Result<never> =>
  err(
    failure(
      'IMAGE_UNREADABLE',
      'This image is damaged, or its format cannot be decoded here. Save it as PNG or JPEG in the program that created it, then add that.',
    ),
  );

/** Writes the first picture of `source` to `target`. Errors: IMAGE_UNREADABLE, DISK_FULL, CANCELLED. */
export const decodeWithFfmpeg = (
  ffmpeg: Ffmpeg | null,
  { format, source, target }: { readonly format: ForeignFormat; readonly source: string; readonly target: string },
  signal: AbortSignal,
): Promise<Result<string>> =>
  toPng(ffmpeg, ['-f', DEMUXERS[format], '-i', `file:${source}`], { target, filter: null }, signal);

/** Runs ffmpeg on an input to produce one PNG. */
export const toPng = async (
  ffmpeg: Ffmpeg | null,
  input: readonly string[],
  { target, filter }: { readonly target: string; readonly filter: string | null },
  signal: AbortSignal,
): Promise<Result<string>> => {
  if (!ffmpeg) return unreadable();
  const filters = filter === null ? [] : ['-vf', filter];
  const limits = [
    '-protocol_whitelist',
    'file',
    '-max_pixels',
    String(PIXELS_MAX),
    '-xerror',
    '-err_detect',
    'explode',
  ];
  const output = ['-map_metadata', '-1', '-frames:v', '1', '-update', '1', '-c:v', 'png', '-f', 'image2'];
  const args = [...limits, ...input, ...filters, ...output, `file:${target}`];
  const run = await ffmpeg.run(args, { limitMs: LIMIT_MS }, signal);
  if (run.ok || run.error.code === 'CANCELLED' || run.error.code === 'DISK_FULL') return run;
  return unreadable();
};
