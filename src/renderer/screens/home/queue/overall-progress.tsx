/** How far all of the queue is, where several things run at once; and a voice that says so at its quarters. */

import { useEffect, useState } from 'react';
import { useLocale } from '../../../locales/locale.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Hidden } from '../../../parts/hidden.tsx';
import { ProgressBar } from '../../../parts/progress.tsx';
import { calmRate, calmSeconds } from '../../../stores/calm.ts';
import { overallProgress } from '../../../stores/item-view.ts';
import { useApp } from '../../../stores/use-page.tsx';
import styles from './overall-progress.module.css';

/** A voice that speaks more often is in the way. */
const QUARTERS = 4;

export const OverallProgress = () => {
  const { t, format } = useLocale();
  const queue = useApp((app) => app.queue);
  const progress = overallProgress(queue);
  const fraction = progress?.fraction ?? null;
  const left = progress?.left ?? 0;
  const rates = Object.values(queue.live).flatMap(({ activity, bytesPerSecond }) =>
    activity === 'sending' && bytesPerSecond !== null ? [bytesPerSecond] : [],
  );
  const rate = rates.reduce((sum, one) => sum + one, 0);
  const words = t.status.overall;
  const seconds = progress !== null && rate > 1 ? progress.leftBytes / rate : null;
  return (
    <>
      <Milestones fraction={fraction} left={left} />
      {fraction !== null && left > 1 && (
        <div className={styles.overall}>
          <ProgressBar
            label={words.label}
            valueText={words.words(format.percent(fraction), left)}
            fraction={fraction}
            tone="moving"
          />
          <Facts
            facts={[
              words.words(format.percent(fraction), left),
              rate > 1 && format.speed(calmRate(rate)),
              seconds !== null && t.queue.timeLeft(format.duration(calmSeconds(seconds))),
            ]}
          />
        </div>
      )}
    </>
  );
};

/**
 * Says each quarter once as it is passed, never at the beginning; what is done is said by its link. What has its link is no
 * longer counted, so the fraction may fall: a quarter is not said again before there is more to do than there was.
 */
const Milestones = ({ fraction, left }: { readonly fraction: number | null; readonly left: number }) => {
  const { t, format } = useLocale();
  const quarter = fraction === null ? null : Math.floor(fraction * QUARTERS);
  const [said, setSaid] = useState<Said>({ quarter, left, words: '' });
  useEffect(() => {
    setSaid((before) => {
      if (quarter === null || before.quarter === null || left > before.left) return { quarter, left, words: '' };
      if (quarter <= before.quarter) return { ...before, left };
      const words = quarter < QUARTERS ? t.status.overall.milestone(format.percent(quarter / QUARTERS), left) : '';
      return { quarter, left, words };
    });
  }, [quarter, left, t, format]);
  return <Hidden live>{said.words}</Hidden>;
};

interface Said {
  /** The furthest so far; null: nothing is on its way. */
  readonly quarter: number | null;
  readonly left: number;
  readonly words: string;
}
