/**
 * Handles captures that wait in the queue until the user has looked at them: opens the editor for the next one as soon
 * as the editor is free, and uploads a capture, edited or unedited, when the user decides so.
 */
import { stat } from 'node:fs/promises';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { CommandsOf } from '../command-types.ts';
import { DONE } from '../empty-result.ts';
import type { Spool } from '../profile/spool.ts';
import type { Runner } from '../queue/queue-runner.ts';
import type { QueueStore } from '../queue/queue-store.ts';
import { NOT_WAITING, waitsForReview } from './check-before-upload.ts';
import { NOT_APPLIED } from './drawing-not-applied.ts';

export interface UploadReviewsDeps {
  readonly store: QueueStore;
  readonly runner: Pick<Runner, 'hold' | 'wake'>;
  readonly spool: Pick<Spool, 'admit'>;
  readonly settings: () => Pick<Settings, 'checkBeforeUpload'>;
  readonly setShare: CommandsOf<'queue'>['setShare'];
  /** Opens the editor for an item; not called while a capture or the editor is open. */
  readonly open: (id: ItemId) => Promise<Result<unknown>>;
  readonly isBusy: () => boolean;
  /** Whether the user has drawn on the picture in the editor. */
  readonly isDrawnOn: (picture: string) => Promise<boolean>;
  /** The item has another picture. */
  readonly onReplaced: (item: QueueItem) => void;
}

export interface UploadReviews extends Pick<CommandsOf<'queue'>, 'approve'> {
  /** The editor opens once the item waits. */
  found(id: ItemId): void;
  /** Call whenever anything has changed. */
  changed(): void;
  /**
   * The user has looked at the item: uploads the picture instead of its own. Errors: CAPTURE_GONE where it no longer
   * waits, COMMAND_INVALID for a picture outside of the spool, those of `queue.setShare`, DISK_FULL.
   */
  finish(id: ItemId, picture: string, share: LinkSettings): Promise<Result<ItemId>>;
}

const RULE = err(
  failure(
    'COMMAND_INVALID',
    'By your settings, a capture is uploaded only after each place that looks secret was decided about in the editor.',
  ),
);

export const createUploadReviews = (deps: UploadReviewsDeps): UploadReviews => {
  const { store, runner, settings } = deps;
  let toOpen: readonly ItemId[] = [];
  let isOpening = false;

  return {
    found(id) {
      toOpen = [...toOpen.filter((one) => one !== id), id];
    },
    changed() {
      if (toOpen.length === 0 || isOpening || deps.isBusy()) return;
      // An item that is still being checked has no error yet.
      toOpen = toOpen.filter((id) => store.get(id)?.state === 'queued');
      const next = toOpen.find((id) => {
        const item = store.get(id);
        return item !== undefined && waitsForReview(item);
      });
      if (next === undefined) return;
      toOpen = toOpen.filter((id) => id !== next);
      isOpening = true;
      const opened = ({ ok: isOpen }: Pick<Result<unknown>, 'ok'>): void => {
        isOpening = false;
        // A capture may have begun meanwhile: the next change tries again.
        if (!isOpen) toOpen = [next, ...toOpen];
      };
      deps.open(next).then(opened, () => opened({ ok: false }));
    },
    async finish(id, picture, share) {
      const waiting = store.get(id);
      if (!waiting || !waitsForReview(waiting)) return NOT_WAITING;
      const admitted = await deps.spool.admit(picture);
      if (!admitted.ok) return admitted;
      // Holds the item itself, so it comes before our own hold: the one inside would wait for the other.
      if (Object.keys(share).length > 0) {
        const set = await deps.setShare({ ids: [id], change: share });
        const refusal = set.ok ? set.value.answers[0]?.failure : set.error;
        if (refusal) return err(refusal);
      }
      return runner.hold(id, async () => {
        const { size } = await stat(picture);
        const item = store.get(id);
        if (!item || !waitsForReview(item)) return NOT_WAITING;
        const isOther = picture !== item.source.path;
        const next: QueueItem = {
          ...{ ...item, size, attempts: 0, error: null, body: null, isReviewed: true, intent: 'run' },
          source: { owner: 'spool', path: picture },
        };
        const saved = store.save(next);
        if (!saved.ok) return saved;
        if (isOther) deps.onReplaced(next);
        return ok(id);
      });
    },
    async approve({ ids, isUnedited }) {
      if (settings().checkBeforeUpload === 'require') return RULE;
      let isRefused = false;
      for (const id of ids) {
        const path = store.get(id)?.source.path;
        const isLeftOut = path !== undefined && !isUnedited && (await deps.isDrawnOn(path));
        const item = store.get(id);
        if (!item || !waitsForReview(item)) continue;
        if (isLeftOut) isRefused = true;
        else store.note({ ...item, isReviewed: true, attempts: 0, error: null, intent: 'run' });
      }
      runner.wake();
      return isRefused ? NOT_APPLIED : DONE;
    },
  };
};
