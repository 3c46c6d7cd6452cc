/**
 * Runs the queue: picks items in order and persists the result of every step. An error becomes part of its item, with
 * the time of the next attempt, or with none where the user must fix it.
 */

import type { Content } from '../../api/content.ts';
import { type Failure, failure, type Result } from '../../api/errors.ts';
import type { AccountId, ContentId, ItemId, Sha256 } from '../../api/ids.ts';
import { messageOf } from '../../base/common/error-text.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import { isCancelBlocked } from '../../ipc/protocol/is-cancel-blocked.ts';
import type { PostPublishSettings } from '../../ipc/protocol/link-settings.ts';
import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import { createSequencersOf } from '../sequencer.ts';
import { hasFreeSlot, type Role } from './concurrency-rules.ts';
import { freeUploadSlot } from './free-upload-slot.ts';
import { privateUntilApplied } from './link/requested-link-settings.ts';
import { createOrphanedUploads, orphanOf } from './orphaned-uploads.ts';
import { baseOf, hasWork, type WorkItem } from './queue-item-states.ts';
import type { QueueStore } from './queue-store.ts';
import { createMissingSourceWatcher } from './retry/missing-source-watcher.ts';
import { createRetrySchedule, decideRetry, isConnectionError, type RetryContext } from './retry/retry-policy.ts';
import { cancelStep, canRemoveDirectly } from './steps/cancel.ts';
import type { Outcome, StepDeps } from './steps/step-outcome.ts';
import { roleOf, runStep } from './steps/step-table.ts';

export interface RunnerDeps
  extends Omit<StepDeps, 'manifest' | 'saveManifest' | 'confirmed' | 'isCancelled' | 'uploads' | 'unsent' | 'take'> {
  readonly store: QueueStore;
  /** As in `Connections`. */
  readonly session: (accountId: AccountId | null, meantFor?: Sha256) => Result<Session>;
  readonly itemsAtOnce: () => number;
  readonly paused: () => boolean;
  /** Whether an item of this profile's queue was published with that link, also one that has left the queue. */
  readonly isPublished: (id: ContentId) => boolean;
  /** A failure that may concern the whole connection of this account. */
  readonly report: (failure: Failure, accountId: AccountId | null) => void;
  /** Shows what an item that is cancelled has left at the service. */
  readonly notify: (failure: Failure) => void;
  readonly onLinked: (item: QueueItemIn<'linked'>) => void;
  /** The item has left the queue without being published. */
  readonly onCancelled: (item: QueueItem) => void;
}

export interface Runner {
  start(): void;
  /** Call after a change: examines the whole queue again. */
  wake(): void;
  /** Stops the work on these items and keeps their progress. Completion is never interrupted. */
  interrupt(ids: readonly ItemId[]): void;
  /** Removes an item whose cancellation needs the user, although it may be published. False: it is no such item. */
  abandon(id: ItemId): boolean;
  /**
   * Runs `change` after all other changes of the item. Interrupts the work on the item as `interrupt` does, and
   * starts none meanwhile, except cancelling. `change` must not hold the same item.
   */
  hold<T>(id: ItemId, change: () => Promise<T>): Promise<T>;
  /** The service has answered as this account: clears errors caused by its being unreachable. */
  connected(accountId: AccountId): void;
  close(): Promise<void>;
}

/** Wait after a slot was requested: it becomes free once the other upload is cancelled. */
const SLOT_WAIT_MS = 2_000;

