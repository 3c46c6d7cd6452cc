/** Toast of a capture that was saved without a link; shows its location and closes by itself. */

import { CircleCheck, X } from 'lucide-react';
import { useEffect } from 'react';
import { IconButton } from '../../components/buttons/button.tsx';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { KeptCapture } from '../../stores/messages/capture-toasts.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './toast-card.module.css';
import { useInteraction } from './use-toast.ts';

/** As long as the toast of a link. */
const SHOWN_MS = 5_000;

interface SavedToastProps {
  readonly capture: KeptCapture;
  /** Announces it once. */
  readonly announce: (id: string, sentence: string) => void;
}

export const SavedToast = ({ capture: { id, name, copied, savedTo }, announce }: SavedToastProps) => {
  const { captureToasts } = useAppStores();
  const { t } = useLocale();
  const words = t.panels.toast.kept;
  const interaction = useInteraction();
  const title = copied ? (savedTo === null ? words.copied : words.both) : words.saved;

  useEffect(() => {
    if (interaction.isActive) return;
    const timer = setTimeout(() => captureToasts.closeKept(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [interaction.isActive, captureToasts, id]);
  useEffect(() => announce(id, title), [announce, id, title]);

  return (
    <li className={styles.card} aria-label={t.panels.toast.named(name)} {...interaction.handlers}>
      <div className={styles.head}>
        <CircleCheck className={cx(styles.good)} size={20} aria-hidden />
        <div className={styles.words}>
          <p className={styles.name}>{title}</p>
          <p className={styles.where}>{savedTo ?? name}</p>
        </div>
        <IconButton icon={X} label={words.close} onPress={() => captureToasts.closeKept(id)} />
      </div>
    </li>
  );
};
