/**
 * Progress of the whole queue: a bar while several items run, and announcements to screen readers at 25, 50 and 75 %.
 */

import { useEffect, useState } from 'react';
import { MetaLine } from '../../../components/indicators/meta-line.tsx';
import { ProgressBar } from '../../../components/indicators/progress.tsx';
import { VisuallyHidden } from '../../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { roundRate, smoothSeconds } from '../../../stores/queue/round-speed-and-time.ts';
import { useApp, useProgress } from '../../../stores/use-app-stores.tsx';
import styles from './overall-progress.module.css';

/** More frequent announcements would be disruptive. */
const QUARTERS = 4;

export const OverallProgress = () => {
  const { t, format } = useLocale();
  const live = useApp(({ queue }) => queue.live);
  const progress = useProgress();
  const fraction = progress?.fraction ?? null;
  const left = progress?.left ?? 0;
  const rates = Object.values(live).flatMap(({ activity, bytesPerSecond }) =>
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
          <MetaLine
            facts={[
              words.words(format.percent(fraction), left),
              rate > 1 && format.speed(roundRate(rate)),
              seconds !== null && t.queue.timeLeft(format.duration(smoothSeconds(seconds))),
            ]}
          />
        </div>
      )}
    </>
  );
};

/** Announces each quarter once when it is passed, but not at the start; a finished item is announced by its link. */
const Milestones = ({ fraction, left }: { readonly fraction: number | null; readonly left: number }) => {
  const { t, format } = useLocale();
  const quarter = fraction === null ? null : Math.floor(fraction * QUARTERS);
  const [announced, setAnnounced] = useState<Announced>({ quarter, words: '' });
  useEffect(() => {
    setAnnounced((before) => {
      // Progress decreases only when other work has started.
      if (quarter === null || before.quarter === null || quarter < before.quarter) return { quarter, words: '' };
      if (quarter === before.quarter) return before;
      const words = quarter < QUARTERS ? t.status.overall.milestone(format.percent(quarter / QUARTERS), left) : '';
      return { quarter, words };
    });
  }, [quarter, left, t, format]);
  return <VisuallyHidden live>{announced.words}</VisuallyHidden>;
};

interface Announced {
  /** The highest quarter so far; null: nothing is running. */
  readonly quarter: number | null;
  readonly words: string;
}
