/** Shown over the whole window while files are dragged across it. */

import { Upload } from 'lucide-react';
import { useLocale } from '../locales/locale.tsx';
import styles from './drop-overlay.module.css';

export const DropOverlay = () => {
  const { t } = useLocale();
  return (
    <div className={styles.overlay} role="presentation">
      <div className={styles.frame}>
        <span className={styles.icon}>
          <Upload size={28} strokeWidth={1.6} aria-hidden />
        </span>
        <p className={styles.title}>{t.intake.dropTitle}</p>
        <p className={styles.hint}>{t.intake.dropHint}</p>
      </div>
    </div>
  );
};
