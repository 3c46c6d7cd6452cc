/**
 * Makes of an image what the service takes, and takes out what it tells about people and places. Promise: what fits is
 * sent as it is, or with its pixels untouched; what does not loses as little as it can, and the item says what.
 */
import { rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Account } from '../../contract/account.ts';
import { ok, unreachable } from '../../contract/errors.ts';
import type { ImagePreview } from '../../contract/image-fit.ts';
import { type Random, UNFINISHED } from '../ports.ts';
import type { Prepare } from '../prepare.ts';
import { type FitDeps, fitImage } from './fit.ts';
import { createTurns } from './turns.ts';

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
  const turns = createTurns();

  return {
    async prepare(item, context, signal) {
      const whole = join(deps.spoolDir, `${item.id}.0`);
      const draft = `${whole}${UNFINISHED}`;
      const fitted = await turns.take(() =>
        fitImage({ ...context, path: item.source.path, draft }, deps, signal).finally(() => context.onProgress(1)),
      );
      if (fitted.ok && fitted.value.way === 'change') {
        const { made } = fitted.value;
        await rename(draft, whole);
        const name = nameFor(item.name, made.before.format, made.after.format);
        return ok({ path: whole, name, size: made.after.bytes, made });
      }
      await rm(draft, { force: true });
      if (!fitted.ok) return fitted;
      return fitted.value.way === 'video' ? deps.moving(item, context, signal) : ok(null);
    },
    async preview(path, account, signal) {
      const draft = join(deps.spoolDir, `${deps.random.uuid()}.0${UNFINISHED}`);
      const job = { path, draft, account, onProgress: () => {} };
      const fitted = await turns.take(() => fitImage(job, deps, signal));
      await rm(draft, { force: true });
      if (!fitted.ok) return { way: 'refuse', before: null, failure: fitted.error };
      switch (fitted.value.way) {
        case 'pass':
          return fitted.value;
        case 'video':
          return null;
        case 'change': {
          const { kind: _, ...change } = fitted.value.made;
          return { way: 'change', ...change };
        }
        default:
          return unreachable(fitted.value);
      }
    },
  };
};
