/**
 * A mark that confirms for a moment that something was saved or cleared, in reserved space next to its control. Also
 * the hooks that time the mark and similar confirmations, such as that of a Copy button.
 */

import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Settings } from '../../../ipc/protocol/settings.ts';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './saved-mark.module.css';

const SHOWN_MS = 2_000;

/** Whether it was saved just now, and a function to report a save. */
export const useSaved = (): readonly [isSaved: boolean, reportSaved: () => void] => {
  const [times, setTimes] = useState(0);
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    if (times === 0) return;
    setSaved(true);
    const timer = setTimeout(() => setSaved(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [times]);
  return [isSaved, () => setTimes((before) => before + 1)];
};

/** Whether settings were stored just now, and a function to store them. */
export const useSavedSettings = (): readonly [isSaved: boolean, save: (change: Partial<Settings>) => void] => {
  const { engine } = useAppStores();
  const [isSaved, reportSaved] = useSaved();
  const save = async (change: Partial<Settings>): Promise<void> => {
    if (await engine.updateSettings(change)) reportSaved();
  };
  return [isSaved, (change) => void save(change)];
};

interface SavedMarkProps {
  readonly isSaved: boolean;
  /** Text for screen readers; default: "Saved". */
  readonly words?: string;
}

export const SavedMark = ({ isSaved, words }: SavedMarkProps) => {
  const { t } = useLocale();
  return (
    <>
      <span className={cx(styles.mark, isSaved && styles.shown)}>
        <Check size={18} aria-hidden />
      </span>
      <VisuallyHidden live>{isSaved ? (words ?? t.settingsMore.saved) : ''}</VisuallyHidden>
    </>
  );
};
