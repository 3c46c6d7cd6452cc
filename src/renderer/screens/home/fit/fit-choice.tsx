/**
 * Compares the conversion presets of a video with its current state, for the user to choose. The keys 1 to 4, Enter and
 * Esc work, too.
 */
import { Shrink } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/buttons/button.tsx';
import { MetaLine } from '../../../components/indicators/meta-line.tsx';
import { VisuallyHidden } from '../../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { FIT_CHOICES, type Fitting, type PendingFile } from '../../../stores/file-input/pending-files.ts';
import { useAppStores, usePendingFiles } from '../../../stores/use-app-stores.tsx';
import styles from './fit-choice.module.css';
import { FitOptions, megabitsOf } from './fit-options.tsx';
import { useFitReasons } from './fit-reasons.ts';

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

export const FitChoiceCard = ({ offer: file }: { readonly offer: PendingFile }) => {
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
    if (event.ctrlKey || event.metaKey || event.altKey) return;
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
