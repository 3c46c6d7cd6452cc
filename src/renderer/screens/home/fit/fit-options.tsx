/** Conversion presets as cards of equal layout; space for pending values is reserved. */
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { VideoSummary } from '../../../../ipc/protocol/fit.ts';
import type { FitChoice } from '../../../../ipc/protocol/queue-item.ts';
import { Kbd } from '../../../components/indicators/kbd.tsx';
import { VisuallyHidden } from '../../../components/indicators/visually-hidden.tsx';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import {
  FIT_CHOICES,
  type FitPreviewState,
  type Fitting,
  type PendingFile,
} from '../../../stores/file-input/pending-files.ts';
import styles from './fit-options.module.css';

interface FitOptionsProps {
  readonly previews: PendingFile['previews'];
  readonly value: FitChoice;
  readonly before: VideoSummary | null;
  readonly onChange: (choice: FitChoice) => void;
}

export const FitOptions = ({ previews, value, before, onChange }: FitOptionsProps) => {
  const { t } = useLocale();
  return (
    <RadioGroup
      className={cx(styles.group)}
      value={value}
      orientation="horizontal"
      onChange={(chosen) => {
        const choice = FIT_CHOICES.find((known) => known === chosen);
        if (choice) onChange(choice);
      }}
    >
      <Label className={cx(styles.label)}>
        <VisuallyHidden>{t.fit.how}</VisuallyHidden>
      </Label>
      <div className={styles.options}>
        {FIT_CHOICES.map((choice, index) => (
          <Radio key={choice} value={choice} className={cx(styles.option)}>
            <span className={styles.head}>
              <span className={styles.name}>{t.fit.choices[choice]}</span>
              <span aria-hidden>
                <Kbd name={String(index + 1)} look="quiet" />
              </span>
            </span>
            <Numbers preview={previews[choice] ?? null} before={before} />
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
};

interface NumbersProps {
  /** Null: not known yet. */
  readonly preview: FitPreviewState | null;
  readonly before: VideoSummary | null;
}

const Numbers = ({ preview, before }: NumbersProps) => {
  const { t } = useLocale();
  if (preview?.is === 'made') return <ConvertedSummary fitting={preview.fitting} />;
  if (preview) return <span className={styles.plain}>{preview.is === 'same' ? t.fit.same : t.fit.impossible}</span>;
  return (
    <span className={styles.numbers} data-known={before !== null}>
      {LINES.map((line) => (
        <span key={line} className={cx(styles.line, styles.skeleton)} />
      ))}
      <VisuallyHidden>{t.fit.foreseeing}</VisuallyHidden>
    </span>
  );
};

/** One placeholder per value below. */
const LINES = ['size', 'change', 'pixels', 'frames', 'rate', 'time'] as const;

const MEGABIT = 1_000_000;

/** Megabits per second of video, a measure of its quality. */
export const megabitsOf = ({ size, seconds }: VideoSummary): number =>
  seconds === 0 ? 0 : (size * 8) / seconds / MEGABIT;

const ConvertedSummary = ({ fitting: { before, after, secondsNeeded } }: { readonly fitting: Fitting }) => {
  const { t, format } = useLocale();
  const change = before.size === 0 ? 0 : (before.size - after.size) / before.size;
  const isOther = (same: boolean): string => cx(styles.line, !same && styles.changed);
  return (
    <span className={styles.numbers}>
      <span className={cx(styles.line, styles.size)}>{format.bytes(after.size)}</span>
      <span className={styles.line}>
        {change >= 0 ? t.fit.less(format.percent(change)) : t.fit.more(format.percent(-change))}
      </span>
      <span className={isOther(before.width === after.width && before.height === after.height)}>
        {t.fit.size(after.width, after.height)}
      </span>
      <span className={isOther(Math.round(before.fps) === Math.round(after.fps))}>
        {t.fit.frames(format.number(after.fps))}
      </span>
      <span className={styles.line}>{t.fit.rate(format.number(megabitsOf(after)))}</span>
      <span className={styles.line}>{t.fit.takes(format.duration(secondsNeeded))}</span>
    </span>
  );
};
