/** Small pictures of images and videos for the lists: made one at a time in the background; where one fails there simply is none. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTypeFromFile } from 'file-type';
import type { ItemId } from '../../contract/ids.ts';
import { openDecoder } from '../image/decoder.ts';
import { readPicture } from '../image/picture.ts';
import type { ImageFormat } from '../image/recognise.ts';
import { openImageSource } from '../image/source.ts';
import { createTurns } from '../image/turns.ts';
import type { Clock } from '../ports.ts';
import { makePrivateDir } from '../profile/spool.ts';
import { inputOf } from '../video/ffmpeg.ts';
import type { FindFfmpeg } from '../video/find-ffmpeg.ts';

const SIDE_PIXELS = 320;
/** By then a picture has its link, on a good network. */
const MOMENT_MS = 250;
/** A list is not worth more work than this. */
const PIXELS_MAX = 100e6;
const FRAME_LIMIT_MS = 30_000;
/** Of so many frames of a video's beginning the most telling one is shown. */
const FRAMES = 24;
/** The others are drawn once they have become something that the service takes. */
const DRAWN: ReadonlySet<ImageFormat> = new Set(['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff']);

export interface Thumbnails {
  /** Null where there is none (yet). */
  path(id: ItemId): string | null;
  /** Does nothing where there is one already. `in a moment`: something more urgent is done first. */
  make(id: ItemId, source: string, when?: 'in a moment'): void;
  /** Resolves when the pictures asked for so far are made: until then their files are still needed. */
  made(): Promise<void>;
  remove(id: ItemId): Promise<void>;
  /** Removes all of them. */
  clear(): Promise<void>;
  /** Resolves when nothing is being made any more; what is waiting is dropped. */
  close(): Promise<void>;
}

export interface ThumbnailsDeps {
  readonly profileDir: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly ffmpeg: FindFfmpeg;
  readonly onMade: () => void;
}

export const createThumbnails = ({ profileDir, clock, ffmpeg, onMade }: ThumbnailsDeps): Thumbnails => {
  const dir = join(profileDir, 'thumbnails');
  makePrivateDir(dir);
  // What an earlier process did not finish.
  for (const name of readdirSync(dir)) if (!name.endsWith('.webp')) rmSync(join(dir, name), { force: true });
  const fileOf = (id: ItemId) => join(dir, `${id}.webp`);
  const turns = createTurns();
  const closing = new AbortController();

  const frameOf = async (video: string, target: string): Promise<boolean> => {
    const program = await ffmpeg(closing.signal);
    if (!program) return false;
    const scale = `scale=w='min(${SIDE_PIXELS},iw)':h='min(${SIDE_PIXELS},ih)':force_original_aspect_ratio=decrease`;
    const output = ['-frames:v', '1', '-update', '1', '-c:v', 'png', '-f', 'image2', `file:${target}`];
    const args = [...inputOf(video), '-map', '0:V:0', '-vf', `thumbnail=${FRAMES},${scale}`, ...output];
    return (await program.run(['-loglevel', 'error', ...args], { limitMs: FRAME_LIMIT_MS }, closing.signal)).ok;
  };

  const draw = async (source: string, target: string): Promise<void> => {
    const format = await formatOf(source);
    if (format && DRAWN.has(format)) return render(source, format, target);
    if (format || !/^video\//.test((await fileTypeFromFile(source))?.mime ?? '')) return;
    const frame = `${target}.png`;
    try {
      if (await frameOf(source, frame)) await render(frame, 'png', target);
    } finally {
      await rm(frame, { force: true });
    }
  };

  return {
    path: (id) => (existsSync(fileOf(id)) ? fileOf(id) : null),
    make(id, source, when) {
      turns
        .take(async () => {
          if (closing.signal.aborted || existsSync(fileOf(id))) return;
          // Whoever closes meanwhile gets it at once: a short command has no other chance.
          if (when) await clock.sleep(MOMENT_MS, closing.signal).catch(() => {});
          await draw(source, fileOf(id));
          onMade();
        })
        // A picture that cannot be read is the server's to refuse; a list without it is still a list.
        .catch(() => {});
    },
    made: () => turns.take(() => Promise.resolve()),
    remove: (id) => rm(fileOf(id), { force: true }),
    clear: () =>
      turns.take(async () => {
        for (const name of await readdir(dir)) await rm(join(dir, name), { force: true });
      }),
    async close() {
      closing.abort();
      await turns.take(() => Promise.resolve());
    },
  };
};

const formatOf = async (path: string): Promise<ImageFormat | null> => {
  const source = await openImageSource(path);
  if (!source.ok) return null;
  await source.value.close();
  return source.value.format;
};

const render = async (path: string, format: ImageFormat, target: string): Promise<void> => {
  const decode = await openDecoder();
  const { width, height, canBeOpened } = await readPicture(decode, { path, format, bytes: 0 });
  if (!canBeOpened || width * height > PIXELS_MAX) return;
  const unfinished = `${target}.part`;
  const pixels = await decode(path, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  const file = await open(unfinished, 'w', 0o600);
  await file.writeFile(pixels).finally(() => file.close());
  await rename(unfinished, target);
};
