/**
 * The uploads at the service that nothing here goes on with: each is cancelled there as soon as its account can be
 * reached, so that it holds no place. What does not work now is tried at the next connection.
 */

import type { Result } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import type { Clock } from '../ports.ts';
import type { AbandonedUpload, QueueStore } from './queue-store.ts';

/** The upload that an item leaves behind at the service. */
export const leftBehind = (item: QueueItem, clock: Clock): AbandonedUpload | null =>
  (item.state === 'started' || item.state === 'sent') && item.accountId !== null
    ? { uploadId: item.uploadId, accountId: item.accountId, abandonedAt: clock.now() }
    : null;

/** The service forgets a pending upload by itself after a day (`pendingUploadMs`). */
const FORGET_MS = 24 * 60 * 60_000;

export interface OrphanedUploadsDeps {
  readonly store: QueueStore;
  readonly clock: Clock;
  readonly session: (accountId: AccountId | null) => Result<Session>;
}

export interface OrphanedUploads {
  /** Begins to cancel all that is abandoned by now. */
  cancel(): void;
  /** All that was begun has come to an end. */
  settled(): Promise<void>;
}

/** Ends with `signal`. */
export const createOrphanedUploads = (deps: OrphanedUploadsDeps, signal: AbortSignal): OrphanedUploads => {
  const { store, clock } = deps;
  let running: Promise<void> = Promise.resolve();

  const cancelThoseOf = async ({ client, account }: Session): Promise<void> => {
    for (const { uploadId, accountId, abandonedAt } of store.abandoned()) {
      if (clock.now() - abandonedAt > FORGET_MS) store.forgetAbandoned(uploadId);
      else if (accountId === account.user.id) {
        const headers = { 'x-service-account': accountId };
        const reply = await client.call('cancelUpload', { params: { id: uploadId }, headers }, signal);
        if (signal.aborted) return;
        const isSettled =
          reply.ok || (reply.error.status !== undefined && [404, 409, 410].includes(reply.error.status));
        if (isSettled) store.forgetAbandoned(uploadId);
      }
    }
  };

  const everyAccount = async (): Promise<void> => {
    for (const accountId of new Set(store.abandoned().map((upload) => upload.accountId))) {
      const session = deps.session(accountId);
      if (session.ok) await cancelThoseOf(session.value);
    }
  };

  return {
    cancel() {
      // One run after the other, so that what is given up during a run is seen by the next.
      running = running
        .then(everyAccount)
        // The rows are still there for the next connection; the service forgets such uploads by itself, too.
        .catch(() => {});
    },
    settled: () => running,
  };
};
