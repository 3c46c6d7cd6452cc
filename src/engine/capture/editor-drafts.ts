/**
 * Stores the drafts of the editor: the drawing, the style of new marks and the link settings of an unfinished
 * screenshot, in a file beside it. Writes are atomic. The caller drops the draft when the screenshot is published or
 * its files are deleted.
 */

import { ok, type Result } from '../../api/errors.ts';
import { readFile, rm } from '../../base/node/retrying-fs.ts';
import { isMissing } from '../../base/node/system-error.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { CaptureDraft, isEdited } from '../../ipc/protocol/drawing.ts';
import { DRAWING_ENDING } from '../profile/spool.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { writeAtomically } from '../write-atomically.ts';

export interface EditorDrafts {
  /** Null: there is no draft, or this version cannot read it. */
  read(picture: string): Promise<CaptureDraft | null>;
  /** Whether something is drawn on it, or may be in a draft that this version cannot read. */
  isDrawnOn(picture: string): Promise<boolean>;
  /** Errors: DISK_FULL; the previous draft is kept. */
  write(picture: string, draft: CaptureDraft): Promise<Result<void>>;
  drop(picture: string): Promise<void>;
}

/** Path of the draft file of a screenshot. */
export const draftPath = (picture: string): string => picture + DRAWING_ENDING;

const isDraft = createValidator(CaptureDraft);

export const createEditorDrafts = (): EditorDrafts => {
  let last: Promise<unknown> = Promise.resolve();
  /** Serializes the work, so that a late write never replaces a newer draft or restores a deleted one. */
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
    isDrawnOn: (picture) =>
      next(async () => {
        const path = draftPath(picture);
        const text = await readFile(path, 'utf8').catch((error: unknown) => (isMissing(error) ? null : ''));
        if (text === null) return false;
        const draft = parsed(text);
        return draft === null || isEdited(draft.drawing);
      }),
    write: (picture, draft) =>
      next(async () => {
        try {
          await writeAtomically(draftPath(picture), JSON.stringify(draft));
          return ok(undefined);
        } catch (error) {
          return diskFullOrThrow(error);
        }
      }),
    drop: (picture) =>
      next(async () => {
        const path = draftPath(picture);
        // A process killed during a write leaves the unfinished file.
        await Promise.all([path, path + UNFINISHED].map((file) => rm(file, { force: true })));
      }),
  };
};

const parsed = (text: string): CaptureDraft | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
};
