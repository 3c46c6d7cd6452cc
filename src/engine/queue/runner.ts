/**
 * Runs the queue: picks what may go on, in its order, and saves what every step leads to. Nothing wedges it: a fault
 * becomes the item's trouble with a time to try again, and only what a person must mend waits for a person.
 */

import type { Afterwards } from '../../contract/app/link-settings.ts';
import type { QueueItem, QueueItemIn } from '../../contract/app/queue-item.ts';
import { type Failure, failure, type Result, retryOf } from '../../contract/errors.ts';
import type { AccountId, ItemId } from '../../contract/ids.ts';
import type { Session } from '../account/session.ts';
import { isSentWhole } from '../upload/whole.ts';
import { LONGEST_BACKOFF_MS } from './backoff.ts';
import {
  type CancelOutcome,
  cancelAbandoned,
  cancelCompleting,
  cancelNote,
  cancelPost,
  cancelPublished,
  isPlainToCancel,
  leftBehind,
} from './cancel.ts';
import { baseOf, hasWork, type WorkItem } from './item.ts';
import { createMissingSources } from './missing.ts';
import { makeRoom } from './room.ts';
import { type Outcome, type StepDeps, step } from './step.ts';
import type { QueueStore } from './store.ts';
import { type Circumstance, verdictOn } from './trouble.ts';

export interface RunnerDeps extends Omit<StepDeps, 'manifest' | 'saveManifest' | 'confirmed' | 'uploads' | 'unsent'> {
  readonly store: QueueStore;
  /** What work for this account needs; null: for the active one. */
  readonly session: (accountId: AccountId | null) => Result<Session>;
  readonly itemsAtOnce: () => number;
  readonly paused: () => boolean;
  /** A failure that may concern the whole connection of this account. */
  readonly report: (failure: Failure, accountId: AccountId | null) => void;
  readonly onLinked: (item: QueueItemIn<'linked'>) => void;
  /** The item is out of the queue without having been published. */
  readonly onCancelled: (item: QueueItem) => void;
}

export interface Runner {
  /** Something has changed: look at the whole queue again. */
  wake(): void;
  /** Ends the work on these items; what they have reached is kept. Completion is never broken off. */
  interrupt(ids: readonly ItemId[]): void;
  /** The service has answered as this account: troubles that came from not reaching it are over. */
  connected(accountId: AccountId): void;
  close(): Promise<void>;
}

type Role = 'prepare' | 'hash' | 'send' | 'cancel';

/** A long one must not hold back the short ones behind it. */
const PREPARED_AT_ONCE = 3;
/** Hashed items that wait for their turn; hashing further ahead gains nothing and reads files too early. */
const HASHED_AHEAD = 2;
/** A place for another upload is free once the one that gave it up is cancelled. */
const ROOM_MS = 2_000;

