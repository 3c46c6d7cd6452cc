/** Writes pixels as a PNG into the spool: mode 0600, synced, and renamed to its final name only when complete. */
import { open } from 'node:fs/promises';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { readFile, rename, rm } from '../../base/node/retrying-fs.ts';
import { type Pixels, UNFINISHED } from '../ports.ts';
import { diskFull, isDiskFull } from '../profile/database.ts';
import { encodePng } from './encode-png.ts';

const encoded = new WeakMap<Pixels, Promise<Buffer>>();

/** Lossless; the same pixels are encoded once. Captured alpha is always full, and a file without it is smaller. */
export const encodePicture = (pixels: Pixels): Promise<Buffer> => {
  const known = encoded.get(pixels);
  if (known !== undefined) return known;
  const png = pixels.width * pixels.height <= SMALL_PIXELS ? encodePng(pixels) : encodeByLibrary(pixels);
  encoded.set(pixels, png);
  return png;
};

/** Loaded only for a large picture or a file of another program: loading takes longer than encoding a region. */
const library = async () => (await import('sharp')).default;

const encodeByLibrary = async ({ width, height, data }: Pixels): Promise<Buffer> =>
  (await library())(data, { raw: { width, height, channels: CHANNELS } })
    .removeAlpha()
    .png(FAST)
    .toBuffer();

/** Above this size the library's compiled code makes up for its loading time. */
const SMALL_PIXELS = 1e6;
const CHANNELS = 4;
/**
 * 35 to 75 ms for 1080p. The filters more than halve photographic content; a higher level costs time and saves little.
 */
const FAST = { compressionLevel: 2, adaptiveFiltering: true } as const;

/**
 * `accept` is called when the bytes are synced and before the file gets its final name; if it returns false, the file
 * is deleted. Errors: DISK_FULL, CANCELLED.
 */
export const writePicture = async (pixels: Pixels, path: string, accept: () => boolean): Promise<Result<void>> => {
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
    if (accept()) {
      await rename(unfinished, path);
      return ok(undefined);
    }
    await rm(unfinished, { force: true });
    return err(failure('CANCELLED', 'The capture was cancelled.'));
  } catch (error) {
    await rm(unfinished, { force: true });
    if (isDiskFull(error)) return err(diskFull());
    throw error;
  }
};

/** Width and height of a complete PNG; null: it is not one. */
export const measurePicture = async (path: string): Promise<{ width: number; height: number } | null> => {
  try {
    const sharp = await library();
    // Read here because the decoder does not retry when a virus scanner locks the file, and the caller may delete it
    // right after.
    const png = await readFile(path);
    const { format, width, height } = await sharp(png).metadata();
    if (format !== 'png') return null;
    // Decoding to the end proves that the file is complete.
    await sharp(png, { failOn: 'warning' }).stats();
    return { width, height };
  } catch {
    return null;
  }
};
