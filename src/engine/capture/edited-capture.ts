/**
 * Manages the screenshot that is open in the editor, at most one: copies it to the clipboard, finishes it with the
 * actions that the user chose, or discards it. If it belongs to an item that waits in the queue, discarding it only
 * closes the editor.
 */
import { join } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { CaptureId, ItemId } from '../../api/ids.ts';
import { copyFile, readFile, rm } from '../../base/node/retrying-fs.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import type { CaptureSession } from '../../ipc/protocol/capture.ts';
import type { CommandOutput } from '../../ipc/protocol/command-table.ts';
import { BACKDROP_MAX } from '../../ipc/protocol/drawing.ts';
import { DONE } from '../empty-result.ts';
import type { Clipboard, Random } from '../ports.ts';
import { NOT_APPLIED } from '../upload-check/drawing-not-applied.ts';
import type { CaptureApi } from './capture-interface.ts';
import type { DiscardedCaptures } from './discarded-captures.ts';
import type { EditorDrafts } from './editor-drafts.ts';
import type { PendingCapture, PendingCaptures } from './pending-captures.ts';
import type { PostCaptureActions } from './post-capture-actions.ts';
import { measurePicture } from './write-png.ts';

export interface EditedCaptureDeps {
  readonly random: Random;
  readonly spoolDir: string;
  readonly pending: PendingCaptures;
  readonly actions: Pick<PostCaptureActions, 'run'>;
  readonly discarded: Pick<DiscardedCaptures, 'add'>;
  readonly drafts: Pick<EditorDrafts, 'isDrawnOn'>;
  readonly clipboard: Pick<Clipboard, 'writePicture'> | null;
  readonly onChange: () => void;
}

export interface EditedCapture {
  /** As windows show it; null: the editor is closed. */
  shown(): CaptureSession | null;
  /** The screenshot with this id, where it is in the editor. */
  find(id: CaptureId): PendingCapture | undefined;
  /** Path of its picture as it was captured. Errors: CAPTURE_GONE, DRAWING_NOT_APPLIED where something is drawn on it. */
  undrawn(id: CaptureId): Promise<Result<string>>;
  /** From the editor to the actions. Resolves to the queue item, or null where nothing is published. */
  finish(request: Parameters<CaptureApi['finish']>[0]): Promise<Result<ItemId | null>>;
  /** To the clipboard, one copy after the other; the screenshot stays in the editor. */
  copy: CaptureApi['copy'];
  /** Puts it aside; an item that it belongs to still waits in the queue. */
  discard(): void;
}

export const NOT_IN_EDITOR = err(failure('CAPTURE_GONE', 'This capture has ended.'));
const NOT_EDITED = err(
  failure('COMMAND_INVALID', 'The edited image is not a PNG with the size of the capture. Try again.'),
);
const NO_CLIPBOARD = err(failure('COMMAND_INVALID', 'The app cannot copy images here.'));

export const createEditedCapture = (deps: EditedCaptureDeps): EditedCapture => {
  const { pending, actions, discarded, drafts, clipboard, onChange } = deps;
  /** Screenshots that left the editor and are being processed. */
  const finishing = new Set<CaptureId>();
  const current = (): PendingCapture | undefined => pending.all().find(({ status }) => status.is === 'editing');
  const find = (id: CaptureId): PendingCapture | undefined =>
    pending.all().find((one) => one.id === id && one.status.is === 'editing');

  /** The last copy that was requested. An older one must never replace a newer one, nor what `finish` copies. */
  let copying: Promise<unknown> = Promise.resolve();

  /** What leaves the editor. A page that has not read the drawing must not leave it out: it may hide secrets. */
  const leavingPicture = async (
    capture: PendingCapture,
    { picture, basis, isUnedited }: Pick<Parameters<CaptureApi['finish']>[0], 'picture' | 'basis' | 'isUnedited'>,
  ): Promise<Result<string>> => {
    if (picture !== null && !(await isPictureOf(picture, capture))) return NOT_EDITED;
    const known = picture === null ? undefined : basis;
    if (!(await drafts.isDrawnOn(capture.path, known))) return ok(picture ?? capture.path);
    if (!isUnedited) return NOT_APPLIED;
    return picture === null ? copyOf(capture.path) : ok(picture);
  };

  /** As if it were edited: the queue uploads no picture that has a drawing beside it. */
  const copyOf = async (path: string): Promise<Result<string>> => {
    const copied = join(deps.spoolDir, `${deps.random.uuid()}.png`);
    try {
      await copyFile(path, copied);
      return ok(copied);
    } catch (error) {
      await rm(copied, { force: true });
      return diskFullOrThrow(error);
    }
  };

  const copy = async (request: Parameters<CaptureApi['copy']>[0]): Promise<Result<CommandOutput<'capture.copy'>>> => {
    const capture = find(request.id);
    if (!capture || finishing.has(request.id)) return NOT_IN_EDITOR;
    if (!clipboard?.writePicture) return NO_CLIPBOARD;
    const picture = await leavingPicture(capture, request);
    if (!picture.ok) return picture;
    const copied = await clipboard.writePicture(await readFile(picture.value));
    return copied.ok ? DONE : copied;
  };

  return {
    shown() {
      const capture = current();
      return capture ? shownOf(capture) : null;
    },
    find,
    async undrawn(id) {
      const capture = find(id);
      return capture ? leavingPicture(capture, { picture: null }) : NOT_IN_EDITOR;
    },
    copy(request) {
      const { picture } = request;
      const copied = copying
        .then(() => copy(request))
        .finally(() => (picture === null ? undefined : rm(picture, { force: true })));
      copying = copied.catch(() => {});
      return copied;
    },
    async finish(request) {
      const { id, picture, after, share = {}, isReviewed } = request;
      const capture = find(id);
      if (!capture || finishing.has(id)) {
        if (picture !== null) await rm(picture, { force: true });
        return NOT_IN_EDITOR;
      }
      finishing.add(id);
      try {
        await copying;
        const leaving = await leavingPicture(capture, request);
        if (!leaving.ok) {
          if (picture !== null) await rm(picture, { force: true });
          return leaving;
        }
        return await actions.run(capture, { picture: leaving.value, after, share, isReviewed });
      } finally {
        finishing.delete(id);
        onChange();
      }
    },
    discard() {
      const capture = current();
      if (!capture || finishing.has(capture.id)) return;
      if (capture.item === undefined) {
        discarded.add(capture);
        return;
      }
      // Its item still waits in the queue.
      pending.drop(capture.id);
      onChange();
    },
  };
};

/** Accepts a PNG of at most the original size and the largest background: the editor enlarges it by nothing else. */
const isPictureOf = async (path: string, { width, height }: PendingCapture): Promise<boolean> => {
  const size = await measurePicture(path);
  const margins = 2 * Math.round(Math.sqrt(width * height) * BACKDROP_MAX.padding);
  return size !== null && size.width <= width + margins && size.height <= height + margins + BACKDROP_MAX.titleBar;
};

const shownOf = ({ id, item, name, width, height, takenAt }: PendingCapture): CaptureSession => ({
  state: 'editing',
  ...{ id, name, width, height, takenAt },
  ...(item !== undefined && { item }),
});
