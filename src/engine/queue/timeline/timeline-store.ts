/**
 * Stores the timeline of each item in the profile, and derives one for items without stored events. `write` is part of
 * the caller's transaction; `record` has a transaction of its own and ignores a failed write.
 */

import type { ItemId } from '../../../api/ids.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { TimelineEvent } from '../../../ipc/protocol/timeline.ts';
import type { Clock } from '../../ports.ts';
import type { Profile } from '../../profile/database.ts';
import { appendChange, type TimelineChange } from './timeline-reducer.ts';

export interface Timeline {
  /** Part of the caller's transaction. */
  write(id: ItemId, changes: readonly TimelineChange[]): void;
  /** In its own transaction; a failed write is ignored. */
  record(ids: readonly ItemId[], changes: TimelineChange): void;
  /** Oldest first; empty where nothing is recorded. */
  of(id: ItemId): readonly TimelineEvent[];
}

export const createTimeline = ({ database }: Pick<Profile, 'database'>, clock: Pick<Clock, 'now'>): Timeline => {
  const select = database.prepare<[string], { events: string }>('SELECT events FROM timeline WHERE item_id = ?');
  const upsert = database.prepare<[string, string]>(
    'INSERT INTO timeline (item_id, events) VALUES (?, ?) ON CONFLICT (item_id) DO UPDATE SET events = excluded.events',
  );
  const of = (id: ItemId): readonly TimelineEvent[] => {
    const row = select.get(id);
    return row ? (JSON.parse(row.events) as TimelineEvent[]) : [];
  };
  const write = (id: ItemId, changes: readonly TimelineChange[]): void => {
    const at = clock.now();
    const before = of(id);
    const after = changes.reduce((events, one) => appendChange(events, one, at), before);
    if (after !== before) upsert.run(id, JSON.stringify(after));
  };
  const writeAll = database.transaction((ids: readonly ItemId[], changes: TimelineChange) => {
    for (const id of ids) write(id, [changes]);
  });
  return {
    of,
    write,
    record(ids, changes) {
      try {
        writeAll(ids, changes);
      } catch {
        // A full or broken disk shows in other errors; a missing event does not matter.
      }
    },
  };
};

/** The complete timeline, with events derived from the item itself where it has no stored ones. */
export const eventsOf = (
  stored: readonly TimelineEvent[],
  queued: QueueItem | undefined,
  published: LibraryItem | null,
): readonly TimelineEvent[] => {
  const { goneAt = null } = published ?? {};
  const end: TimelineEvent[] = goneAt === null ? [] : [{ at: goneAt, data: { kind: 'gone' } }];
  if (stored.length > 0) return [...stored, ...end];
  if (published) return [{ at: published.linkedAt, data: { kind: 'published' } }, ...end];
  if (!queued) return [];
  const { createdAt, origin = 'window', size } = queued;
  return [{ at: createdAt, data: { kind: 'added', by: origin, size } }];
};
