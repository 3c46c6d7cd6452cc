/**
 * Store of changes to published items that the window shows before the service confirms them. Changes are sent in the
 * order they were made; a change of many items is sent in batches, so that progress can be shown. A failed change is
 * rolled back and listed with its error until the user dismisses it or changes the items again; the other changes stay.
 */

import { createStore } from 'zustand/vanilla';
import type { Content } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { TTL_MS } from '../../../api/limits.ts';
import { retagged } from '../../../api/tag-rules.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import type { ItemChange } from '../../../ipc/protocol/link-settings.ts';

/** The error of a call whose host was lost. */
const HOST_LOST = 'APP_FAILED';
/** Items per request. */
const BATCH_SIZE = 25;

export interface Change {
  readonly number: number;
  readonly ids: readonly ItemId[];
  readonly update: ItemChange;
}

/** A rolled-back change, limited to the items it failed for. */
export interface FailedChange extends Change {
  readonly failure: Failure;
  /** Number of items in the change: more than `ids` if it failed for some only. */
  readonly asked: number;
  /**
   * `unknown`: the host was lost during the change, so some items may have changed. `unanswered`: the reply of the
   * service was lost, so the change may be done. `private`: a link that should be opened once more is private meanwhile.
   */
  readonly outcome: 'unchanged' | 'unknown' | 'unanswered' | 'private';
}

export interface ChangesState {
  /** Sent and not confirmed yet, oldest first. */
  readonly pending: readonly (Change & {
    /** Number of confirmed items. */
    readonly done: number;
  })[];
  readonly failed: readonly FailedChange[];
}

interface Deps {
  readonly transport: PageTransport;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: () => number;
  /** Updates items with the service's current data. */
  readonly applyItems: (items: readonly LibraryItem[]) => void;
  /** A change was rolled back. */
  readonly onFailed: (failed: FailedChange) => void;
}

const isAnswerLost = ({ code, params }: Failure): boolean =>
  (code === 'NETWORK_FAILED' || code === 'REPLY_TIMEOUT') && params?.['isSent'] !== false;

export const createOptimisticChanges = ({ transport, now, applyItems, onFailed }: Deps) => {
  const store = createStore<ChangesState>(() => ({ pending: [], failed: [] }));
  let last = 0;
  let sending: Promise<void> = Promise.resolve();

  const rollBack = (
    change: Change,
    ids: readonly ItemId[],
    failure: Failure,
    outcome: FailedChange['outcome'],
  ): void => {
    const { number, update } = change;
    const failedChange = { number, update, ids, asked: change.ids.length, failure, outcome };
    store.setState(({ failed }) => ({ failed: [...failed, failedChange] }));
    onFailed(failedChange);
  };

  const setDone = ({ number }: Change, done: number): void =>
    store.setState(({ pending }) => ({
      pending: pending.map((change) => (change.number === number ? { ...change, done } : change)),
    }));

  const send = async (change: Change): Promise<void> => {
    const failed: ItemId[] = [];
    let reason: Failure | null = null;
    let outcome: FailedChange['outcome'] = 'unchanged';
    try {
      for (let done = 0; done < change.ids.length; done += BATCH_SIZE) {
        setDone(change, done);
        const ids = change.ids.slice(done, done + BATCH_SIZE);
        const sent = await transport.call('library.update', { ids, change: change.update });
        if (!sent.ok) {
          const left = [...failed, ...change.ids.slice(done)];
          return rollBack(change, left, sent.error, sent.error.code === HOST_LOST ? 'unknown' : outcome);
        }
        const { answers } = sent.value;
        // Before the optimistic change is removed, so that no value flickers.
        applyItems(answers.flatMap(({ item }) => item ?? []));
        for (const { id, item, failure } of answers) {
          if (failure === null) continue;
          if (isAnswerLost(failure)) outcome = 'unanswered';
          else if (outcome === 'unchanged' && change.update.rearm !== undefined && item?.content.oneTime === false)
            outcome = 'private';
          failed.push(id);
          reason ??= failure;
        }
      }
      if (reason) rollBack(change, failed, reason, outcome);
    } finally {
      store.setState(({ pending }) => ({ pending: pending.filter(({ number }) => number !== change.number) }));
    }
  };

  const make = (ids: readonly ItemId[], update: ItemChange): Promise<void> => {
    last += 1;
    const change = { number: last, ids, update, done: 0 };
    store.setState(({ pending, failed }) => ({
      pending: [...pending, change],
      // A new attempt clears the previous error.
      failed: failed.filter((failedChange) => !failedChange.ids.some((id) => ids.includes(id))),
    }));
    const sent = sending.then(() => send(change));
    // A bug in one change must not block the others.
    sending = sent.catch(() => {});
    return sent;
  };

  const dismiss = (number: number): void =>
    store.setState(({ failed }) => ({ failed: failed.filter((failedChange) => failedChange.number !== number) }));

  return {
    store,
    make,
    dismiss,
    retry: (failedChange: FailedChange): Promise<void> => {
      dismiss(failedChange.number);
      return make(failedChange.ids, failedChange.update);
    },
    /** The item with its pending changes applied. */
    withPending: (item: LibraryItem, pending: readonly Change[]): LibraryItem => {
      const updates = pending.flatMap(({ ids, update }) => (ids.includes(item.id) ? [update] : []));
      if (updates.length === 0) return item;
      return {
        ...item,
        content: updates.reduce((content, update) => withRequestedSettings(content, update, now()), item.content),
      };
    },
  };
};

/** Progress of the pending changes of many items; null: there are none. */
export const bulkProgressOf = (
  pending: ChangesState['pending'],
): { readonly done: number; readonly total: number } | null => {
  const long = pending.filter(({ ids }) => ids.length > BATCH_SIZE);
  if (long.length === 0) return null;
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return { done: sum(long.map(({ done }) => done)), total: sum(long.map(({ ids }) => ids.length)) };
};

export type OptimisticChanges = ReturnType<typeof createOptimisticChanges>;

const UNOPENED = { consumedAt: null, readExpiresAt: null, readMaxExpiresAt: null } as const;

/**
 * Predicts the service's result of a change; link and access version are assigned by the service. `now`: milliseconds
 * since 1970-01-01 UTC.
 */
export const withRequestedSettings = (content: Content, update: ItemChange, now: number): Content => {
  if (update.rearm !== undefined) return { ...content, ...UNOPENED, oneTime: true, visibility: update.rearm };
  const { title, tags, visibility, ttl, password, oneTime, expiresAt, viewLimit, allowDownload } = update;
  const limit = viewLimit === undefined ? (content.viewLimit ?? null) : viewLimit;
  return {
    ...content,
    ...(title !== undefined && title.trim() !== '' && { title: title.trim() }),
    tags: retagged(tags ?? content.tags, update),
    ...(visibility !== undefined && { visibility }),
    ...(ttl !== undefined && { expiresAt: ttl === 'forever' ? null : new Date(now + TTL_MS[ttl]).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(password !== undefined && { passwordProtected: password !== '' }),
    ...(oneTime !== undefined && oneTime !== content.oneTime && { ...UNOPENED, oneTime }),
    ...(viewLimit !== undefined && {
      viewLimit: limit,
      viewLimitReachedAt:
        limit !== null && content.views >= limit ? (content.viewLimitReachedAt ?? new Date(now).toISOString()) : null,
    }),
    ...(allowDownload !== undefined && { allowDownload }),
  };
};
