/**
 * Cancels uploads at the service that no item continues, as soon as their account is reachable, to free their slots.
 * Failed attempts are retried at the next connection.
 */

import { isRefusedWith, type Result } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import type { Clock } from '../ports.ts';
import type { OrphanedUpload, QueueStore } from './queue-store.ts';

/** The upload that remains at the service when the item is removed. */
export const orphanOf = (item: QueueItem, clock: Clock): OrphanedUpload | null =>
  (item.state === 'started' || item.state === 'sent') && item.accountId !== null
    ? { uploadId: item.uploadId, accountId: item.accountId, orphanedAt: clock.now() }
    : null;

/** The service deletes a pending upload after a day (`pendingUploadMs`). */
const FORGET_MS = 24 * 60 * 60_000;

export interface OrphanedUploadsDeps {
  readonly store: QueueStore;
  readonly clock: Clock;
  readonly session: (accountId: AccountId | null) => Result<Session>;
}

export interface OrphanedUploads {
  /** Starts to cancel all orphaned uploads. */
  cancel(): void;
  /** Resolves when all started cancellations have ended. */
  idle(): Promise<void>;
}

/** Ends with `signal`. */
export const createOrphanedUploads = (deps: OrphanedUploadsDeps, signal: AbortSignal): OrphanedUploads => {
  const { store, clock } = deps;
  let running: Promise<void> = Promise.resolve();

  const cancelThoseOf = async ({ client, account }: Session): Promise<void> => {
    for (const { uploadId, accountId } of store.orphanedUploads()) {
      if (accountId !== account.user.id) continue;
      const headers = { 'x-service-account': accountId };
      const reply = await client.call('cancelUpload', { params: { id: uploadId }, headers }, signal);
      if (signal.aborted) return;
      if (reply.ok || isRefusedWith(reply.error, 404, 409, 410)) store.removeOrphanedUpload(uploadId);
    }
  };

  const forgetDeleted = (): void => {
    for (const { uploadId, orphanedAt } of store.orphanedUploads())
      if (ageMs(orphanedAt, clock.now()) > FORGET_MS) store.removeOrphanedUpload(uploadId);
  };

  const everyAccount = async (): Promise<void> => {
    forgetDeleted();
    for (const accountId of new Set(store.orphanedUploads().map((upload) => upload.accountId))) {
      const session = deps.session(accountId);
      if (session.ok) await cancelThoseOf(session.value);
    }
  };

  return {
    cancel() {
      // Runs are sequential, so that an upload orphaned during a run is handled by the next.
      running = running
        .then(everyAccount)
        // The rows remain for the next connection; the service also deletes such uploads itself.
        .catch(() => {});
    },
    idle: () => running,
  };
};
