/**
 * Keeps screenshots that the user discarded in the editor, so that the newest five can be restored for one hour.
 * Deletes the files of older ones, and of all when the app quits.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { CaptureId } from '../../api/ids.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { DiscardedCapture } from '../../ipc/protocol/capture.ts';
import type { Clock } from '../ports.ts';
import { draftPath, type EditorDrafts } from './editor-drafts.ts';
import type { PendingCapture, PendingCaptures } from './pending-captures.ts';

/** How long a discarded screenshot can be restored. */
export const KEPT_MS = 60 * 60_000;
export const KEPT_MOST = 5;
/** Limits the delay after a system suspend or a change of the clock. */
const CHECK_MS = 5 * 60_000;

export interface DiscardedDeps {
  readonly clock: Clock;
  readonly pending: PendingCaptures;
  readonly drafts: EditorDrafts;
  readonly onChange: () => void;
}

export interface DiscardedCaptures {
  /** The newest first. */
  all(): readonly DiscardedCapture[];
  /** Files that belong to discarded screenshots. */
  files(): readonly string[];
  add(picture: PendingCapture): void;
  /** Returns it to the editor. Errors: CAPTURE_GONE. */
  restore(id: CaptureId): Result<void>;
  /** Deletes all of them permanently. */
  clear(): Promise<void>;
  /** Deletes expired ones now, and keeps checking. */
  wake(): void;
  close(): Promise<void>;
}

type DiscardedPicture = PendingCapture & { readonly status: Extract<PendingCapture['status'], { is: 'discarded' }> };
const isDiscarded = (picture: PendingCapture): picture is DiscardedPicture => picture.status.is === 'discarded';

export const createDiscardedCaptures = ({ clock, pending, drafts, onChange }: DiscardedDeps): DiscardedCaptures => {
  const closing = new AbortController();
  let isWatching = false;

  /** Screenshots whose files are being deleted. */
  const removing = new Set<CaptureId>();

  const newestFirst = (): readonly DiscardedPicture[] =>
    pending
      .all()
      .filter(isDiscarded)
      .filter(({ id }) => !removing.has(id))
      .toReversed();

  /** Deletes the files first: a crash in between leaves the list entry, so the next start deletes the rest. */
  const remove = async (pictures: readonly PendingCapture[]): Promise<void> => {
    if (pictures.length === 0) return;
    for (const { id } of pictures) removing.add(id);
    onChange();
    await Promise.all(
      pictures.map(async ({ id, path }) => {
        await Promise.all([rm(path, { force: true }), drafts.drop(path)]);
        pending.drop(id);
        removing.delete(id);
      }),
    );
  };

  const isExpired = ({ status }: DiscardedPicture): boolean => ageMs(status.at, clock.now()) >= KEPT_MS;

  const removeDue = (): Promise<void> =>
    remove(newestFirst().filter((picture, index) => index >= KEPT_MOST || isExpired(picture)));

  const watch = async (): Promise<void> => {
    for (;;) {
      await removeDue();
      const oldest = newestFirst().at(-1);
      if (!oldest) return;
      const left = oldest.status.at + KEPT_MS - clock.now();
      await clock.sleep(Math.min(Math.max(1, left), CHECK_MS), closing.signal);
    }
  };

  const wake = (): void => {
    if (closing.signal.aborted) return;
    if (isWatching) {
      removeDue().catch(() => {});
      return;
    }
    isWatching = true;
    watch()
      // Files that cannot be deleted now are retried at the next start.
      .catch(() => {})
      .finally(() => {
        isWatching = false;
      });
  };

  return {
    all: () => newestFirst().map(({ id, name, status }) => ({ id, name, until: status.at + KEPT_MS })),
    files: () => newestFirst().flatMap(({ path }) => [path, draftPath(path)]),
    add(picture) {
      pending.note({ ...picture, status: { is: 'discarded', at: clock.now() } });
      onChange();
      wake();
    },
    restore(id) {
      const picture = newestFirst().find((one) => one.id === id);
      if (!picture) return NOT_FOUND;
      pending.note({ ...picture, status: { is: 'editing' } });
      onChange();
      return ok(undefined);
    },
    clear: () => remove(newestFirst()),
    wake,
    async close() {
      closing.abort();
      // Discarded screenshots are not kept after a quit.
      await remove(newestFirst());
    },
  };
};

const NOT_FOUND = err(
  failure('CAPTURE_GONE', 'This capture was deleted permanently: discarded captures are kept for an hour.'),
);
