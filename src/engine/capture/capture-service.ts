/** The capture feature: immediate screenshots, the selection session, and screenshots in the editor. */

import { err, failure, ok, unreachable } from '../../api/errors.ts';
import type { CaptureId, ItemId } from '../../api/ids.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { type AfterCapture, Area, type CaptureSession } from '../../ipc/protocol/capture.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import { DONE, done } from '../commands.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import type { CaptureAction, CaptureApi } from './capture-api.ts';
import { type CaptureDeps, createCapture } from './capture-now.ts';
import { createDiscardedCaptures, type DiscardedCaptures } from './discarded-captures.ts';
import { createCaptureDrafts } from './drawing-drafts.ts';
import type { PendingCapture } from './pending-captures.ts';
import type { PicturesFolder } from './pictures-folder.ts';
import { createPostCaptureActions, type PostCaptureDeps } from './post-capture-actions.ts';
import { saveCopy } from './save-copy.ts';
import { createSaveToSpool, type SaveToSpoolDeps } from './save-to-spool.ts';
import { BUSY, createSession, type SessionDeps } from './selection-session.ts';
import { measurePicture } from './write-png.ts';

export interface CaptureService {
  session(): CaptureSession | null;
  readonly discarded: Pick<DiscardedCaptures, 'all' | 'files' | 'clear'>;
  readonly commands: CaptureApi;
  /** Resumes what a crash interrupted. */
  resume(): Promise<void>;
  /** Call when the item is published or cancelled. */
  released(id: ItemId): void;
  close(): Promise<void>;
}

export interface CaptureServiceDeps
  extends Omit<SaveToSpoolDeps & CaptureDeps, 'save' | 'last'>,
    Omit<PostCaptureDeps, 'save' | 'drafts'>,
    Pick<SessionDeps, 'isRecording' | 'record' | 'onChange'> {
  readonly profile: Profile;
  readonly settings: () => Settings;
  readonly pictures: PicturesFolder;
}

export const createCaptureService = (deps: CaptureServiceDeps): CaptureService => {
  const { pending, settings } = deps;
  const last = createPersistedValue(deps.profile, 'lastRegion', Area);
  const saveToSpool = createSaveToSpool(deps);
  const drafts = createCaptureDrafts();
  const discarded = createDiscardedCaptures({ ...deps, drafts });
  const after = createPostCaptureActions({
    ...deps,
    drafts,
    save: (path, name) => saveCopy(path, name, { pictures: deps.pictures, folder: settings().saveFolder }),
  });
  /** Screenshots that left the editor and are being processed. */
  const finishing = new Set<CaptureId>();
  const inEditor = (): PendingCapture | undefined => pending.all().find(({ status }) => status.is === 'editing');

  const withEditor = (id: CaptureId): PendingCapture | undefined =>
    pending.all().find((one) => one.id === id && one.status.is === 'editing');

  const keep: SessionDeps['keep'] = async (subject, action, isWanted, onSaved) => {
    const then = actionsOf(action, settings());
    const saved = await saveToSpool(subject, (picture) => {
      if (!isWanted()) return false;
      pending.put({ ...picture, status: then ? processingStatus(picture.path, then) : { is: 'editing' } });
      return true;
    });
    if (!saved.ok) return saved;
    onSaved();
    const picture = pending.all().find(({ id }) => id === saved.value.id);
    if (!then || !picture) return ok(null);
    const done = await after.run(picture, { picture: picture.path, after: then, share: {} });
    deps.onChange();
    return done;
  };

  const session = createSession({
    ...deps,
    last,
    isEditing: () => inEditor() !== undefined,
    keep,
    recall: () => deps.emit({ type: 'recalled' }),
  });

  const finish: CaptureApi['finish'] = async ({ id, picture, after: wanted, share = {} }) => {
    const original = withEditor(id);
    if (!original || finishing.has(id)) {
      if (picture !== null) await rm(picture, { force: true });
      return NOT_IN_EDITOR;
    }
    finishing.add(id);
    try {
      if (picture !== null && !(await isEdited(picture, original))) {
        await rm(picture, { force: true });
        return err(failure('COMMAND_INVALID', 'The edited picture is no PNG of the size of the capture. Try again.'));
      }
      const finished = await after.run(original, { picture: picture ?? original.path, after: wanted, share });
      return finished.ok ? ok({ item: finished.value }) : finished;
    } finally {
      finishing.delete(id);
      deps.onChange();
    }
  };

  const discard = (): void => {
    const picture = inEditor();
    if (!picture || finishing.has(picture.id)) return;
    discarded.add(picture);
  };

  const restore: CaptureApi['restore'] = ({ id }) =>
    done(session.shown() === null && !inEditor() ? discarded.restore(id) : BUSY);

  return {
    session() {
      const editing = inEditor();
      return session.shown() ?? (editing ? shownOf(editing) : null);
    },
    commands: {
      ...createCapture({ ...deps, save: saveToSpool, last: last.read }),
      start: session.start,
      choose: session.choose,
      frame: session.frame,
      finish,
      async cancel() {
        if (!session.cancel()) discard();
        return DONE;
      },
      pendingCopy: after.pendingCopy,
      picture: (id) => withEditor(id)?.path ?? after.forClipboard(id),
      restore,
      async draft({ id }) {
        const picture = withEditor(id);
        return ok({ draft: picture ? await drafts.read(picture.path) : null });
      },
      async keepDraft({ id, draft }) {
        const picture = withEditor(id);
        return picture ? done(await drafts.write(picture.path, draft)) : NOT_IN_EDITOR;
      },
    },
    discarded,
    async resume() {
      discarded.wake();
      await after.resume();
    },
    released: after.released,
    async close() {
      session.cancel();
      await Promise.all([after.close(), discarded.close()]);
    },
  };
};

const NOT_IN_EDITOR = err(failure('CAPTURE_GONE', 'This capture is over.'));

/** The actions for the user's choice; null: open the editor. */
const actionsOf = (action: CaptureAction | null, { editAfterCapture, afterCapture }: Settings): AfterCapture | null => {
  switch (action) {
    case null:
      return editAfterCapture ? null : afterCapture;
    case 'edit':
      return null;
    case 'publish':
      return { ...afterCapture, publish: true };
    case 'copy':
      return { publish: false, copyPicture: true, save: false };
    case 'save':
      return { publish: false, copyPicture: false, save: true };
    default:
      return unreachable(action);
  }
};

const processingStatus = (picture: string, after: AfterCapture): PendingCapture['status'] => ({
  is: 'going',
  picture,
  after,
  share: {},
});

/** Accepts a PNG of at most the original size: the editor crops and never enlarges. */
const isEdited = async (path: string, { width, height }: PendingCapture): Promise<boolean> => {
  const size = await measurePicture(path);
  return size !== null && size.width <= width && size.height <= height;
};

const shownOf = ({ id, name, width, height, takenAt }: PendingCapture): CaptureSession => ({
  state: 'editing',
  ...{ id, name, width, height, takenAt },
});
