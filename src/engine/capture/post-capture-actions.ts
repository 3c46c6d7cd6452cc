/**
 * Runs the actions chosen for a screenshot: save a copy, copy to the clipboard, pin, publish. If one fails, the others
 * still run; the screenshot returns to the editor if publishing fails, or if publishing is not requested and every
 * action fails. After a crash the next start saves and publishes what was begun, unless its link has a password, but
 * neither copies nor pins; a screenshot that was only to be copied or pinned is saved.
 */

import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { CaptureId, ItemId } from '../../api/ids.ts';
import { copyFile, readFile, rm } from '../../base/node/retrying-fs.ts';
import { diskFullOrThrow, failureOfThrown } from '../../common/disk-full.ts';
import { type AfterCapture, type Area, SINGLE_ACTION } from '../../ipc/protocol/capture.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { EngineEvent, NewItem } from '../engine-interface.ts';
import type { Clipboard, Clock, PinImage } from '../ports.ts';
import { CLIPBOARD_ENDING } from '../profile/spool.ts';
import type { UploadReviews } from '../upload-check/upload-reviews.ts';
import type { EditorDrafts } from './editor-drafts.ts';
import type { PendingCapture, PendingCaptures } from './pending-captures.ts';

export interface PostCaptureDeps {
  readonly clock: Clock;
  readonly clipboard: Clipboard | null;
  readonly pin?: PinImage | undefined;
  readonly spoolDir: string;
  readonly pending: PendingCaptures;
  readonly drafts: EditorDrafts;
  readonly add: (items: readonly NewItem[]) => Promise<Result<readonly ItemId[]>>;
  readonly queued: () => readonly QueueItem[];
  /** Uploads the picture for an item that waits until the user has looked at it. Errors: CAPTURE_GONE and others. */
  readonly finishReview: UploadReviews['finish'];
  /** Errors: SAVE_FAILED. */
  readonly save: (path: string, name: string) => Promise<Result<string>>;
  readonly emit: (event: EngineEvent) => void;
  readonly notify: (notice: Failure) => void;
}

interface RequestedActions {
  /** Path of the file: edited, or the original. */
  readonly picture: string;
  readonly after: AfterCapture;
  readonly share: LinkSettings;
  /** The user has decided about what looks secret. */
  readonly isReviewed?: true | undefined;
  /** Where its pixels are on the desktop; absent: unknown. */
  readonly area?: Area | undefined;
}

export interface PostCaptureActions {
  /** Resolves to the queue item, or null where publishing is not requested. Errors: those of `add`, SAVE_FAILED. */
  run(pending: PendingCapture, requested: RequestedActions): Promise<Result<ItemId | null>>;
  /** Resumes what a crash interrupted; notifies about each screenshot whose actions fail. */
  resume(): Promise<void>;
  /** Call when the item is published or cancelled: deletes the original that was kept for it. */
  released(id: ItemId): void;
  /**
   * The screenshot that a page should copy to the clipboard and has not fetched yet; null: there is no such screenshot.
   * Only the newest is returned, because it would replace the others on the clipboard; those are saved later.
   */
  pendingCopy(): CaptureId | null;
  /** Path of a screenshot that a page should copy to the clipboard. */
  forClipboard(id: CaptureId): string | null;
  /** Call when a page has copied it. */
  copied(id: CaptureId): void;
  close(): Promise<void>;
}

/** Where the screenshot is stored now; `copied`: by the host itself. */
type Kept = Pick<Extract<EngineEvent, { type: 'kept' }>, 'copied' | 'savedTo'>;

/** A screenshot that a page should copy to the clipboard. */
interface ClipboardCopy {
  readonly path: string;
  /** Differs from that of an earlier copy of the same screenshot. */
  readonly turn: symbol;
  /** `fetched`: the browser may still refuse it. */
  readonly state: 'offered' | 'fetched' | 'copied';
  /** Set where copying is the only action: the screenshot that would be lost if no page copies it. */
  readonly alone: { readonly pending: PendingCapture; readonly picture: string } | null;
}

const NOT_REVIEWED = err(failure('SECRETS_FOUND', 'Decide about each place that looks secret first.'));
const CANNOT_PIN = err(failure('COMMAND_INVALID', 'Images cannot be pinned here.'));

/** A page that is open fetches it immediately, and may wait for a click; after this time it is not copied any more. */
const CLIPBOARD_MS = 2 * 60_000;

const failed =
  (what: 'copied' | 'pinned') =>
  (error: unknown): Result<void> =>
    err(failureOfThrown(error, `The screenshot could not be ${what}: ${String(error)}`));

