/**
 * What happened to each item, in the profile. Promise: a step and the fact that tells it are written both or neither,
 * and a fact that cannot be written never stands in the way of anything.
 */

import type { ItemId } from '../../../api/ids.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import type { TimelineEvent } from '../../../ipc/protocol/timeline.ts';
import type { Clock } from '../../ports.ts';
import type { Profile } from '../../profile/database.ts';
import { appendChange, type TimelineChange } from './timeline-reducer.ts';

export interface Timeline {
  /** Part of the caller's transaction. */
  write(id: ItemId, changes: readonly TimelineChange[]): void;
  /** By itself; what the disk does not take is given up. */
  tell(ids: readonly ItemId[], changes: TimelineChange): void;
  /** Oldest first; empty where nothing is known. */
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
    tell(ids, changes) {
      try {
        writeAll(ids, changes);
      } catch {
        // A full or broken disk is told by what it keeps from working, not by a story that lacks a line.
      }
    },
  };
};

/** All that is known: what an item from before there were timelines, or from elsewhere, says of itself, too. */
export const eventsOf = (
  told: readonly TimelineEvent[],
  queued: QueueItem | undefined,
  published: LibraryItem | null,
): readonly TimelineEvent[] => {
  const { goneAt = null } = published ?? {};
  const end: TimelineEvent[] = goneAt === null ? [] : [{ at: goneAt, fact: { kind: 'gone' } }];
  if (told.length > 0) return [...told, ...end];
  if (published) return [{ at: published.linkedAt, fact: { kind: 'published' } }, ...end];
  if (!queued) return [];
  const { createdAt, origin = 'window', size } = queued;
  return [{ at: createdAt, fact: { kind: 'added', by: origin, size } }];
};
