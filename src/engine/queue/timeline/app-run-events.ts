/**
 * Adds events to the timelines of active items when the app closes and when it starts again. An active item with a
 * timeline, but without a recorded close, means that the last run was killed.
 */
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { TimelineEventDataOf } from '../../../ipc/protocol/timeline.ts';
import type { Clock } from '../../ports.ts';
import { hasWork } from '../queue-item-states.ts';
import type { QueueStore } from '../queue-store.ts';
import { progressOf } from './timeline-reducer.ts';
import type { Timeline } from './timeline-store.ts';

export interface AppRunEventDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: QueueStore;
  readonly timeline: Timeline;
  /** Whether the user has paused the whole queue. */
  readonly paused: () => boolean;
}

const isActive = (item: QueueItem): boolean => hasWork(item) && item.intent === 'run' && item.error === null;

const activeItems = ({ store, paused }: AppRunEventDeps): readonly QueueItem[] =>
  paused() ? [] : store.all().filter(isActive);

const interruptedBy = (
  item: QueueItem,
  by: 'closed' | 'killed',
  until: number | null,
): TimelineEventDataOf<'interrupted'> => ({
  kind: 'interrupted',
  by,
  failure: null,
  ...progressOf(item),
  until,
  times: 1,
});

/** Call before work starts. */
export const recordStart = (deps: AppRunEventDeps): void => {
  const { clock, timeline } = deps;
  for (const item of activeItems(deps)) {
    const events = timeline.of(item.id);
    const wasClosed = events.some(
      ({ data }) => data.kind === 'interrupted' && data.by === 'closed' && data.until === null,
    );
    if (wasClosed) timeline.record([item.id], { kind: 'over', of: 'error' });
    // Without any events the item comes from a version that recorded none.
    else if (events.length > 0) timeline.record([item.id], interruptedBy(item, 'killed', clock.now()));
  }
};

/** Call when all work has stopped. */
export const recordEnd = (deps: AppRunEventDeps): void => {
  for (const item of activeItems(deps)) deps.timeline.record([item.id], interruptedBy(item, 'closed', null));
};
