/**
 * Card that compares the conversion presets of a video with its current state, for the user to choose one. While the
 * focus is in the card, the keys 1 to 4, Enter and Esc work, too.
 */

import { Shrink } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Account } from '../../../api/account.ts';
import type { FitChoice } from '../../../ipc/protocol/queue-item.ts';
import type { FitReason, VideoSummary } from '../../../ipc/protocol/video-conversion.ts';
import { Button } from '../../components/buttons/button.tsx';
import { Kbd } from '../../components/indicators/kbd.tsx';
import { MetaLine } from '../../components/indicators/meta-line.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { isPlainKey } from '../../keyboard/key-events.ts';
import { type Locale, useLocale } from '../../locales/locale.tsx';
import {
  FIT_CHOICES,
  type FitPreviewState,
  type Fitting,
  type PendingFile,
} from '../../stores/file-input/pending-files.ts';
import { useApp, useAppStores, usePendingFiles } from '../../stores/use-app-stores.tsx';
import styles from './conversion-choice.module.css';
import fitOptionsStyles from './fit-options.module.css';

// Conversion presets as cards of equal layout; space for pending values is reserved.

interface FitOptionsProps {
  readonly previews: PendingFile['previews'];
  readonly value: FitChoice;
  readonly before: VideoSummary | null;
  readonly onChange: (choice: FitChoice) => void;
}

