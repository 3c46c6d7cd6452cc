/**
 * The bar below a recording for trimming it: the range that is kept, its two handles, the key frames and the playback
 * position.
 */

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { clamp } from '../../../base/common/clamp.ts';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './trim-bar.module.css';
import { type Edge, FRAME_MS, type Range } from './trim-range.ts';

/** With more key frames the marks would merge into a grey bar. */
const MARKS_MAX = 120;
const STEP_MS = 1_000;
const LEAP_MS = 5_000;

interface TrimBarProps {
  readonly durationMs: number;
  readonly range: Range;
  readonly atMs: number;
  readonly keyFramesMs: readonly number[];
  /** The handles of the range cannot be moved; the position can. */
  readonly isFixed: boolean;
  readonly onEdge: (edge: Edge, ms: number) => void;
  readonly onSeek: (ms: number) => void;
}

/** New position of a handle after a key; null: not a navigation key. */
const movedBy = (event: KeyboardEvent, ms: number, durationMs: number): number | null => {
  const step = event.shiftKey ? STEP_MS : FRAME_MS;
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return ms - step;
    case 'ArrowRight':
    case 'ArrowUp':
      return ms + step;
    case 'PageDown':
      return ms - LEAP_MS;
    case 'PageUp':
      return ms + LEAP_MS;
    case 'Home':
      return 0;
    case 'End':
      return durationMs;
    default:
      return null;
  }
};

export const TrimBar = ({ durationMs, range, atMs, keyFramesMs, isFixed, onEdge, onSeek }: TrimBarProps) => {
  const { t } = useLocale();
  const words = t.recording.review;
  const track = useRef<HTMLFieldSetElement>(null);
  const percent = (ms: number) => `${durationMs === 0 ? 0 : (Math.min(ms, durationMs) / durationMs) * 100}%`;
  const msAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = track.current?.getBoundingClientRect() ?? {};
    return clamp((clientX - left) / width, 0, 1) * durationMs;
  };

  return (
    <fieldset
      ref={track}
      aria-label={words.timeline}
      className={styles.track}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        onSeek(msAt(event));
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onSeek(msAt(event));
      }}
    >
      <span
        className={styles.kept}
        style={{ left: percent(range.startMs), right: `calc(100% - ${percent(range.endMs)})` }}
      />
      {keyFramesMs.length <= MARKS_MAX &&
        keyFramesMs.map((at) => <span key={at} className={styles.mark} style={{ left: percent(at) }} />)}
      <Handle
        kind="position"
        label={words.position}
        ms={atMs}
        durationMs={durationMs}
        left={percent(atMs)}
        msAt={msAt}
        onMove={(ms) => onSeek(clamp(ms, 0, durationMs))}
      />
      <Handle
        kind="start"
        label={words.start}
        isFixed={isFixed}
        ms={range.startMs}
        durationMs={durationMs}
        left={percent(range.startMs)}
        msAt={msAt}
        onMove={(ms) => onEdge('start', ms)}
      />
      <Handle
        kind="end"
        label={words.end}
        isFixed={isFixed}
        ms={range.endMs}
        durationMs={durationMs}
        left={percent(range.endMs)}
        msAt={msAt}
        onMove={(ms) => onEdge('end', ms)}
      />
    </fieldset>
  );
};

interface HandleProps {
  readonly kind: 'position' | Edge;
  readonly label: string;
  readonly isFixed?: boolean;
  readonly ms: number;
  readonly durationMs: number;
  readonly left: string;
  readonly msAt: (event: PointerEvent) => number;
  readonly onMove: (ms: number) => void;
}

const Handle = ({ kind, label, isFixed = false, ms, durationMs, left, msAt, onMove }: HandleProps) => {
  const { format } = useLocale();
  return (
    <div
      role="slider"
      tabIndex={0}
      className={cx(styles.handle, styles[kind])}
      style={{ left }}
      aria-label={label}
      aria-disabled={isFixed}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs)}
      aria-valuenow={Math.round(ms)}
      aria-valuetext={format.fineClock(ms)}
      onKeyDown={(event) => {
        const to = movedBy(event, ms, durationMs);
        if (to === null) return;
        event.preventDefault();
        onMove(to);
      }}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        event.stopPropagation();
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(msAt(event));
      }}
    />
  );
};
