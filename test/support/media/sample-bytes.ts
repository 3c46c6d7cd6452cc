/** Bytes that the server accepts as an image or a video: a real small file, padded where a test needs parts. */
import { readFile } from 'node:fs/promises';
import { goodMp4, image } from './media.ts';

/** A real PNG of a few kilobytes; every call returns different bytes, all of one length. */
export const pngBytes = async (): Promise<Buffer> => {
  const png = await readFile(await image('png', 32, 20));
  // After the end of the image, where decoders do not read.
  return Buffer.concat([png, Buffer.from(String(serial++).padStart(8, '0'))]);
};

/** A real PNG, padded after its end to exactly `size` bytes. It is READY as soon as it is published. */
export const longPngBytes = async (size: number): Promise<Buffer> => {
  const png = await pngBytes();
  return Buffer.concat([png, Buffer.alloc(size - png.length, serial % 251)]);
};

let serial = 0;

/** A real MP4, padded by a `free` box to exactly `size` bytes. */
export const mp4Bytes = async (size: number): Promise<Buffer> => {
  const video = await readFile(await goodMp4());
  const free = Buffer.alloc(size - video.length, serial++ % 251);
  free.writeUInt32BE(free.length);
  free.write('free', 4, 'latin1');
  return Buffer.concat([video, free]);
};

/** Allows any video bitrate: a small video with a long `free` box has a very high one. */
export const ANY_BITRATE = { video: { bitrate: { min: 1e12, max: 1e12 } } } as const;