export const createRunner = (deps: RunnerDeps): Runner => {
  const { store, clock } = deps;
  const running = new Map<
    ItemId,
    { readonly role: Role; readonly abort: AbortController; readonly done: Promise<void> }
  >();
  const closing = new AbortController();
  /** Number of active holds per item. */
  const holds = new Map<ItemId, number>();
  const changes = createSequencersOf<ItemId>();
  let sleeping: AbortController | null = null;
  let isScheduled = false;

  const schedule = createRetrySchedule(clock);
  const orphans = createOrphanedUploads(deps, closing.signal);
  const missingSources = createMissingSourceWatcher({ ...deps, onBack: () => wake() }, closing.signal);

  /** Published items that a search of this run has found, and whose rows are not written yet. */
  const taken = new Map<ContentId, ItemId>();
  const ownerOf = (content: ContentId): ItemId | undefined =>
    store.all().find((item) => 'content' in item && item.content.id === content)?.id ?? taken.get(content);

  const stepDeps: StepDeps = {
    ...deps,
    uploads: new Map(),
    unsent: new Set(),
    manifest: store.manifest,
    saveManifest: store.saveManifest,
    isCancelled: (id) => store.get(id)?.intent === 'cancel',
    take(content, by) {
      if (deps.isPublished(content) || (ownerOf(content) ?? by) !== by) return false;
      taken.set(content, by);
      return true;
    },
    confirmed(id, confirmedBytes) {
      const item = store.get(id);
      if (item?.state === 'started') store.save({ ...item, confirmedBytes, attempts: 0, error: null });
    },
  };

  const fail = (id: ItemId, reason: Failure, context: RetryContext = 'plain') => {
    const item = store.get(id);
    if (!item) return;
    store.note({ ...item, ...decideRetry(item, reason, context, deps) });
    missingSources.watch(store.get(id));
  };

  /** Tries to resolve the cause of a failure; returns the failure that remains. */
  const resolveCause = (id: ItemId, reason: Failure): Failure => {
    const item = store.get(id);
    if (reason.code !== 'UPLOAD_USER_BUSY' || item?.state !== 'hashed' || item.accountId === null) return reason;
    if (!freeUploadSlot(deps, item.accountId)) return reason;
    orphans.cancel();
    return { ...reason, afterMs: SLOT_WAIT_MS };
  };

  /**
   * Fields that the user owns may have changed during a step, so they are taken from the current row. A published item
   * becomes linked only when all its requested settings were `applied`, and when the user has not cancelled it meanwhile:
   * its link was not delivered, so cancelling deletes it at the service. What an upload has completed stays.
   */
  const merged = (next: QueueItem, applied: PostPublishSettings | null = null): QueueItem | null => {
    const now = store.get(next.id);
    if (!now) return null;
    const { position, intent } = now;
    const isKeyNew = next.state !== now.state && (next.state === 'posting' || next.state === 'completing');
    const { share, postPublish } = isKeyNew ? privateUntilApplied(now) : now;
    if (next.state !== 'linked') return { ...next, position, share, postPublish, intent };
    const isToBeDeleted = intent === 'cancel' && (now.state === 'posting' || now.state === 'published');
    const published = { position, share, intent: isToBeDeleted ? intent : 'run' } as const;
    if (postPublish === applied && !isToBeDeleted) return { ...next, ...published, postPublish: null };
    const { content } = next;
    return { ...baseOf(next), ...published, postPublish, state: 'published', content };
  };

  const applyOutcome = (outcome: Outcome, id: ItemId, signal: AbortSignal) => {
    if ('to' in outcome) {
      const next = merged(outcome.to, outcome.applied);
      if (!next) return;
      const saved = saveStep(next, outcome);
      if (!saved.ok) fail(id, saved.error);
      else if (next.state === 'linked') deps.onLinked(next);
      return;
    }
    const { failure: reason, instead, orphaned: uploadId, context } = outcome;
    const fallback = instead && merged(instead);
    if (fallback) store.note(fallback);
    if (uploadId && fallback?.accountId) {
      store.addOrphanedUpload({ uploadId, accountId: fallback.accountId, orphanedAt: clock.now() });
      orphans.cancel();
    }
    if (reason.code === 'CANCELLED' && (signal.aborted || stepDeps.isCancelled(id))) return;
    deps.report(reason, store.get(id)?.accountId ?? null);
    fail(id, resolveCause(id, reason), context);
  };

  const saveStep = (next: QueueItem, { manifest }: Extract<Outcome, { to: QueueItem }>): Result<void> => {
    if (next.state === 'hashed' && manifest) return store.saveHashed(next, manifest);
    return next.state === 'linked' ? store.saveLinked(next) : store.save(next);
  };

  const drop = (item: QueueItem) => {
    if (!store.get(item.id)) return;
    const removed = store.remove(item.id, orphanOf(item, clock));
    if (!removed.ok) return fail(item.id, removed.error);
    schedule.forget(item.id);
    deps.onCancelled(item);
    orphans.cancel();
  };

  const sessionOf = ({ accountId, meantFor }: QueueItem) => deps.session(accountId, meantFor);

  /** A published item that cannot be deleted gets its link after all, with all its settings. */
  const keep = (id: ItemId, content: Content, reason: Failure) => {
    const item = store.get(id);
    if (!item) return;
    store.note({ ...baseOf(item), intent: 'run', attempts: 0, error: null, state: 'published', content });
    deps.notify({ ...reason, params: { ...reason.params, name: item.name } });
  };

  const cancel = async (item: QueueItem, signal: AbortSignal) => {
    if (canRemoveDirectly(item)) return drop(item);
    const session = sessionOf(item);
    if (!session.ok) return fail(item.id, session.error);
    const outcome = await cancelStep(item, session.value, stepDeps, signal);
    switch (outcome.end) {
      case 'gone':
        return drop(item);
      case 'published':
        return applyOutcome({ to: outcome.item }, item.id, signal);
      case 'undeletable':
        return keep(item.id, outcome.content, outcome.failure);
      case 'unknown':
        return applyOutcome({ failure: outcome.failure }, item.id, signal);
    }
  };

  const advance = async (item: WorkItem, signal: AbortSignal) => {
    const session = sessionOf(item);
    if (!session.ok) return fail(item.id, session.error);
    applyOutcome(await runStep(item, session.value, stepDeps, signal), item.id, signal);
  };

  const launch = (item: WorkItem | QueueItemIn<'unreadable'>, role: Role) => {
    const abort = new AbortController();
    const work = role === 'cancel' || !hasWork(item) ? cancel(item, abort.signal) : advance(item, abort.signal);
    const done = work
      .catch((error: unknown) => {
        // A bug, or a broken disk: the item waits, the others continue.
        fail(item.id, failureOfThrown(error, `Something went wrong in Linkshot: ${messageOf(error)}`));
      })
      .finally(() => {
        running.delete(item.id);
        wake();
      });
    running.set(item.id, { role, abort, done });
  };

  const wantedRole = (item: QueueItem) => roleOf(item, deps.paused);

  /** Number of hashed items that only wait for a free slot. */
  const countReady = () =>
    store.all().filter((item) => item.state === 'hashed' && !item.error && !running.has(item.id) && wantedRole(item))
      .length;

  const hasSlot = (role: Role) =>
    hasFreeSlot(role, {
      running: [...running.values()].map((run) => run.role),
      itemsAtOnce: deps.itemsAtOnce,
      countReady,
    });

  /** Goes through the queue in order and starts work. Returns when the next failed item is due, in monotonic time. */
  const launchDue = (): number => {
    let next = Number.POSITIVE_INFINITY;
    for (const item of store.all()) {
      const role = running.has(item.id) || item.state === 'linked' ? null : wantedRole(item);
      if (role === null || item.state === 'linked' || (holds.has(item.id) && role !== 'cancel')) continue;
      const at = schedule.of(item);
      if (at === null) continue;
      if (at > clock.monotonic()) next = Math.min(next, at);
      else if (hasSlot(role)) launch(item, role);
    }
    return next;
  };

  const wake = () => {
    sleeping?.abort();
    if (isScheduled || closing.signal.aborted) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      if (closing.signal.aborted) return;
      const next = launchDue();
      if (next === Number.POSITIVE_INFINITY) return;
      sleeping = new AbortController();
      clock.sleep(Math.max(1, next - clock.monotonic()), sleeping.signal).then(wake, () => {});
    });
  };

  const interrupt = (ids: readonly ItemId[]) => {
    for (const id of ids) {
      const state = store.get(id)?.state;
      if (state !== 'completing' && state !== 'posting' && state !== 'published') running.get(id)?.abort.abort();
    }
  };

  return {
    start() {
      for (const item of store.all()) missingSources.watch(item);
      wake();
    },
    wake,
    interrupt,
    abandon(id) {
      const item = store.get(id);
      if (!item || !isCancelBlocked(item) || canRemoveDirectly(item)) return false;
      drop(item);
      const detail = `${item.name} was removed from the queue, and may be published.`;
      if (!store.get(id)) deps.notify(failure('MAYBE_PUBLISHED', detail, { params: { name: item.name } }));
      return true;
    },
    async hold(id, change) {
      holds.set(id, (holds.get(id) ?? 0) + 1);
      interrupt([id]);
      try {
        return await changes.run(id, change);
      } finally {
        const left = (holds.get(id) ?? 1) - 1;
        if (left > 0) holds.set(id, left);
        else holds.delete(id);
        wake();
      }
    },
    connected(accountId) {
      for (const item of store.all()) {
        const isTheirs = item.accountId === null || item.accountId === accountId;
        if (isTheirs && isConnectionError(item) && sessionOf(item).ok) store.note({ ...item, error: null });
      }
      orphans.cancel();
      wake();
    },
    async close() {
      closing.abort();
      sleeping?.abort();
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      await orphans.idle();
    },
  };
};
