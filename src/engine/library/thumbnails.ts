/**
 * Renders and stores the thumbnails of items for lists. Thumbnails of images and videos are rendered one at a time in
 * the background; previews from the service are stored directly. An item whose rendering fails has no thumbnail.
 */
import { readdirSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import type { ItemId } from '../../api/ids.ts';
import { rename, rm, rmSync } from '../../base/node/retrying-fs.ts';
import type { ImageFormat } from '../image/detect-format.ts';
import { openImageSource } from '../image/image-file.ts';
import { probeImage } from '../image/probe-image.ts';
import { openDecoder } from '../image/sharp-decoder.ts';
import type { Clock } from '../ports.ts';
import { makePrivateDir } from '../profile/spool.ts';
import { createSequencer } from '../sequencer.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import type { FindFfmpeg } from '../video/ffmpeg.ts';
import { inputOf } from '../video/ffmpeg.ts';

const SIDE_PIXELS = 320;
const ENDING = '.webp';
/** The upload has priority; an item that waits longer than this for its link gets its thumbnail meanwhile. */
const WAIT_MS = { image: 2_000, video: 15_000 } as const;
/** Larger pictures cost too much work for a thumbnail. */
const PIXELS_MAX = 100e6;
const FRAME_LIMIT_MS = 30_000;
/** Number of frames at the start of a video from which the most representative one is chosen. */
const FRAMES = 24;
/** Formats that are rendered directly; the others after their conversion. */
const RENDERED: ReadonlySet<ImageFormat> = new Set(['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff']);

export interface Thumbnails {
  has(id: ItemId): boolean;
  /** Null where there is no thumbnail (yet). */
  path(id: ItemId): string | null;
  /**
   * Does nothing where a thumbnail exists. `once linked`: waits until `linked` is called, so that it takes no processor
   * time from the upload, but at most 2 seconds for an image and 15 for anything else.
   */
  make(id: ItemId, source: string, when: 'now' | 'once linked'): void;
  /** Like `make`, in place of the one that exists or is being made: the item has another picture. */
  replace(id: ItemId, source: string, when: 'now' | 'once linked'): void;
  /** Items whose thumbnail was replaced since the process began: what has shown the earlier one must load it again. */
  replaced(): Iterable<ItemId>;
  /** Call when the item has its link: renders the waiting thumbnail. */
  linked(id: ItemId): void;
  /** Stores a preview (WebP) of the service. */
  put(id: ItemId, webp: Buffer): Promise<void>;
  /** Resolves when the thumbnails requested so far are rendered: until then their source files are needed. */
  made(): Promise<void>;
  remove(id: ItemId): Promise<void>;
  /** Removes all of them. */
  clear(): Promise<void>;
  /** Resolves when rendering has stopped; waiting ones are dropped, and rendered at the next start. */
  close(): Promise<void>;
}

export interface ThumbnailsDeps {
  readonly profileDir: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly ffmpeg: FindFfmpeg;
  readonly openSource: OpenSourceAt;
  /** An item has a thumbnail from now on. */
  readonly onMade: () => void;
}

export const createThumbnails = ({ profileDir, clock, ffmpeg, openSource, onMade }: ThumbnailsDeps): Thumbnails => {
  const dir = join(profileDir, 'thumbnails');
  makePrivateDir(dir);
  /** Items that have one. Other files are unfinished ones of an earlier process. */
  const present = new Set<ItemId>();
  for (const name of readdirSync(dir)) {
    if (name.endsWith(ENDING)) present.add(basename(name, ENDING) as ItemId);
    else rmSync(join(dir, name), { force: true });
  }
  const fileOf = (id: ItemId) => join(dir, `${id}${ENDING}`);
  const made = (id: ItemId): void => {
    present.add(id);
    onMade();
  };
  const erase = (id: ItemId): Promise<void> => {
    present.delete(id);
    return rm(fileOf(id), { force: true });
  };
  const replaced = new Set<ItemId>();
  const sequencer = createSequencer();
  const closing = new AbortController();
  /** Thumbnails that wait for the link of their item: the source, and the end of the wait. */
  const waiting = new Map<ItemId, { readonly source: string; readonly over: AbortController }>();

  const frameOf = async (video: string, target: string): Promise<boolean> => {
    const program = await ffmpeg(closing.signal);
    if (!program) return false;
    const scale = `scale=w='min(${SIDE_PIXELS},iw)':h='min(${SIDE_PIXELS},ih)':force_original_aspect_ratio=decrease`;
    const output = ['-frames:v', '1', '-update', '1', '-c:v', 'png', '-f', 'image2', `file:${target}`];
    const args = [...inputOf(video), '-map', '0:V:0', '-vf', `thumbnail=${FRAMES},${scale}`, ...output];
    return (await program.run(['-loglevel', 'error', ...args], { limitMs: FRAME_LIMIT_MS }, closing.signal)).ok;
  };

  /** False: such a file gets no thumbnail. */
  const renderSource = async (source: string, target: string): Promise<boolean> => {
    const opened = await openImageSource(source, openSource);
    if (!opened.ok) return false;
    const { format, head } = opened.value;
    await opened.value.close();
    if (format && RENDERED.has(format)) return render(source, format, target);
    if (format || !/^video\//.test((await fileTypeFromBuffer(head))?.mime ?? '')) return false;
    const frame = `${target}.png`;
    try {
      return (await frameOf(source, frame)) && (await render(frame, 'png', target));
    } finally {
      await rm(frame, { force: true });
    }
  };

  const longestWait = async (source: string): Promise<number> => {
    const opened = await openImageSource(source, openSource);
    if (!opened.ok) return WAIT_MS.video;
    await opened.value.close();
    return opened.value.format === null ? WAIT_MS.video : WAIT_MS.image;
  };

  const enqueue = (id: ItemId, source: string): void => {
    sequencer
      .run(async () => {
        if (closing.signal.aborted || present.has(id)) return;
        if (await renderSource(source, fileOf(id))) made(id);
      })
      // The server rejects an unreadable picture; the list works without its thumbnail.
      .catch(() => {});
  };
  const stopWaiting = (id: ItemId): void => {
    const found = waiting.get(id);
    waiting.delete(id);
    found?.over.abort();
    if (found) enqueue(id, found.source);
  };

  const make: Thumbnails['make'] = (id, source, when) => {
    if (when === 'now') {
      enqueue(id, source);
      return;
    }
    const over = new AbortController();
    waiting.get(id)?.over.abort();
    waiting.set(id, { source, over });
    const either = AbortSignal.any([over.signal, closing.signal]);
    longestWait(source)
      .then((ms) => clock.sleep(ms, either))
      .then(
        () => {
          if (waiting.get(id)?.over === over) stopWaiting(id);
        },
        () => {},
      );
  };

  return {
    has: (id) => present.has(id),
    path: (id) => (present.has(id) ? fileOf(id) : null),
    make,
    replace(id, source, when) {
      replaced.add(id);
      waiting.get(id)?.over.abort();
      waiting.delete(id);
      present.delete(id);
      // After a rendering of the earlier picture that runs or is queued, and before that of this one.
      sequencer.run(() => erase(id)).catch(() => {});
      make(id, source, when);
    },
    replaced: () => replaced,
    linked: stopWaiting,
    put: (id, webp) =>
      sequencer.run(async () => {
        await keep(webp, fileOf(id));
        made(id);
      }),
    made: () => sequencer.run(() => Promise.resolve()),
    async remove(id) {
      waiting.get(id)?.over.abort();
      waiting.delete(id);
      await erase(id);
      // A rendering that was queued or running has made it again.
      await sequencer.run(() => erase(id));
    },
    clear: () =>
      sequencer.run(async () => {
        present.clear();
        for (const name of await readdir(dir)) await rm(join(dir, name), { force: true });
      }),
    async close() {
      closing.abort();
      await sequencer.run(() => Promise.resolve());
    },
  };
};

/** False: the picture is too large. */
const render = async (path: string, format: ImageFormat, target: string): Promise<boolean> => {
  const decode = await openDecoder();
  const { width, height, canBeOpened } = await probeImage(decode, { path, format, bytes: 0 });
  if (!canBeOpened || width * height > PIXELS_MAX) return false;
  const pixels = await decode(path, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  await keep(pixels, target);
  return true;
};

const keep = async (webp: Buffer, target: string): Promise<void> => {
  const unfinished = `${target}.part`;
  try {
    const file = await open(unfinished, 'w', 0o600);
    await file.writeFile(webp).finally(() => file.close());
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { force: true });
  }
};
