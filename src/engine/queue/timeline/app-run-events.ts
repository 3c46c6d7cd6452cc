/**
 * Adds events to the timelines of active items when the app closes and when it starts again. An active item with a
 * timeline, but without a recorded close, means that the last run was killed.
 */
import type { ItemId } from '../../../api/ids.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { TimelineEvent, TimelineEventDataOf } from '../../../ipc/protocol/timeline.ts';
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
  /** `resting`: this run does not upload. */
  readonly queue: 'resting' | undefined;
}

export interface AppRunEvents {
  /** Call before work starts. */
  recordStart(): void;
  /** Call when all work has stopped. */
  recordEnd(): void;
}

const isActive = (item: QueueItem): boolean => hasWork(item) && item.intent === 'run' && item.error === null;

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

const wasClosed = (events: readonly TimelineEvent[]): boolean =>
  events.some(({ data }) => data.kind === 'interrupted' && data.by === 'closed' && data.until === null);

export const createAppRunEvents = ({ clock, store, timeline, paused, queue }: AppRunEventDeps): AppRunEvents => {
  const activeItems = (): readonly QueueItem[] => (paused() ? [] : store.all().filter(isActive));
  /** The items that a resting run found active: the next run that uploads records how their last one ended. */
  const foundActive = new Set<ItemId>();

  return {
    recordStart() {
      for (const item of activeItems()) {
        if (queue === 'resting') {
          foundActive.add(item.id);
          continue;
        }
        const events = timeline.of(item.id);
        if (wasClosed(events)) timeline.record([item.id], { kind: 'over', of: 'error' });
        // Without any events the item comes from a version that recorded none.
        else if (events.length > 0) timeline.record([item.id], interruptedBy(item, 'killed', clock.now()));
      }
    },
    recordEnd() {
      // A resting run may have resumed items that were not active when the last one closed.
      for (const item of activeItems())
        if (!foundActive.has(item.id) && !wasClosed(timeline.of(item.id)))
          timeline.record([item.id], interruptedBy(item, 'closed', null));
    },
  };
};
