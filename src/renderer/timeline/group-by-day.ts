/** Groups timeline events by local day, in the order of the events, and recognises today and yesterday. Pure. */

import type { TimelineEvent } from '../../ipc/protocol/timeline.ts';

export interface Day {
  /** Midnight at the start of the day. */
  readonly begin: Date;
  readonly events: readonly TimelineEvent[];
}

const beginOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

export const daysOf = (events: readonly TimelineEvent[]): readonly Day[] =>
  [...Map.groupBy(events, ({ at }) => beginOf(at))].map(([begin, ofDay]) => ({
    begin: new Date(begin),
    events: ofDay,
  }));

export const dayFromNow = (begin: Date, now: number): 'today' | 'yesterday' | null => {
  const today = new Date(beginOf(now));
  if (begin.getTime() === today.getTime()) return 'today';
  today.setDate(today.getDate() - 1);
  return begin.getTime() === today.getTime() ? 'yesterday' : null;
};
