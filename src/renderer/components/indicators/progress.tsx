/** Progress bars and meters. Both announce their value as text to screen readers. */

import { Meter as AriaMeter } from 'react-aria-components/Meter';
import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar';
import { cx } from '../../design/class-names.ts';
import styles from './progress.module.css';

interface BarProps {
  readonly label: string;
  /** The value as text, e.g. "12 MB of 60 MB". */
  readonly valueText: string;
  /** From 0 to 1. */
  readonly fraction: number;
}

/** One decimal: a tiny value would otherwise be written as a power of ten, which screen readers cannot read. */
const percentOf = (fraction: number): number => Math.round(fraction * 1_000) / 10;

const width = (percentage: number | undefined) => ({ transform: `scaleX(${(percentage ?? 0) / 100})` });

export type ProgressTone = 'moving' | 'still' | 'bad';

/** `fraction` null: indeterminate. */
export const ProgressBar = ({
  label,
  valueText,
  fraction,
  tone,
}: Omit<BarProps, 'fraction'> & { readonly fraction: number | null; readonly tone: ProgressTone }) => (
  <AriaProgressBar
    aria-label={label}
    value={percentOf(fraction ?? 0)}
    valueLabel={valueText}
    isIndeterminate={fraction === null}
    className={cx(styles.track, styles[tone])}
  >
    {({ percentage, isIndeterminate }) => (
      <div
        className={cx(styles.fill, isIndeterminate && styles.unknown)}
        style={isIndeterminate ? {} : width(percentage)}
      />
    )}
  </AriaProgressBar>
);

export const Meter = ({ label, valueText, fraction }: BarProps) => (
  <AriaMeter
    aria-label={label}
    value={percentOf(fraction)}
    valueLabel={valueText}
    className={cx(styles.track, fraction > 0.98 ? styles.bad : fraction > 0.85 ? styles.warn : styles.moving)}
  >
    {({ percentage }) => <div className={cx(styles.fill)} style={width(percentage)} />}
  </AriaMeter>
);
