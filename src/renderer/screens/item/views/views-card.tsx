/** View count of an item: in total, and per day where the plan includes that. */

import { useEffect, useState } from 'react';
import type { Result } from '../../../../api/errors.ts';
import type { ItemId } from '../../../../api/ids.ts';
import { LIMITS } from '../../../../api/limits.ts';
import type { ViewsByDay } from '../../../../api/lists.ts';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import { Section } from '../item-section.tsx';
import { useMissingFeature } from '../settings/use-feature.ts';
import styles from './views-card.module.css';
import { ViewsChart } from './views-chart.tsx';

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
  const missing = useMissingFeature('view_stats');
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
  const { engine } = useAppStores();
  const { t, failure: describe } = useLocale();
  const [read, setRead] = useState<Result<ViewsByDay> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new total means new daily counts
  useEffect(() => {
    let isCurrent = true;
    void engine.ask('library.views', { id, days: DAYS }).then((answer) => {
      if (isCurrent) setRead(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [engine, id, total]);

  if (read === null) return <p className={cx(styles.quiet, total > 0 && styles.coming)}>{t.item.preview.loading}</p>;
  if (!read.ok) return <p className={styles.quiet}>{describe(read.error).title}</p>;
  const { days } = read.value;
  if (days.every(({ views }) => views === 0)) return <p className={styles.quiet}>{t.item.views.none}</p>;
  return <ViewsChart days={days} />;
};
