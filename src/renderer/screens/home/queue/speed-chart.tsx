/** Chart of the speed over the last minute. Visual only: the status line has the number. */

import { useEffect, useRef, useState } from 'react';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { smoothRate } from '../../../stores/queue/smooth-progress.ts';
import { useApp } from '../../../stores/use-app-stores.tsx';
import styles from './speed-chart.module.css';

const SAMPLES = 60;
const EVERY_MS = 1_000;
/** Minimum number of samples for a curve. */
const ENOUGH = 3;

/** One sample per second while bytes are sent. */
const useSpeeds = (id: QueueItem['id']): readonly number[] => {
  const speed = useApp(({ queue }) => queue.live[id]?.bytesPerSecond ?? null);
  const [speeds, setSpeeds] = useState<readonly number[]>([]);
  const newest = useRef(speed);
  newest.current = speed;
  const isMoving = speed !== null;
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => {
      const now = newest.current;
      if (now !== null) setSpeeds((before) => [...before, now].slice(-SAMPLES));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return speeds;
};

export const SpeedChart = ({ id }: { readonly id: QueueItem['id'] }) => {
  const { t, format } = useLocale();
  const speeds = useSpeeds(id);
  if (speeds.length < ENOUGH) return null;
  const top = Math.max(...speeds, 1);
  const from = SAMPLES - speeds.length;
  const points = speeds.map((speed, index) => `${from + index},${(1 - speed / top) * 28 + 1}`).join(' ');
  return (
    <div className={styles.chart} aria-hidden>
      <p className={styles.words}>
        <span>{t.status.details.speed}</span>
        <span>{t.status.details.fastest(format.speed(smoothRate(top)))}</span>
      </p>
      <svg aria-hidden className={styles.curve} viewBox={`0 0 ${SAMPLES - 1} 30`} preserveAspectRatio="none">
        <polygon className={styles.area} points={`${from},30 ${points} ${SAMPLES - 1},30`} />
        <polyline className={styles.line} points={points} />
      </svg>
    </div>
  );
};