export const createRunner = (deps: RunnerDeps): Runner => {
  const { store, clock } = deps;
  const running = new Map<
    ItemId,
    { readonly role: Role; readonly abort: AbortController; readonly done: Promise<void> }
  >();
  /** When troubled items are due, in monotonic time: a clock that jumps must not make them wait for days. */
  const due = new Map<ItemId, { readonly retryAt: number; readonly at: number }>();
  const closing = new AbortController();
  let napping: AbortController | null = null;
  let isWoken = false;
  let tidying: Promise<void> = Promise.resolve();

  const missing = createMissingSources({ ...deps, onBack: () => wake() }, closing.signal);

  const stepDeps: StepDeps = {
    ...deps,
    uploads: new Map(),
    unsent: new Set(),
    manifest: store.manifest,
    saveManifest: store.saveManifest,
    confirmed(id, confirmedBytes) {
      const item = store.get(id);
      if (item?.state === 'started') store.save({ ...item, confirmedBytes, attempts: 0, trouble: null });
    },
  };

  const dueAt = (item: QueueItem): number | null => {
    if (!item.trouble) return 0;
    const { retryAt } = item.trouble;
    if (retryAt === null) return null;
    const known = due.get(item.id);
    if (known?.retryAt === retryAt) return known.at;
    const wait = Math.min(Math.max(0, retryAt - clock.now()), 3 * LONGEST_BACKOFF_MS);
    const at = clock.monotonic() + wait;
    due.set(item.id, { retryAt, at });
    return at;
  };

  const trouble = (id: ItemId, reason: Failure, circumstance: Circumstance = 'plain') => {
    const item = store.get(id);
    if (!item) return;
    store.note({ ...item, ...verdictOn(item, reason, circumstance, deps) });
    missing.watch(store.get(id));
  };

  /** What the failure is once everything was done that may end it. */
  const eased = (id: ItemId, reason: Failure): Failure => {
    const item = store.get(id);
    if (reason.code !== 'UPLOAD_USER_BUSY' || item?.state !== 'hashed' || item.accountId === null) return reason;
    if (!makeRoom(deps, item.accountId)) return reason;
    tidy();
    return { ...reason, afterMs: ROOM_MS };
  };

  /**
   * Person-owned fields may have changed while a step ran; they are taken from the row as it is now. What was published
   * has its link only when all that is wished of it is `fulfilled`.
   */
  const merged = (next: QueueItem, fulfilled: Afterwards | null = null): QueueItem | null => {
    const now = store.get(next.id);
    if (!now) return null;
    const { position, share, afterwards, intent } = now;
    if (next.state !== 'linked') return { ...next, position, share, afterwards, intent };
    const published = { position, share, intent: 'run' } as const;
    if (afterwards === fulfilled) return { ...next, ...published, afterwards: null };
    const { content } = next;
    return { ...baseOf(next), ...published, afterwards, state: 'published', content };
  };

  const settle = (outcome: Outcome, id: ItemId, signal: AbortSignal) => {
    if ('to' in outcome) {
      const next = merged(outcome.to, outcome.fulfilled);
      if (!next) return;
      const saved = saveStep(next, outcome);
      if (!saved.ok) trouble(id, saved.error);
      else if (next.state === 'linked') deps.onLinked(next);
      return;
    }
    const { failure: reason, instead, abandoned, circumstance } = outcome;
    const fallback = instead && merged(instead);
    if (fallback) store.note(fallback);
    if (abandoned && fallback?.accountId) {
      store.abandon({ uploadId: abandoned, accountId: fallback.accountId, abandonedAt: clock.now() });
      tidy();
    }
    if (signal.aborted && reason.code === 'CANCELLED') return;
    deps.report(reason, store.get(id)?.accountId ?? null);
    trouble(id, eased(id, reason), circumstance);
  };

  const saveStep = (next: QueueItem, { manifest }: Extract<Outcome, { to: QueueItem }>): Result<void> => {
    if (next.state === 'hashed' && manifest) return store.saveHashed(next, manifest);
    return next.state === 'linked' ? store.saveLinked(next) : store.save(next);
  };

  const drop = (item: QueueItem) => {
    const removed = store.remove(item.id, leftBehind(item, clock));
    if (!removed.ok) return trouble(item.id, removed.error);
    due.delete(item.id);
    deps.onCancelled(item);
    tidy();
  };

  const ending = async (item: QueueItem, session: Session, signal: AbortSignal): Promise<CancelOutcome> => {
    switch (item.state) {
      case 'completing':
        return await cancelCompleting(item, session, stepDeps, signal);
      case 'posting':
        return await (item.job.kind === 'note' ? cancelNote : cancelPost)(item, session, stepDeps, signal);
      case 'published':
        return await cancelPublished(item, session, signal);
      default:
        return { end: 'gone' };
    }
  };

  const cancel = async (item: QueueItem, signal: AbortSignal) => {
    if (isPlainToCancel(item)) return drop(item);
    const session = deps.session(item.accountId);
    if (!session.ok) return trouble(item.id, session.error);
    const outcome = await ending(item, session.value, signal);
    switch (outcome.end) {
      case 'gone':
        return drop(item);
      case 'published':
        return settle({ to: outcome.item }, item.id, signal);
      case 'unknown':
        return settle({ failure: outcome.failure }, item.id, signal);
    }
  };

  const advance = async (item: WorkItem, signal: AbortSignal) => {
    const session = deps.session(item.accountId);
    if (!session.ok) return trouble(item.id, session.error);
    settle(await step(item, session.value, stepDeps, signal), item.id, signal);
  };

  const launch = (item: WorkItem | QueueItemIn<'unreadable'>, role: Role) => {
    const abort = new AbortController();
    const work = role === 'cancel' || !hasWork(item) ? cancel(item, abort.signal) : advance(item, abort.signal);
    const done = work
      .catch((error: unknown) => {
        // A bug, or a broken disk: the item waits, the others go on.
        trouble(
          item.id,
          failure('APP_FAILED', `Linkshot failed here: ${error instanceof Error ? error.message : error}`),
        );
      })
      .finally(() => {
        running.delete(item.id);
        wake();
      });
    running.set(item.id, { role, abort, done });
  };

  const roleOf = (item: QueueItem): Role | null => {
    if (item.intent === 'cancel') return item.state === 'linked' ? null : 'cancel';
    if (!hasWork(item) || item.intent === 'pause' || deps.paused()) return null;
    switch (item.state) {
      case 'queued':
        return item.job.kind === 'note' ? 'send' : 'prepare';
      case 'prepared':
        return item.job.kind === 'folder' || isSentWhole(item) ? 'send' : 'hash';
      default:
        return 'send';
    }
  };

  /** Hashed items that only lack a free slot. */
  const countReady = () =>
    store.all().filter((item) => item.state === 'hashed' && !item.trouble && !running.has(item.id) && roleOf(item))
      .length;

  const isFree = (role: Role): boolean => {
    const busy = [...running.values()].filter((run) => run.role === role).length;
    switch (role) {
      case 'cancel':
        return true;
      case 'prepare':
        return busy < PREPARED_AT_ONCE;
      case 'hash':
        return busy === 0 && countReady() < HASHED_AHEAD;
      case 'send':
        return busy < deps.itemsAtOnce();
    }
  };

  /** One look at the queue, in its order. Answers when the next troubled item is due, in monotonic time. */
  const look = (): number => {
    let next = Number.POSITIVE_INFINITY;
    for (const item of store.all()) {
      const role = running.has(item.id) || item.state === 'linked' ? null : roleOf(item);
      if (role === null || item.state === 'linked') continue;
      const at = dueAt(item);
      if (at === null) continue;
      if (at > clock.monotonic()) next = Math.min(next, at);
      else if (isFree(role)) launch(item, role);
    }
    return next;
  };

  const wake = () => {
    napping?.abort();
    if (isWoken || closing.signal.aborted) return;
    isWoken = true;
    queueMicrotask(() => {
      isWoken = false;
      if (closing.signal.aborted) return;
      const next = look();
      if (next === Number.POSITIVE_INFINITY) return;
      napping = new AbortController();
      clock.sleep(Math.max(1, next - clock.monotonic()), napping.signal).then(wake, () => {});
    });
  };

  /** One run after the other, so that what is given up during a run is seen by the next. */
  const tidy = () => {
    const everyAccount = async () => {
      for (const accountId of new Set(store.abandoned().map((upload) => upload.accountId))) {
        const session = deps.session(accountId);
        if (session.ok) await cancelAbandoned(store, session.value, clock, closing.signal);
      }
    };
    tidying = tidying
      .then(everyAccount)
      // The rows are still there for the next connection; the service forgets such uploads by itself, too.
      .catch(() => {});
  };

  for (const item of store.all()) missing.watch(item);

  return {
    wake,
    interrupt(ids) {
      for (const id of ids) {
        const state = store.get(id)?.state;
        if (state !== 'completing' && state !== 'posting' && state !== 'published') running.get(id)?.abort.abort();
      }
    },
    connected(accountId) {
      for (const item of store.all()) {
        const isTheirs = item.accountId === null || item.accountId === accountId;
        if (isTheirs && isOver(item, deps.session(item.accountId))) store.note({ ...item, trouble: null });
      }
      tidy();
      wake();
    },
    async close() {
      closing.abort();
      napping?.abort();
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      await tidying;
    },
  };
};

const REACHING = new Set<Failure['code']>([
  'CONNECTION_REFUSED',
  'SERVER_UNREACHABLE',
  'NETWORK_FAILED',
  'REPLY_TIMEOUT',
  'NOT_THE_SERVICE',
  'REDIRECT_REFUSED',
  'TLS_FAILED',
  'KEY_STORE_FAILED',
  'ACCOUNT_MISMATCH',
]);

/** Whether an answer of the service, as this account, ends the item's trouble. */
const isOver = ({ trouble }: QueueItem, session: Result<Session>): boolean => {
  if (!trouble || !session.ok) return false;
  const { code } = trouble.failure;
  return REACHING.has(code) || retryOf(code) === 'reconnect';
};
