/**
 * What is drawn on pictures in the editor, each in a file beside its picture. Promise: a draft is on the disk whole or as
 * it was before, and goes with its picture, so that nothing of it outlives what it belongs to.
 */

import { err, ok, type Result } from '../../api/errors.ts';
import { open, readFile, rename, rm } from '../../base/node/retrying-fs.ts';
import { CaptureDraft } from '../../ipc/protocol/drawing.ts';
import { createValidator } from '../../ipc/protocol/validator.ts';
import { UNFINISHED } from '../ports.ts';
import { diskFull, isDiskFull } from '../profile/database.ts';
import { DRAWING_ENDING } from '../profile/spool.ts';

export interface CaptureDrafts {
  /** Null where nothing was drawn, or it is not what this version reads. */
  read(picture: string): Promise<CaptureDraft | null>;
  /** Errors: DISK_FULL; then the draft before it is still there. */
  write(picture: string, draft: CaptureDraft): Promise<Result<void>>;
  drop(picture: string): Promise<void>;
}

/** Where the draft of the picture with this path lies. */
export const draftPath = (picture: string): string => picture + DRAWING_ENDING;

const isDraft = createValidator(CaptureDraft);

export const createCaptureDrafts = (): CaptureDrafts => {
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other, so that none that is late takes the place of a newer one, or comes back after it was dropped. */
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  return {
    read: (picture) =>
      next(async () => {
        const text = await readFile(draftPath(picture), 'utf8').catch(() => null);
        return text === null ? null : parsed(text);
      }),
    write: (picture, draft) =>
      next(async () => {
        const path = draftPath(picture);
        try {
          await writeWhole(path, JSON.stringify(draft));
          return ok(undefined);
        } catch (error) {
          await rm(path + UNFINISHED, { force: true });
          if (isDiskFull(error)) return err(diskFull());
          throw error;
        }
      }),
    drop: (picture) =>
      next(async () => {
        const path = draftPath(picture);
        // A process that was killed while it wrote leaves the unfinished one beside it.
        await Promise.all([path, path + UNFINISHED].map((file) => rm(file, { force: true })));
      }),
  };
};

const writeWhole = async (path: string, text: string): Promise<void> => {
  const file = await open(path + UNFINISHED, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(path + UNFINISHED, path);
};

const parsed = (text: string): CaptureDraft | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
};