export const createPostCaptureActions = (deps: PostCaptureDeps): PostCaptureActions => {
  const { clock, clipboard, spoolDir, pending: pictures } = deps;
  /** Whether the file belongs to an item. */
  const isQueued = (path: string): boolean => deps.queued().some(({ source }) => source.path === path);
  const copies = new Map<CaptureId, ClipboardCopy>();
  const closing = new AbortController();

  const withdraw = async (id: CaptureId): Promise<ClipboardCopy | undefined> => {
    const copy = copies.get(id);
    copies.delete(id);
    if (copy) await rm(copy.path, { force: true });
    return copy;
  };

  /** The clipboard gets its own file, because the published file is deleted after the upload. */
  const offerToPages = async ({ id }: PendingCapture, picture: string): Promise<Result<void>> => {
    const path = join(spoolDir, id + CLIPBOARD_ENDING);
    // An earlier one may be a link to the original, which a copy would overwrite.
    await rm(path, { force: true });
    await link(picture, path).catch(() => copyFile(picture, path));
    const turn = Symbol(id);
    copies.set(id, { path, turn, state: 'offered', alone: null });
    deps.emit({ type: 'picture', id });
    clock
      .sleep(CLIPBOARD_MS, closing.signal)
      .then(() => (copies.get(id)?.turn === turn ? withdraw(id) : undefined))
      .then(saveIfNotCopied)
      .catch(() => {});
    return ok(undefined);
  };

  /** Saves a screenshot that was only to be copied and that no page copied. */
  const saveIfNotCopied = async (copy: ClipboardCopy | undefined): Promise<void> => {
    if (!copy?.alone) return;
    const { pending, picture } = copy.alone;
    if (copy.state === 'copied') return discard(pending, picture);
    const saved = await run(pending, { picture, after: SINGLE_ACTION.save, share: {} });
    if (!saved.ok) deps.notify(saved.error);
  };

  /** All requested actions are done. The picture of an item that still waits stays, and what is drawn on it. */
  const discard = async (pending: PendingCapture, picture: string): Promise<void> => {
    pictures.drop(pending.id);
    const owned = [picture, pending.path].filter((path) => !isQueued(path));
    const files = [...new Set(owned)].map((path) => rm(path, { force: true }));
    await Promise.all([...files, isQueued(pending.path) ? undefined : deps.drafts.drop(pending.path)]);
  };

  const copy = async (pending: PendingCapture, picture: string): Promise<Result<void>> =>
    clipboard?.writePicture ? clipboard.writePicture(await readFile(picture)) : offerToPages(pending, picture);

  const pin = async ({ name }: PendingCapture, { picture, area }: RequestedActions): Promise<Result<void>> =>
    deps.pin ? deps.pin({ png: await readFile(picture), name, area: area ?? null }) : CANNOT_PIN;

  const publish = async (
    { name, item }: PendingCapture,
    { picture, share, isReviewed }: RequestedActions,
  ): Promise<Result<ItemId>> => {
    const before = deps.queued().find(({ source }) => source.path === picture);
    if (before && (item === undefined || before.isReviewed)) return ok(before.id);
    if (item !== undefined) return isReviewed ? deps.finishReview(item, picture, share) : NOT_REVIEWED;
    const source = { owner: 'spool', path: picture } as const;
    const added = await deps.add([{ source, name, origin: 'capture', share, ...(isReviewed && { isReviewed }) }]);
    if (!added.ok) return added;
    const [id] = added.value;
    return id ? ok(id) : err(failure('APP_FAILED', 'The capture could not be added to the queue. Try again.'));
  };

  /** Saves, copies and pins as requested; notifies about each failure. */
  const keep = async (pending: PendingCapture, requested: RequestedActions): Promise<Result<Kept>> => {
    const { picture, after } = requested;
    const saved = after.save ? await deps.save(picture, pending.name) : null;
    const copied = after.copyPicture ? await copy(pending, picture).catch(failed('copied')) : null;
    const pinned = after.pin ? await pin(pending, requested).catch(failed('pinned')) : null;
    const done = [saved, copied, pinned].filter((one) => one !== null);
    const failures = done.filter((one) => !one.ok);
    for (const { error } of failures) deps.notify(error);
    const [first] = failures;
    if (first && failures.length === done.length && !after.publish) return first;
    return ok({
      savedTo: saved?.ok ? saved.value : null,
      copied: copied?.ok === true && clipboard?.writePicture !== undefined,
    });
  };

  const attempt = async (pending: PendingCapture, requested: RequestedActions): Promise<Result<ItemId | null>> => {
    const { password, ...share } = requested.share;
    const { picture, after, isReviewed } = requested;
    const markGoing = (rest: AfterCapture) =>
      pictures.put({
        ...pending,
        status: { is: 'going', picture, after: rest, share, ...(isReviewed && { isReviewed }) },
      });
    // A password is never persisted here: without it the screenshot stays in the editor until it is queued.
    const isNoted = password === undefined;
    if (isNoted && pending.status.is !== 'going') markGoing(after);
    const kept = await keep(pending, requested);
    if (!kept.ok) return kept;
    if (!after.publish) {
      const { id, name } = pending;
      const copy = copies.get(id);
      if (copy && kept.value.savedTo === null) {
        // The page reports the copy itself. Until then this is the only copy of the screenshot.
        copies.set(id, { ...copy, alone: { pending, picture } });
        return ok(null);
      }
      // A pinned image is seen; no message is needed.
      if (kept.value.copied || kept.value.savedTo !== null) deps.emit({ type: 'kept', id, name, ...kept.value });
      await discard(pending, picture);
      return ok(null);
    }
    // Finished actions are not repeated after a crash.
    if (isNoted && (after.save || after.copyPicture || after.pin)) markGoing(SINGLE_ACTION.publish);
    const item = await publish(pending, requested);
    if (!item.ok) return item;
    // A full disk does not change that it is queued.
    if (picture === pending.path) pictures.drop(pending.id);
    else pictures.note({ ...pending, status: { is: 'kept', item: item.value } });
    // A copy of the list that still has it in the editor needs its drawing.
    await pictures.written();
    await deps.drafts.drop(pending.path);
    return item;
  };

  const run: PostCaptureActions['run'] = async (pending, requested) => {
    const answer = await attempt(pending, { ...requested, after: withFallback(requested.after) }).catch(
      diskFullOrThrow,
    );
    if (!answer.ok) pictures.note({ ...pending, status: { is: 'editing' } });
    return answer;
  };

  const resumeOne = async (pending: PendingCapture): Promise<void> => {
    const { status } = pending;
    const isUnpublished = status.is !== 'going' || !status.after.publish;
    // The app ended when it was just queued.
    if (pending.item === undefined && isUnpublished && isQueued(pending.path)) return pictures.drop(pending.id);
    const isOver = deps.queued().every(({ id, state }) => id !== pending.item || state !== 'queued');
    if (pending.item !== undefined && status.is === 'editing' && isOver) pictures.drop(pending.id);
    if (status.is === 'kept' && !deps.queued().some(({ id, state }) => id === status.item && state !== 'linked')) {
      await releaseOriginal(pictures, pending);
    }
    if (status.is !== 'going') return;
    // A copy requested before the crash must not overwrite the current clipboard.
    const { pin: _, ...wanted } = status.after;
    const after = { ...wanted, copyPicture: false };
    const resumed = await run(pending, { ...status, after });
    if (resumed.ok) return;
    deps.notify(resumed.error);
    // This file is the only copy of the edits: the next start retries.
    if (status.picture !== pending.path) pictures.note(pending);
  };

  return {
    async run(pending, requested) {
      const answer = await run(pending, requested);
      const { picture } = requested;
      // The editor still has the drawing and sends it again.
      if (!answer.ok && picture !== pending.path && !isQueued(picture)) await rm(picture, { force: true });
      return answer;
    },
    async resume() {
      for (const pending of pictures.all()) {
        await resumeOne(pending).catch((error: Error) => {
          const detail = `A screenshot could not be finished; the next start tries again: ${error.message}`;
          deps.notify(failureOfThrown(error, detail));
        });
      }
    },
    released(item) {
      for (const pending of pictures.all()) {
        const { status } = pending;
        if (status.is === 'kept' && status.item === item) releaseOriginal(pictures, pending).catch(() => {});
        // The item owns the file.
        else if (pending.item === item && status.is === 'editing') pictures.drop(pending.id);
      }
    },
    pendingCopy() {
      const newest = [...copies].at(-1);
      return newest?.[1].state === 'offered' ? newest[0] : null;
    },
    forClipboard(id) {
      const copy = copies.get(id);
      if (!copy) return null;
      if (copy.state === 'offered') copies.set(id, { ...copy, state: 'fetched' });
      return copy.path;
    },
    copied(id) {
      const copy = copies.get(id);
      // A late report may be about an earlier picture of this screenshot.
      if (copy?.state === 'fetched') copies.set(id, { ...copy, state: 'copied' });
    },
    async close() {
      closing.abort();
      // Copied screenshots are done; the next start saves the others.
      const left = await Promise.all([...copies.keys()].map(withdraw));
      await Promise.all(left.map((copy) => (copy?.state === 'copied' ? saveIfNotCopied(copy) : undefined)));
    },
  };
};

const releaseOriginal = async (pictures: PendingCaptures, { id, path }: PendingCapture): Promise<void> => {
  pictures.drop(id);
  await rm(path, { force: true });
};

/** Saves a screenshot that has no other action, so that a capture is never lost. */
const withFallback = (after: AfterCapture): AfterCapture =>
  after.publish || after.copyPicture || after.save || after.pin ? after : { ...after, save: true };
