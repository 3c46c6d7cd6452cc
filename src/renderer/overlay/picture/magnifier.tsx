/**
 * The magnifier: shows the pixels around the target pixel, has a button that copies the colour of the target, and shows
 * what the ruler measures. After a copy, it shows the contrast between the copied colour and the target.
 * `selection-elements.ts` positions and fills it.
 */

import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { useLocale } from '../../locales/locale.tsx';
import styles from './magnifier.module.css';

interface LensProps {
  /** Pixels along each side. */
  readonly pixels: number;
  /** The colour copied last. */
  readonly copied: string | null;
  readonly onCopy: () => void;
  /** Called when the confirmation was shown long enough. */
  readonly onShown: () => void;
}

const SHOWN_MS = 1_500;

export const Magnifier = ({ pixels, copied, onCopy, onShown }: LensProps) => {
  const { t } = useLocale();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each copy is shown for the same time
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(onShown, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className={styles.lens} data-part="lens" data-away>
      <p className={styles.lengths} data-part="lengths" hidden />
      <div className={styles.glass} aria-hidden>
        <canvas className={styles.pixels} width={pixels} height={pixels} data-part="lensCanvas" />
      </div>
      <button
        type="button"
        className={styles.colour}
        title={t.overlay.copyColour}
        aria-keyshortcuts="C"
        onClick={onCopy}
      >
        <span className={styles.swatch} data-part="swatch" />
        <span data-part="colour" />
        <span className={styles.key}>{copied === null ? 'C' : <Check size={14} aria-hidden />}</span>
      </button>
      <p className={styles.contrast} data-part="contrast" hidden />
    </div>
  );
};