const FitOptions = ({ previews, value, before, onChange }: FitOptionsProps) => {
  const { t } = useLocale();
  return (
    <RadioGroup
      className={cx(fitOptionsStyles.group)}
      value={value}
      orientation="horizontal"
      onChange={(chosen) => {
        const choice = FIT_CHOICES.find((known) => known === chosen);
        if (choice) onChange(choice);
      }}
    >
      <Label className={cx(fitOptionsStyles.label)}>
        <VisuallyHidden>{t.fit.how}</VisuallyHidden>
      </Label>
      <div className={fitOptionsStyles.options}>
        {FIT_CHOICES.map((choice, index) => (
          <Radio key={choice} value={choice} className={cx(fitOptionsStyles.option)}>
            <span className={fitOptionsStyles.head}>
              <span className={fitOptionsStyles.name}>{t.fit.choices[choice]}</span>
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
  if (preview)
    return <span className={fitOptionsStyles.plain}>{preview.is === 'same' ? t.fit.same : t.fit.impossible}</span>;
  return (
    <span className={fitOptionsStyles.numbers} data-known={before !== null}>
      {LINES.map((line) => (
        <span key={line} className={cx(fitOptionsStyles.line, fitOptionsStyles.skeleton)} />
      ))}
      <VisuallyHidden>{t.fit.foreseeing}</VisuallyHidden>
    </span>
  );
};

/** One placeholder per value below. */
const LINES = ['size', 'change', 'pixels', 'frames', 'rate', 'time'] as const;

const MEGABIT = 1_000_000;

/** Megabits per second of video, a measure of its quality. */
const megabitsOf = ({ size, seconds }: VideoSummary): number => (seconds === 0 ? 0 : (size * 8) / seconds / MEGABIT);

const ConvertedSummary = ({ fitting: { before, after, secondsNeeded } }: { readonly fitting: Fitting }) => {
  const { t, format } = useLocale();
  const change = before.size === 0 ? 0 : (before.size - after.size) / before.size;
  const isOther = (same: boolean): string => cx(fitOptionsStyles.line, !same && fitOptionsStyles.changed);
  return (
    <span className={fitOptionsStyles.numbers}>
      <span className={cx(fitOptionsStyles.line, fitOptionsStyles.size)}>{format.bytes(after.size)}</span>
      <span className={fitOptionsStyles.line}>
        {change >= 0 ? t.fit.less(format.percent(change)) : t.fit.more(format.factor(-change))}
      </span>
      <span className={isOther(before.width === after.width && before.height === after.height)}>
        {t.fit.size(after.width, after.height)}
      </span>
      <span className={isOther(Math.round(before.fps) === Math.round(after.fps))}>
        {t.fit.frames(format.number(after.fps))}
      </span>
      <span className={fitOptionsStyles.line}>{t.fit.rate(format.number(megabitsOf(after)))}</span>
      <span className={fitOptionsStyles.line}>{t.fit.takes(format.duration(secondsNeeded))}</span>
    </span>
  );
};

const wordsOf = (reason: FitReason, limits: Account['limits'] | null, { t, format }: Locale): string | null => {
  const words = t.fit.reasons;
  const over = (write: (limit: string) => string, limit: string | undefined): string | null =>
    limit === undefined ? null : write(limit);
  switch (reason) {
    case 'LONG_SIDE':
      return over(words.LONG_SIDE, limits?.video.maxLongSide.toString());
    case 'SHORT_SIDE':
      return over(words.SHORT_SIDE, limits?.video.maxShortSide.toString());
    case 'FPS':
      return over(words.FPS, limits?.video.maxFps.toString());
    case 'DURATION':
      return over(words.DURATION, limits ? format.duration(limits.video.maxSeconds) : undefined);
    case 'SIZE':
      return over(words.SIZE, limits ? format.bytes(limits.maxVideoBytes) : undefined);
    default:
      return words[reason];
  }
};

/** Why a video must be converted, as text. A reason about a limit names it, and is left out while it is unknown. */
const useFitReasons = (reasons: readonly FitReason[]): readonly string[] => {
  const locale = useLocale();
  const limits = useApp(({ connection }) =>
    connection.state === 'none' ? null : (connection.account?.limits ?? null),
  );
  return reasons.flatMap((reason) => wordsOf(reason, limits, locale) ?? []);
};

/** Any preview describes the video itself and why it must be converted. */
const knownOf = ({ previews, fit }: PendingFile): Fitting | null => {
  for (const choice of [fit, ...FIT_CHOICES]) {
    const preview = previews[choice];
    if (preview?.is === 'made') return preview.fitting;
  }
  return null;
};

/** Focus moves here unless the user is working elsewhere. */
const isIdle = (): boolean => document.activeElement === null || document.activeElement === document.body;

export const ConversionChoiceCard = ({ offer: file }: { readonly offer: PendingFile }) => {
  const { pendingFiles, engine } = useAppStores();
  const { t, format } = useLocale();
  const others = usePendingFiles().filter(({ state }) => state === 'asking').length;
  const [always, setAlways] = useState(false);
  const card = useRef<HTMLFieldSetElement>(null);
  const { id, name, fit, previews } = file;
  const known = knownOf(file);
  const reasons = useFitReasons(known?.reasons ?? []);
  const chosen = previews[fit];
  const losses = chosen?.is === 'made' ? chosen.fitting.losses.map((loss) => t.fit.losses[loss]) : [];
  const canShare = chosen?.is !== 'impossible';

  useEffect(() => {
    if (isIdle()) card.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true });
  }, []);

  const share = (reach: 'one' | 'all'): void => {
    if (!canShare) return;
    if (always) void engine.updateSettings({ askBeforeFit: false, fit });
    if (reach === 'all') pendingFiles.acceptAll(fit);
    else pendingFiles.accept(id);
  };
  const press = (event: KeyboardEvent): void => {
    const isButton = event.target instanceof HTMLButtonElement;
    const choice = FIT_CHOICES[Number(event.key) - 1];
    if (!isPlainKey(event)) return;
    if (choice) pendingFiles.choose(id, choice);
    else if (event.key === 'Enter' && !isButton) share('one');
    else if (event.key === 'Escape') pendingFiles.cancel(id);
    else return;
    event.preventDefault();
  };

  return (
    <fieldset ref={card} className={styles.card} aria-label={t.fit.title(name)} onKeyDownCapture={press}>
      <p className={styles.title}>{t.fit.heading}</p>
      {reasons.length > 0 && <p className={styles.quiet}>{`${reasons.join('. ')}.`}</p>}
      {known && (
        <div className={styles.now}>
          <span className={styles.label}>{t.fit.now}</span>
          <MetaLine
            facts={[
              <strong key="size">{format.bytes(known.before.size)}</strong>,
              t.fit.size(known.before.width, known.before.height),
              t.fit.frames(format.number(known.before.fps)),
              t.fit.rate(format.number(megabitsOf(known.before))),
              t.fit.length(format.duration(known.before.seconds)),
              known.before.hasAudio ? t.fit.sound : t.fit.silent,
            ]}
          />
        </div>
      )}
      <FitOptions
        previews={previews}
        value={fit}
        onChange={(choice) => pendingFiles.choose(id, choice)}
        before={known?.before ?? null}
      />
      <p className={styles.losses}>
        {losses.length > 0 ? t.fit.lost(format.list(losses)) : chosen?.is === 'made' ? t.fit.nothingLost : '\u00a0'}
      </p>
      <div className={styles.actions}>
        <Button tone="primary" icon={Shrink} isDisabled={!canShare} onPress={() => share('one')}>
          {t.fit.accept}
        </Button>
        {others > 1 && <Button onPress={() => share('all')}>{t.fit.forAll(others)}</Button>}
        <Button onPress={() => pendingFiles.cancel(id)}>{t.fit.decline}</Button>
        <label className={styles.always}>
          <input type="checkbox" checked={always} onChange={({ target }) => setAlways(target.checked)} />
          {t.fit.always}
        </label>
      </div>
      <p className={styles.keys}>{t.fit.keys}</p>
      <VisuallyHidden live>{chosen ? '' : t.fit.foreseeing}</VisuallyHidden>
    </fieldset>
  );
};
