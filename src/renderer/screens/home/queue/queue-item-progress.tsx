/** Progress of a queue item: a line with state, amount, speed and remaining time, and a bar. */

import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { MetaLine } from '../../../components/indicators/meta-line.tsx';
import { ProgressBar } from '../../../components/indicators/progress.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { ItemView } from '../../../stores/queue/item-view.ts';
import { roundRate, smoothSeconds } from '../../../stores/queue/round-speed-and-time.ts';
import { preparedSummary } from './prepared-summary.ts';

interface QueueProgressProps {
  readonly item: QueueItem;
  readonly view: ItemView;
}

/** State, amount, speed and remaining time, as far as they are known. */
export const StateLine = ({ item, view, parts = null }: QueueProgressProps & { readonly parts?: string | null }) => {
  const { t, format } = useLocale();
  const total = format.bytes(item.size);
  const words = [
    t.queue.phase[view.phase],
    view.doneBytes > 0 && view.doneBytes < item.size ? t.queue.amount(format.bytes(view.doneBytes), total) : total,
    parts,
    view.bytesPerSecond !== null && format.speed(roundRate(view.bytesPerSecond)),
    view.secondsLeft !== null && t.queue.timeLeft(format.duration(smoothSeconds(view.secondsLeft))),
    item.body !== null && preparedSummary(item.body.made, { t, format }),
  ];
  const isLively = view.phase === 'sending' || view.phase === 'hashing' || view.phase === 'preparing';
  return <MetaLine facts={words} pace={isLively ? 'lively' : 'calm'} />;
};

export const Progress = ({ item, view }: QueueProgressProps) => {
  const { t, format } = useLocale();
  const fraction = item.size === 0 ? 0 : view.doneBytes / item.size;
  const isMoving = view.phase === 'sending' || view.phase === 'completing';
  return (
    <ProgressBar
      label={t.queue.progress(item.name)}
      valueText={`${t.queue.phase[view.phase]}, ${format.percent(fraction)}`}
      fraction={view.phase === 'completing' ? null : fraction}
      tone={view.phase === 'stuck' || view.phase === 'unreadable' ? 'bad' : isMoving ? 'moving' : 'still'}
    />
  );
};
