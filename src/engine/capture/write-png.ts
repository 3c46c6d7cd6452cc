/** Writes pixels as PNG into the spool: 0600, synced, and under its name only when it is whole. */
import { open } from 'node:fs/promises';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { readFile, rename, rm } from '../../base/node/retrying-fs.ts';
import { type Pixels, UNFINISHED } from '../ports.ts';
import { diskFull, isDiskFull } from '../profile/database.ts';
import { encodePng } from './encode-png.ts';

const encoded = new WeakMap<Pixels, Promise<Buffer>>();

/** Every pixel as it is; the same pixels are encoded once. Alpha is always full; a picture without it is smaller. */
export const encodePicture = (pixels: Pixels): Promise<Buffer> => {
  const known = encoded.get(pixels);
  if (known !== undefined) return known;
  const png = pixels.width * pixels.height <= SMALL_PIXELS ? encodePng(pixels) : encodeByLibrary(pixels);
  encoded.set(pixels, png);
  return png;
};

/** Loaded when a large picture or a program's file needs it: that takes longer than encoding a region of the screen. */
const library = async () => (await import('sharp')).default;

const encodeByLibrary = async ({ width, height, data }: Pixels): Promise<Buffer> =>
  (await library())(data, { raw: { width, height, channels: CHANNELS } })
    .removeAlpha()
    .png(FAST)
    .toBuffer();

/** Above, the library's compiled code makes up for its loading. */
const SMALL_PIXELS = 1e6;
const CHANNELS = 4;
/** 35 to 75 ms for 1080p. The filters more than halve what is like a photograph; a higher level costs time for little. */
const FAST = { compressionLevel: 2, adaptiveFiltering: true } as const;

/**
 * `agree` is asked when the bytes are safe and before the file has its name; without its word nothing stays.
 * Errors: DISK_FULL, CANCELLED.
 */
export const writePicture = async (pixels: Pixels, path: string, agree: () => boolean): Promise<Result<void>> => {
  const unfinished = path + UNFINISHED;
  const png = await encodePicture(pixels);
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(png);
      await file.sync();
    } finally {
      await file.close();
    }
    if (agree()) {
      await rename(unfinished, path);
      return ok(undefined);
    }
    await rm(unfinished, { force: true });
    return err(failure('CANCELLED', 'The capture was given up.'));
  } catch (error) {
    await rm(unfinished, { force: true });
    if (isDiskFull(error)) return err(diskFull());
    throw error;
  }
};

/** Width and height where the file is really a whole PNG; null: it is not. */
export const measurePicture = async (path: string): Promise<{ width: number; height: number } | null> => {
  try {
    const sharp = await library();
    // The decoder itself does not wait for a virus scanner, and whoever asks removes what is no picture.
    const png = await readFile(path);
    const { format, width, height } = await sharp(png).metadata();
    if (format !== 'png') return null;
    // Decoding it to the end is the proof that nothing of it is missing.
    await sharp(png, { failOn: 'warning' }).stats();
    return { width, height };
  } catch {
    return null;
  }
};
