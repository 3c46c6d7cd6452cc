/**
 * Deletes items at once or after an undo period, because a deletion is final on the service. A pending deletion is
 * persisted; it is executed early when the app quits, and one that fails is tried again, also at the next start. If the
 * service refuses it for good, the item is shown again.
 */

import { type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { backoffMs } from '../../base/common/backoff.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import type { Session } from '../account/account-session.ts';
import type { Clock, Random } from '../ports.ts';
import { isGone, type LinkedRows, unknownItem } from './change-items.ts';
import type { DeleteWhen, ItemAnswer } from './library-interface.ts';
import type { Library } from './library-store.ts';
import type { Thumbnails } from './thumbnails.ts';

/** How long a deletion can be undone. */
export const UNDO_MS = 10_000;
/** How long quitting the app waits for pending deletions. */
const CLOSE_MS = 3_000;

export interface DeletionsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly library: Library;
  readonly rows: LinkedRows;
  readonly thumbnails: Thumbnails;
  readonly sessionOf: (id: ItemId) => Result<Session>;
  readonly onChange: () => void;
  /** A background deletion has failed permanently; its item is shown again. */
  readonly notify: (failure: Failure) => void;
}

export interface Deletions {
  delete(id: ItemId, when: DeleteWhen, signal: AbortSignal): Promise<ItemAnswer>;
  undelete(id: ItemId): ItemAnswer;
  /** Executes due deletions; called at the start, and when the service is reachable again. */
  wake(): void;
  close(): Promise<void>;
}

export const createDeletions = (deps: DeletionsDeps): Deletions => {
  const { clock, random, library, rows } = deps;
  const closing = new AbortController();
  /** Consecutive failed attempts; a temporary error delays all deletions, since they use the same service. */
  let attempts = 0;
  /** Deletions with a request in flight. */
  const deleting = new Set<ItemId>();
  let sleeping: AbortController | null = null;
  let running: Promise<void> | null = null;
  let closed: Promise<void> | null = null;

  const answer = (id: ItemId, reason: Failure | null): ItemAnswer => ({ id, item: library.get(id), failure: reason });

  /** Errors: DISK_FULL; the library then still has the item, so that the deletion can be repeated. */
  const removeLocally = (id: ItemId): Result<void> => {
    const removed = rows.remove(id);
    if (!removed.ok) return removed;
    try {
      library.remove(id);
    } catch (error) {
      return diskFullOrThrow(error);
    }
    deps.thumbnails.remove(id).catch(() => {});
    deps.onChange();
    return ok(undefined);
  };

  /** Errors: NOT_CONNECTED, ACCOUNT_MISMATCH, SCOPE_MISSING, DISK_FULL, those of the service. */
  const execute = async (id: ItemId, signal: AbortSignal): Promise<Result<void>> => {
    const item = library.get(id);
    if (!item) return ok(undefined);
    const session = deps.sessionOf(id);
    if (!session.ok) return session;
    deleting.add(id);
    const reply = await session.value.client
      .call('deleteContent', { params: { id: item.content.id } }, signal)
      .finally(() => deleting.delete(id));
    if (!reply.ok && !isGone(reply.error)) return reply;
    return removeLocally(id);
  };

  const abandon = (id: ItemId, reason: Failure) => {
    const item = library.get(id);
    library.markDeleting(id, null);
    if (item) deps.notify({ ...reason, params: { ...reason.params, name: item.name } });
    deps.onChange();
  };

  /** Returns when the next one is due, in the clock's time; null: none left. */
  const executeDue = async (isDue: (at: number) => boolean, signal: AbortSignal): Promise<number | null> => {
    for (const { id } of library.deleting()) {
      // It may have been undone or postponed while another one was executed.
      const deletingAt = library.get(id)?.deletingAt ?? null;
      if (deletingAt === null || signal.aborted) continue;
      if (!isDue(deletingAt)) return deletingAt;
      const done = await execute(id, signal);
      if (done.ok) attempts = 0;
      else if (isPassing(done.error)) {
        attempts += 1;
        return clock.now() + (done.error.afterMs ?? backoffMs(attempts, random.number()));
      } else if (done.error.code !== 'CANCELLED') abandon(id, done.error);
    }
    // Of those that were requested while another one was executed.
    return library.deleting()[0]?.deletingAt ?? null;
  };

  const wake = () => {
    sleeping?.abort();
    if (closing.signal.aborted) return;
    running ??= (async () => {
      for (;;) {
        const next = await executeDue((at) => at <= clock.now(), closing.signal);
        if (next === null || closing.signal.aborted) return;
        sleeping = new AbortController();
        const either = AbortSignal.any([sleeping.signal, closing.signal]);
        // Limits the wait, because a clock that was set back would delay a deletion for days.
        await clock.sleep(Math.min(Math.max(1, next - clock.now()), 2 * UNDO_MS), either).catch(() => {});
      }
    })()
      // Pending deletions are persisted and checked again at the next wake or start.
      .catch(() => {})
      .finally(() => {
        running = null;
      });
  };

  const executeOnClose = async (): Promise<void> => {
    closing.abort();
    await running;
    if (library.deleting().length === 0) return;
    const timeout = new AbortController();
    const ending = new AbortController();
    const late = clock.sleep(CLOSE_MS, ending.signal).then(
      () => timeout.abort(),
      () => {},
    );
    await executeDue(() => true, timeout.signal).catch(() => {});
    ending.abort();
    await late;
  };

  return {
    wake,
    async delete(id, when, signal) {
      const item = library.get(id);
      if (!item) return answer(id, unknownItem());
      const session = deps.sessionOf(id);
      if (!session.ok) return answer(id, session.error);
      const scopes = session.value.account.credential?.scopes;
      if (scopes && !scopes.includes('content:delete')) return answer(id, SCOPE_MISSING);
      if (when === 'now') {
        const done = await execute(id, signal);
        return answer(id, done.ok ? null : done.error);
      }
      // One that is being executed can no longer be undone.
      if (when === 'longer' && (item.deletingAt === null || deleting.has(id))) return answer(id, null);
      library.markDeleting(id, clock.now() + UNDO_MS);
      deps.onChange();
      wake();
      return answer(id, null);
    },
    undelete(id) {
      if (!library.get(id) || deleting.has(id))
        return answer(id, failure('CONTENT_GONE', 'This item has already been deleted.'));
      library.markDeleting(id, null);
      deps.onChange();
      return answer(id, null);
    },
    close() {
      closed ??= executeOnClose();
      return closed;
    },
  };
};
const SCOPE_MISSING = failure(
  'SCOPE_MISSING',
  'The key of this connection lacks the permission to delete. Connect again.',
  {
    params: { scope: 'content:delete' },
  },
);

/** A missing connection is temporary too, and so is a full disk: the service may have deleted the item already. */
const isPassing = ({ code }: Failure): boolean => {
  const retry = retryOf(code);
  return (
    code === 'DISK_FULL' ||
    retry === 'backoff' ||
    retry === 'wait' ||
    (retry === 'reconnect' && code !== 'SCOPE_MISSING')
  );
};
