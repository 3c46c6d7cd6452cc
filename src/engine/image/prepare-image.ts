/**
 * Makes of an image what the service takes, and takes out what it tells about people and places. Promise: what fits is
 * sent as it is, or with its pixels untouched; what does not loses as little as it can, and the item says what.
 */
import { extname, join } from 'node:path';
import type { Account } from '../../api/account.ts';
import { ok, type Result, unreachable } from '../../api/errors.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import type { ImagePreview } from '../../ipc/protocol/image-fit.ts';
import type { PreparedBody } from '../../ipc/protocol/prepared-body.ts';
import { type Random, UNFINISHED } from '../ports.ts';
import type { Prepare } from '../preparation/types.ts';
import { madePath } from '../profile/spool.ts';
import { createSequencer } from '../sequencer.ts';
import { cancelled, type FitDeps, type FitJob, type Fitted, fitImage } from './fit-image.ts';

export interface ImageDeps extends FitDeps {
  readonly random: Random;
  /** Folder for what is made; files in it end in `UNFINISHED` until they are whole. */
  readonly spoolDir: string;
  /** Takes what moves and is no image to the service. */
  readonly moving: Prepare;
}

export interface ImagePreparation {
  /** Errors: IMAGE_UNREADABLE, IMAGE_VECTOR, IMAGE_TOO_LARGE, SOURCE_*, DISK_FULL, CANCELLED. */
  readonly prepare: Prepare;
  /** What `prepare` would do, found out by doing it; nothing of it stays. Null: it goes the way of a video. */
  preview(path: string, account: Account, signal: AbortSignal): Promise<ImagePreview | null>;
}

const EXTENSIONS: Readonly<Record<string, string>> = { png: '.png', jpeg: '.jpg', webp: '.webp', avif: '.avif' };

/** The same name with the ending of what it is now; `.jpeg` and `.JPG` are fine as they are. */
const nameFor = (name: string, before: string, after: string): string =>
  before === after ? name : `${name.slice(0, name.length - extname(name).length)}${EXTENSIONS[after] ?? ''}`;

export const createImagePreparation = (deps: ImageDeps): ImagePreparation => {
  const turns = createSequencer();

  /**
   * Fits in turn, lets `use` take the draft, and removes it if it is still there. Who cancels need not wait: an encoder
   * that cannot be interrupted goes on, and its turn ends when it does.
   */
  const inTurn = async <T>(
    job: FitJob,
    use: (fitted: Fitted) => Promise<T> | T,
    signal: AbortSignal,
  ): Promise<Result<T>> => {
    const work = turns.take(async () => {
      if (signal.aborted) return cancelled();
      try {
        const fitted = await fitImage(job, deps, signal);
        if (signal.aborted) return cancelled();
        return fitted.ok ? ok(await use(fitted.value)) : fitted;
      } finally {
        await rm(job.draft, { force: true });
      }
    });
    const { promise, resolve } = Promise.withResolvers<Result<never>>();
    const stop = () => resolve(cancelled());
    signal.addEventListener('abort', stop, { once: true });
    return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
  };

  return {
    async prepare(item, context, signal) {
      const whole = madePath(deps.spoolDir, item.id);
      const draft = `${whole}${UNFINISHED}`;
      const onProgress = (share: number) => {
        if (!signal.aborted) context.onProgress(share);
      };
      const bodyOf = async (fitted: Fitted): Promise<PreparedBody | 'video' | null> => {
        if (fitted.way !== 'change') return fitted.way === 'video' ? 'video' : null;
        const { made } = fitted;
        await rename(draft, whole);
        const name = nameFor(item.name, made.before.format, made.after.format);
        return { path: whole, name, size: made.after.bytes, made };
      };
      const isOwn = item.source.owner === 'spool';
      const job = { path: item.source.path, isOwn, draft, account: context.account, onProgress };
      const body = await inTurn(job, bodyOf, signal);
      if (!body.ok) return body;
      return body.value === 'video' ? deps.moving(item, context, signal) : ok(body.value);
    },
    async preview(path, account, signal) {
      const draft = join(deps.spoolDir, `${deps.random.uuid()}.0${UNFINISHED}`);
      const seen = await inTurn({ path, isOwn: false, draft, account, onProgress: () => {} }, previewOf, signal);
      return seen.ok ? seen.value : { way: 'refuse', before: null, failure: seen.error };
    },
  };
};

const previewOf = (fitted: Fitted): ImagePreview | null => {
  switch (fitted.way) {
    case 'pass':
      return fitted;
    case 'video':
      return null;
    case 'change': {
      const { kind: _, ...change } = fitted.made;
      return { way: 'change', ...change };
    }
    default:
      return unreachable(fitted);
  }
};
