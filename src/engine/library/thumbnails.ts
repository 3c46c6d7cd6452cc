/** Small pictures of images for the lists: made one at a time in the background; where one fails there simply is none. */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ItemId } from '../../contract/ids.ts';
import { LIMITS } from '../../contract/limits.ts';
import { makePrivateDir } from '../profile/spool.ts';

const SIDE_PIXELS = 320;

export interface Thumbnails {
  /** Null where there is none (yet). */
  path(id: ItemId): string | null;
  make(id: ItemId, source: string, size: number): void;
  /** Resolves when the pictures asked for so far are made: until then their files are still needed. */
  made(): Promise<void>;
  remove(id: ItemId): Promise<void>;
  /** Resolves when nothing is being made any more; what is waiting is dropped. */
  close(): Promise<void>;
}

export const createThumbnails = (profileDir: string, onMade: () => void): Thumbnails => {
  const dir = join(profileDir, 'thumbnails');
  makePrivateDir(dir);
  const fileOf = (id: ItemId) => join(dir, `${id}.webp`);
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();

  return {
    path: (id) => (existsSync(fileOf(id)) ? fileOf(id) : null),
    make(id, source, size) {
      if (size > LIMITS.serverImageBytes) return;
      last = last
        .then(async () => {
          if (isClosed || !(await isImage(source))) return;
          await render(source, fileOf(id));
          onMade();
        })
        // A picture that cannot be read is the server's to refuse; a list without it is still a list.
        .catch(() => {});
    },
    made: () => last,
    remove: (id) => rm(fileOf(id), { force: true }),
    async close() {
      isClosed = true;
      await last;
    },
  };
};

const render = async (source: string, target: string) => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const unfinished = `${target}.part`;
  const pixels = await sharp(source, { limitInputPixels: LIMITS.imageMegapixels * 1e6, failOn: 'error' })
    .autoOrient()
    .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  const file = await open(unfinished, 'w', 0o600);
  await file.writeFile(pixels).finally(() => file.close());
  await rename(unfinished, target);
};

/** PNG, JPEG, WebP and AVIF by their first bytes. The library would decode far more, such as SVG with its links. */
const isImage = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0).finally(() => file.close());
  const text = buffer.toString('latin1');
  return (
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('\xff\xd8\xff') ||
    (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) ||
    /^ftypavi[fs]/.test(text.slice(4))
  );
};
