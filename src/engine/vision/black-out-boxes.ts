/**
 * Saves a PNG copy of a still image in which the given boxes are solid black. Other pixels keep their colours, and an
 * RGB colour profile is kept; all other metadata is dropped, because an embedded preview could show the hidden parts.
 * Animations are refused.
 */

import { writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import { openDecoder } from '../image/sharp-decoder.ts';
import type { Box, HideTask } from './vision-protocol.ts';

interface Pixels {
  readonly data: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Grey or coloured, with or without alpha, which becomes opaque. */
const paint = ({ data, width, height, channels }: Pixels, box: Box): void => {
  const opaque = data instanceof Uint16Array ? 0xffff : 0xff;
  const hasAlpha = channels === 2 || channels === 4;
  const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)];
  for (let y = Math.max(0, box.y); y < Math.min(height, box.y + box.height); y++) {
    data.fill(0, (y * width + left) * channels, (y * width + right) * channels);
    if (hasAlpha) for (let x = left; x < right; x++) data[(y * width + x) * channels + channels - 1] = opaque;
  }
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** The length of the signature and the header of a PNG, after which a profile may be. */
const HEADER_BYTES = 33;

const withProfile = (png: Buffer, profile: Buffer): Buffer => {
  const data = Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]);
  return Buffer.concat([png.subarray(0, HEADER_BYTES), chunk('iCCP', data), png.subarray(HEADER_BYTES)]);
};

/** A profile of the colours of screens; one for print or grey does not fit the result. */
const isForRgb = (profile: Buffer): boolean => profile.toString('latin1', 16, 20) === 'RGB ';

/** The other pictures of it would stay as they are. */
export const ANIMATION = failure(
  'COMMAND_INVALID',
  'Only a still image can be redacted. Save one picture of the animation as PNG, and redact that.',
);

interface Decoded {
  readonly pixels: Pixels;
  readonly profile: Buffer | null;
}

/** Null: it has several pictures. */
const decodePixels = async (path: string): Promise<Decoded | null> => {
  const decode = await openDecoder();
  const { icc, depth, pages = 1 } = await decode(path, { limitInputPixels: false }).metadata();
  if (pages > 1) return null;
  const profile = icc && isForRgb(icc) ? icc : null;
  // With its profile kept, the values of the pixels stay too.
  const image = decode(path, { limitInputPixels: false, failOn: 'error', ignoreIcc: profile !== null }).autoOrient();
  const isDeep = depth === 'ushort';
  const { data, info } = await (isDeep ? image.toColourspace('rgb16') : image)
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const values = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return { pixels: { data: values, width, height, channels: channels as Pixels['channels'] }, profile };
};

/** Errors: IMAGE_UNREADABLE, COMMAND_INVALID for an animation, DISK_FULL, APP_FAILED where `target` cannot be written. */
export const blackOutBoxes = async ({ path, target, boxes }: Omit<HideTask, 'id'>): Promise<Result<null>> => {
  let file: Buffer;
  try {
    const decoded = await decodePixels(path);
    if (!decoded) return err(ANIMATION);
    const { pixels, profile } = decoded;
    for (const box of boxes) paint(pixels, box);
    const { data, width, height, channels } = pixels;
    const decode = await openDecoder();
    const image = decode(data, { raw: { width, height, channels }, limitInputPixels: false });
    const png = await (data instanceof Uint16Array ? image.toColourspace('rgb16') : image).png().toBuffer();
    file = profile ? withProfile(png, profile) : png;
  } catch (error) {
    return err(failure('IMAGE_UNREADABLE', `The picture cannot be decoded: ${String(error)}`));
  }
  try {
    await writeFile(target, file, { mode: 0o600, flag: 'wx', flush: true });
    return ok(null);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') await rm(target, { force: true });
    return err(failureOfThrown(error, `The picture cannot be written: ${message}`));
  }
};
