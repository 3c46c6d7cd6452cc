/** Shows the timeline of an item, its history of events grouped by day, and updates it live. */

import { useEffect, useId, useMemo, useState } from 'react';
import type { Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { TimelineEvent } from '../../ipc/protocol/timeline.ts';
import { cx } from '../design/class-names.ts';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores, useNow } from '../stores/use-app-stores.tsx';
import { eventSentenceOf } from './event-sentence.ts';
import { type Day, dayFromNow, daysOf } from './group-by-day.ts';
import styles from './item-timeline.module.css';

const MINUTE_MS = 60_000;
/** Newer events show their age, older ones the time of day. */
const NEW_MS = 60 * MINUTE_MS;

/** The item's events, oldest first. Has no heading of its own. */
export const ItemTimeline = ({ id }: { readonly id: ItemId }) => {
  const { timelines } = useAppStores();
  const { t } = useLocale();
  const [events, setEvents] = useState<Result<readonly TimelineEvent[]> | null>(null);
  useEffect(() => timelines.follow(id, setEvents), [timelines, id]);
  const days = useMemo(() => (events?.ok ? daysOf(events.value) : []), [events]);

  if (events === null) return null;
  if (days.length === 0) return <p className={styles.quiet}>{events.ok ? t.timeline.empty : t.timeline.unread}</p>;
  return (
    <div className={styles.timeline}>
      {days.map((day) => (
        <DayOfTimeline key={day.begin.getTime()} day={day} />
      ))}
    </div>
  );
};

const DayOfTimeline = ({ day }: { readonly day: Day }) => {
  const { t, format } = useLocale();
  const now = useNow(MINUTE_MS);
  const id = useId();
  const name = dayFromNow(day.begin, now);
  return (
    <section className={styles.day}>
      <h3 id={id} className={styles.name}>
        {name === null ? format.date(day.begin) : t.timeline[name]}
      </h3>
      <ol className={styles.events} aria-labelledby={id}>
        {day.events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a timeline only grows at its end
          <Event key={index} event={event} now={now} />
        ))}
      </ol>
    </section>
  );
};

const Event = ({ event, now }: { readonly event: TimelineEvent; readonly now: number }) => {
  const locale = useLocale();
  const { format } = locale;
  const { sentence, more, tone } = eventSentenceOf(event, locale);
  const at = new Date(event.at);
  const age = now - event.at;
  return (
    <li className={cx(styles.event, styles[tone])}>
      <time className={styles.time} dateTime={at.toISOString()} title={format.exactTime(at)}>
        {age >= 0 && age < NEW_MS ? format.ago(age / 1000) : format.time(at)}
      </time>
      <div className={styles.words}>
        <p>{sentence}</p>
        {more.length > 0 && <p className={styles.more}>{more.join(' ')}</p>}
      </div>
    </li>
  );
};
