/**
 * Implements the commands that pause, resume, retry, cancel, dismiss and move items of the queue, pause the whole
 * queue, and return the timeline of an item. Changes are persisted, so that they survive a crash; on a full disk,
 * pausing, resuming, retrying and cancelling take effect in memory only, and moving and dismissing are refused.
 */

import { ok, type Result } from '../../api/errors.ts';
import type { AccountId, ItemId } from '../../api/ids.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import type { ItemOwner } from '../account/connections.ts';
import type { CommandsOf } from '../command-types.ts';
import { DONE, done } from '../empty-result.ts';
import type { Library } from '../library/library-store.ts';
import { hasWork, type ItemBase } from './queue-item-states.ts';
import type { QueuePause } from './queue-pause.ts';
import type { Runner } from './queue-runner.ts';
import type { QueueStore } from './queue-store.ts';
import { progressOf, type TimelineChange } from './timeline/timeline-reducer.ts';
import { eventsOf, type Timeline } from './timeline/timeline-store.ts';

export interface QueueCommandsDeps {
  readonly store: QueueStore;
  readonly timeline: Timeline;
  readonly library: Pick<Library, 'get'>;
  readonly runner: Runner;
  readonly paused: QueuePause;
  readonly owner: () => ItemOwner;
  /** What work for this account needs; null: for the active one. */
  readonly session: (accountId: AccountId | null) => Result<Session>;
  readonly onChange: () => void;
}

export const createQueueCommands = ({
  store,
  timeline,
  library,
  runner,
  paused,
  owner,
  session,
  onChange,
}: QueueCommandsDeps): Pick<
  CommandsOf<'queue'>,
  'pause' | 'resume' | 'retry' | 'cancel' | 'dismiss' | 'move' | 'timeline' | 'pauseAll' | 'resumeAll'
> => {
  const each = (
    ids: readonly ItemId[],
    change: (item: QueueItem) => QueueItem | null,
    eventOf: (item: QueueItem) => TimelineChange | undefined = () => undefined,
  ) => {
    for (const id of ids) {
      const item = store.get(id);
      const next = item && change(item);
      if (next) store.note(next, eventOf(item));
    }
  };
  /** Of an item that waits for another service or key: the user asks for it here and now, if anyone can send it. */
  const ownerAfterRetry = ({ accountId, meantFor }: QueueItem): Partial<Pick<ItemBase, 'accountId' | 'meantFor'>> => {
    if (accountId !== null || !meantFor) return {};
    const now = owner();
    if (now.meantFor) return { meantFor: now.meantFor };
    return now.account && session(null).ok ? { accountId: now.account.user.id } : {};
  };
  const pauseEverything = (value: boolean) => {
    if (value === paused.read()) return;
    paused.write(value);
    if (!value) timeline.record(waitingIn(store), { kind: 'over', of: 'queue' });
    else for (const item of store.all().filter(isWaiting)) timeline.record([item.id], pausedWith(item, 'queue'));
    if (value) runner.interrupt(store.all().map(({ id }) => id));
    onChange();
    runner.wake();
  };

  return {
    pause({ ids }) {
      // An item that is being cancelled cannot be paused.
      each(
        ids,
        (item) => (item.state === 'linked' || item.intent === 'cancel' ? null : { ...item, intent: 'pause' }),
        (item) => pausedWith(item, 'item'),
      );
      runner.interrupt(ids);
      runner.wake();
      return DONE;
    },
    resume({ ids }) {
      each(
        ids,
        (item) => (item.intent === 'pause' ? { ...item, intent: 'run', error: errorAfterResume(item) } : null),
        () => ({ kind: 'over', of: 'item' }),
      );
      runner.wake();
      return DONE;
    },
    retry({ ids }) {
      each(
        ids,
        (item) =>
          item.state === 'linked' || item.state === 'unreadable'
            ? null
            : {
                ...item,
                ...ownerAfterRetry(item),
                intent: item.intent === 'cancel' ? 'cancel' : 'run',
                attempts: 0,
                error: null,
              },
        () => ({ kind: 'over', of: 'item' }),
      );
      runner.wake();
      return DONE;
    },
    cancel({ ids }) {
      const rest = ids.filter((id) => !runner.abandon(id));
      each(rest, (item) => (item.state === 'linked' ? null : { ...item, intent: 'cancel', error: null }));
      runner.interrupt(ids);
      runner.wake();
      return DONE;
    },
    dismiss({ ids }) {
      for (const id of ids) {
        if (store.get(id)?.state !== 'linked') continue;
        const removed = store.remove(id, null);
        if (!removed.ok) return removed;
      }
      return DONE;
    },
    move({ id, before }) {
      const moved = store.move(id, before);
      runner.wake();
      return done(moved);
    },
    timeline: ({ id }) => ok({ events: [...eventsOf(timeline.of(id), store.get(id), library.get(id))] }),
    pauseAll() {
      pauseEverything(true);
      return DONE;
    },
    resumeAll() {
      pauseEverything(false);
      return DONE;
    },
  };
};

const pausedWith = (item: QueueItem, what: 'item' | 'queue'): TimelineChange => ({
  kind: 'paused',
  what,
  ...progressOf(item),
  until: null,
  times: 1,
});

const isWaiting = (item: QueueItem): boolean => hasWork(item) && item.intent === 'run';

const waitingIn = (store: QueueStore): ItemId[] =>
  store
    .all()
    .filter(hasWork)
    .map(({ id }) => id);

/** Resuming clears an error that waits for the user; a scheduled retry stays. */
const errorAfterResume = ({ error, state }: QueueItem): QueueItem['error'] =>
  error?.retryAt === null && state !== 'unreadable' ? null : error;
