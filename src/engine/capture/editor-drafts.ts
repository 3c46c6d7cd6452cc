/**
 * Stores the drafts of the editor: the drawing, the style of new marks and the link settings of an unfinished
 * screenshot, in a file beside it. Writes are atomic, and no editor replaces a drawing that it has not read. The caller drops the draft when the screenshot is published or
 * its files are deleted.
 */

import Type from 'typebox';
import { ok, type Result } from '../../api/errors.ts';
import { readFile, rm } from '../../base/node/retrying-fs.ts';
import { isMissing } from '../../base/node/system-error.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import type { CommandOutput } from '../../ipc/protocol/command-table.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { CaptureDraft, type DraftBasis, DraftVersion, isBasedOn, isEdited } from '../../ipc/protocol/drawing.ts';
import type { Random } from '../ports.ts';
import { DRAWING_ENDING, type Spool } from '../profile/spool.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { NOT_APPLIED } from '../upload-check/drawing-not-applied.ts';
import { writeAtomically } from '../write-atomically.ts';

export interface EditorDrafts {
  read(picture: string): Promise<CommandOutput<'capture.draft'>>;
  /**
   * Whether something is drawn on it, or may be in a draft that this version cannot read. `basis`: beyond what this
   * editor knows.
   */
  isDrawnOn(picture: string, basis?: DraftBasis): Promise<boolean>;
  /** Errors: DISK_FULL, DRAWING_NOT_APPLIED for a draft that this editor has not read; the previous draft is kept. */
  write(picture: string, draft: CaptureDraft, basis: DraftBasis): Promise<Result<void>>;
  drop(picture: string): Promise<void>;
}

/** Path of the draft file of a screenshot. */
export const draftPath = (picture: string): string => picture + DRAWING_ENDING;

/** `version` is absent where an earlier version of the app stored it. */
const isStored = createValidator(Type.Object({ ...CaptureDraft.properties, version: Type.Optional(DraftVersion) }));
const UNVERSIONED: DraftVersion = { by: '', revision: 'unversioned' };

export const createEditorDrafts = ({ uuid }: Pick<Random, 'uuid'>, spool: Pick<Spool, 'has'>): EditorDrafts => {
  let last: Promise<unknown> = Promise.resolve();
  /** Serializes the work, so that a late write never replaces a newer draft or restores a deleted one. */
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  const stored = async (picture: string): Promise<CommandOutput<'capture.draft'>> => {
    const text = await readFile(draftPath(picture), 'utf8').catch((error: unknown) => (isMissing(error) ? null : ''));
    return text === null ? { draft: null, version: null } : parsed(text);
  };

  return {
    read: (picture) => next(() => stored(picture)),
    isDrawnOn: (picture, basis) =>
      next(async () => {
        // Most pictures have no drawing, and each upload of a capture asks.
        if (!(await spool.has(draftPath(picture)))) return false;
        const { draft, version } = await stored(picture);
        if (version === null || (basis && isBasedOn(version, basis))) return false;
        return draft === null || isEdited(draft.drawing);
      }),
    write: (picture, draft, basis) =>
      next(async () => {
        const { version } = await stored(picture);
        if (version !== null && !isBasedOn(version, basis)) return NOT_APPLIED;
        try {
          const text = JSON.stringify({ ...draft, version: { by: basis.by, revision: uuid() } });
          await writeAtomically(draftPath(picture), text);
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

const parsed = (text: string): CommandOutput<'capture.draft'> => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isStored(value)) return { draft: null, version: UNVERSIONED };
    const { version = UNVERSIONED, ...draft } = value;
    return { draft, version };
  } catch {
    return { draft: null, version: UNVERSIONED };
  }
};
