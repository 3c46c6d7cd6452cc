/** The place to begin: drop, choose or paste. */

import { ClipboardPaste, FolderOpen, Upload } from 'lucide-react';
import { useHands } from '../../app/hands.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { Button } from '../../parts/button.tsx';
import styles from './drop-card.module.css';

export const DropCard = () => {
  const { t } = useLocale();
  const { choose, paste } = useHands();
  return (
    <section className={styles.card}>
      <span className={styles.icon}>
        <Upload size={24} strokeWidth={1.6} aria-hidden />
      </span>
      <h1>{t.intake.title}</h1>
      <p className={styles.hint}>{t.intake.hint}</p>
      <div className={styles.actions}>
        <Button tone="primary" icon={FolderOpen} onPress={choose}>
          {t.intake.choose}
        </Button>
        <Button icon={ClipboardPaste} onPress={() => void paste()}>
          {t.intake.paste}
        </Button>
      </div>
    </section>
  );
};
