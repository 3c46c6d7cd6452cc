/** Card with the number of views of an item: in total, and per day where the plan includes that. */

import type { ItemId } from '../../../api/ids.ts';
import { LIMITS } from '../../../api/limits.ts';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useHostAnswer } from '../../stores/use-host-answer.ts';
import { Section } from './item-section.tsx';
import { usePlanRequirement } from './use-plan-requirement.ts';
import styles from './views-card.module.css';

interface Day {
  /** `2026-11-20`, in UTC. */
  readonly date: string;
  readonly views: number;
}

const HEIGHT = 100;
/** Width of a day including its gap. */
const STEP = 10;
const BAR = 8;
/** Height of a day without views, so that it is still visible. */
const MIN_HEIGHT = 1.5;

/** The service's days begin at midnight UTC; noon falls on the same local date almost everywhere. */
const noonOf = (date: string): Date => new Date(`${date}T12:00:00Z`);

/** Bar chart of daily views, with a table for screen readers. */
const ViewsChart = ({ days }: { readonly days: readonly Day[] }) => {
  const { t, format } = useLocale();
  const words = t.item.views;
  const most = Math.max(1, ...days.map(({ views }) => views));
  const sum = days.reduce((total, { views }) => total + views, 0);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <div>
      <p className={styles.quiet}>{words.sum(sum, days.length)}</p>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        {days.map(({ date, views }, index) => {
          const height = Math.max(MIN_HEIGHT, (views / most) * HEIGHT);
          return (
            <rect
              key={date}
              className={views === 0 ? styles.none : styles.bar}
              x={index * STEP}
              y={HEIGHT - height}
              width={BAR}
              height={height}
              rx={1}
            >
              <title>{`${format.date(noonOf(date))}: ${words.total(views)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className={styles.ends} aria-hidden>
        <span>{first && format.date(noonOf(first.date))}</span>
        <span>{last && format.date(noonOf(last.date))}</span>
      </p>
      <VisuallyHidden>
        <table>
          <caption>{words.chart(days.length)}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.count}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, views }) => (
              <tr key={date}>
                <th scope="row">{format.date(noonOf(date))}</th>
                <td>{format.number(views)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  );
};

const DAYS = LIMITS.viewsByDayDefault;

interface ViewsCardProps {
  readonly id: ItemId;
  /** Views since publication. */
  readonly total: number;
  /** No longer on the service. */
  readonly isGone: boolean;
}

export const ViewsCard = ({ id, total, isGone }: ViewsCardProps) => {
  const { t } = useLocale();
  const missing = usePlanRequirement('view_stats');
  const words = t.item.views;
  return (
    <Section title={words.title}>
      <p className={styles.total}>{words.total(total)}</p>
      {missing !== null && (
        <p className={styles.quiet}>
          {words.needsPlan} {missing}
        </p>
      )}
      {missing === null && !isGone && <ByDay id={id} total={total} />}
    </Section>
  );
};

const ByDay = ({ id, total }: Omit<ViewsCardProps, 'isGone'>) => {
  const { t, failure: describe } = useLocale();
  // A new total means new daily counts.
  const { answer } = useHostAnswer('library.views', { id, days: DAYS }, total);

  if (answer === null) return <p className={cx(styles.quiet, total > 0 && styles.coming)}>{t.item.preview.loading}</p>;
  if (!answer.ok) return <p className={styles.quiet}>{describe(answer.error).title}</p>;
  const { days } = answer.value;
  if (days.every(({ views }) => views === 0)) return <p className={styles.quiet}>{t.item.views.none}</p>;
  return <ViewsChart days={days} />;
};
