/**
 * Deletes items at once or after an undo period, because a deletion is final on the service. A pending deletion is
 * persisted; it is executed early when the app quits, and one that fails is tried again, also at the next start. It
 * delays none of another account. If the service refuses it for good, the item is shown again.
 */

import { type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { AccountId, ItemId } from '../../api/ids.ts';
import { backoffMs } from '../../base/common/backoff.ts';
import { isDue } from '../../base/common/wall-clock.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { mayDelete, type Session } from '../account/account-session.ts';
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

/** The pending deletions of one account. */
interface AccountDeletions {
  wake(): void;
  /** Returns when the next one is due, in the clock's time; null: none left. */
  executeDue(isDue: (at: number) => boolean, signal: AbortSignal): Promise<number | null>;
  /** Resolves when none is being executed and no more will be, after the end of the app has begun. */
  idle(): Promise<void>;
}

export const createDeletions = (deps: DeletionsDeps): Deletions => {
  const { clock, random, library, rows } = deps;
  const closing = new AbortController();
  /** Deletions with a request in flight. */
  const deleting = new Set<ItemId>();
  /** Failures of each deletion in this run that were no refusals. */
  const failures = new Map<ItemId, number>();
  const accounts = new Map<AccountId | null, AccountDeletions>();
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

  /** Accounts are independent: the service of one may be unreachable, or never answer. */
  const createAccountDeletions = (accountId: AccountId | null): AccountDeletions => {
    /** Consecutive failed attempts; an error that is no refusal delays all deletions of the account. */
    let attempts = 0;
    let sleeping: AbortController | null = null;
    let running: Promise<void> | null = null;

    const executeDue: AccountDeletions['executeDue'] = async (isDue, signal) => {
      const pending = library.deleting(accountId);
      const due = pending.filter(({ deletingAt }) => deletingAt !== null && isDue(deletingAt));
      if (due.length === 0) return pending[0]?.deletingAt ?? null;
      // One that always fails must not hold up the others.
      due.sort((one, other) => (failures.get(one.id) ?? 0) - (failures.get(other.id) ?? 0));
      for (const { id } of due) {
        // It may have been undone or postponed while another one was executed.
        const deletingAt = library.get(id)?.deletingAt ?? null;
        if (deletingAt === null || signal.aborted || !isDue(deletingAt)) continue;
        const done = await execute(id, signal);
        if (done.ok) attempts = 0;
        else if (!isRefusal(done.error)) {
          attempts += 1;
          failures.set(id, (failures.get(id) ?? 0) + 1);
          return clock.now() + (done.error.afterMs ?? backoffMs(attempts, random.number()));
        } else if (done.error.code !== 'CANCELLED') abandon(id, done.error);
        failures.delete(id);
      }
      // Of those that were requested while another one was executed.
      return library.deleting(accountId)[0]?.deletingAt ?? null;
    };

    return {
      executeDue,
      wake() {
        sleeping?.abort();
        running ??= (async () => {
          for (;;) {
            const next = await executeDue((at) => isDue(at, clock.now(), UNDO_MS), closing.signal);
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
      },
      async idle() {
        await running;
      },
    };
  };

  const deletionsOf = (accountId: AccountId | null): AccountDeletions => {
    const known = accounts.get(accountId) ?? createAccountDeletions(accountId);
    accounts.set(accountId, known);
    return known;
  };
  const allPending = (): readonly AccountDeletions[] => library.deletingAccounts().map(deletionsOf);

  const executeOnClose = async (): Promise<void> => {
    closing.abort();
    await Promise.all([...accounts.values()].map(({ idle }) => idle()));
    const pending = allPending();
    if (pending.length === 0) return;
    const timeout = new AbortController();
    const ending = new AbortController();
    const late = clock.sleep(CLOSE_MS, ending.signal).then(
      () => timeout.abort(),
      () => {},
    );
    await Promise.allSettled(pending.map(({ executeDue }) => executeDue(() => true, timeout.signal)));
    ending.abort();
    await late;
  };

  return {
    wake() {
      if (closing.signal.aborted) return;
      for (const account of allPending()) account.wake();
    },
    async delete(id, when, signal) {
      const item = library.get(id);
      if (!item) return answer(id, unknownItem());
      const session = deps.sessionOf(id);
      if (!session.ok) return answer(id, session.error);
      if (!mayDelete(session.value)) return answer(id, SCOPE_MISSING);
      if (when === 'now') {
        const done = await execute(id, signal);
        return answer(id, done.ok ? null : done.error);
      }
      // One that is being executed can no longer be undone.
      if (when === 'longer' && (item.deletingAt === null || deleting.has(id))) return answer(id, null);
      library.markDeleting(id, clock.now() + UNDO_MS);
      deps.onChange();
      if (!closing.signal.aborted) deletionsOf(library.accountOf(id)).wake();
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

/**
 * Whether the service refuses the deletion for good. All else may pass or be mended, such as a locked key store or the
 * sign-in page of a network, and so does a full disk: the service may have deleted the item already.
 */
const isRefusal = ({ code }: Failure): boolean => retryOf(code) === 'never' || code === 'SCOPE_MISSING';
