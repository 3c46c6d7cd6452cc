/**
 * Previews and prepares an image for the service. An image that fits is sent unchanged, or without its metadata if the
 * settings say so; others lose as little as possible, and the item lists the changes. An animation that the service
 * accepts only as a video is prepared as one.
 */
import { extname, join } from 'node:path';
import type { Account } from '../../api/account.ts';
import { ok, type Result, unreachable } from '../../api/errors.ts';
import { orOnAbort } from '../../base/common/on-abort.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import type { ImagePreview } from '../../ipc/protocol/image-conversion.ts';
import type { PreparedFile } from '../../ipc/protocol/prepared-file.ts';
import type { Random } from '../ports.ts';
import { preparedPath } from '../profile/spool.ts';
import { createSequencer } from '../sequencer.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import type { Prepare } from '../upload/preparation-types.ts';
import { unreadable } from './ffmpeg-decode.ts';
import { cancelled, type FitDeps, type FitJob, type Fitted, fitImage } from './fit-image.ts';

export interface ImageDeps extends FitDeps {
  readonly random: Random;
  /** Folder for the results; file names end in `UNFINISHED` until they are complete. */
  readonly spoolDir: string;
  /** Prepares animations that the service does not accept as images. */
  readonly moving: Prepare;
}

export interface ImagePreparation {
  /** Errors: IMAGE_UNREADABLE, IMAGE_VECTOR, IMAGE_TOO_LARGE, SOURCE_*, DISK_FULL, CANCELLED. */
  readonly prepare: Prepare;
  /** Does what `prepare` would do and deletes the result. Null: it is prepared as a video. */
  preview(path: string, account: Account, signal: AbortSignal): Promise<ImagePreview | null>;
}

const EXTENSIONS: Readonly<Record<string, string>> = { png: '.png', jpeg: '.jpg', webp: '.webp', avif: '.avif' };

/** The name with the file extension of the new format; `.jpeg` and `.JPG` are kept. */
const nameFor = (name: string, before: string, after: string): string =>
  before === after ? name : `${name.slice(0, name.length - extname(name).length)}${EXTENSIONS[after] ?? ''}`;

export const createImagePreparation = (deps: ImageDeps): ImagePreparation => {
  const sequencer = createSequencer();

  /**
   * Fits one image at a time, lets `use` take the draft, and deletes it if it is still there. Cancelling returns
   * immediately: an encoder that cannot be interrupted continues and keeps its turn until it ends.
   */
  const inTurn = async <T>(
    job: FitJob,
    use: (fitted: Fitted) => Promise<T> | T,
    signal: AbortSignal,
  ): Promise<Result<T>> => {
    const work = sequencer.run(async () => {
      if (signal.aborted) return cancelled();
      try {
        const fitted = await fitImage(job, deps, signal);
        if (signal.aborted) return cancelled();
        return fitted.ok ? ok(await use(fitted.value)) : fitted;
      } finally {
        await rm(job.draft, { force: true });
      }
    });
    return orOnAbort(work, signal, cancelled);
  };

  return {
    async prepare(item, context, signal) {
      const target = preparedPath(deps.spoolDir, item.id);
      const draft = `${target}${UNFINISHED}`;
      const onProgress = (share: number) => {
        if (!signal.aborted) context.onProgress(share);
      };
      const bodyOf = async (fitted: Fitted): Promise<PreparedFile | 'video' | null> => {
        if (fitted.way !== 'change') return fitted.way === 'video' ? 'video' : null;
        const { made: prepared } = fitted;
        await rename(draft, target);
        const name = nameFor(item.name, prepared.before.format, prepared.after.format);
        return { path: target, name, size: prepared.after.bytes, made: prepared };
      };
      const isOwn = item.source.owner === 'spool';
      const job = { path: item.source.path, isOwn, draft, account: context.account, onProgress };
      const body = await inTurn(job, bodyOf, signal);
      if (!body.ok) return body;
      if (body.value !== 'video') return ok(body.value);
      const moving = await deps.moving(item, context, signal);
      // The service accepts no such file: sent unchanged, it would be refused together with its metadata.
      return moving.ok && moving.value === null ? unreadable() : moving;
    },
    async preview(path, account, signal) {
      const draft = join(deps.spoolDir, `${deps.random.uuid()}.0${UNFINISHED}`);
      const preview = await inTurn({ path, isOwn: false, draft, account, onProgress: () => {} }, previewOf, signal);
      return preview.ok ? preview.value : { way: 'refuse', before: null, failure: preview.error };
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
