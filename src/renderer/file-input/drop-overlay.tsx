/** Covers the window while files are dragged over it. */

import { Upload } from 'lucide-react';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores } from '../stores/use-app-stores.tsx';
import styles from './drop-overlay.module.css';

export const DropOverlay = () => {
  const { t } = useLocale();
  const isEditing = useAppStores().editing.isOpen();
  return (
    <div className={styles.overlay} role="presentation">
      <div className={styles.frame}>
        <span className={styles.icon}>
          <Upload size={28} strokeWidth={1.6} aria-hidden />
        </span>
        <p className={styles.title}>{t.intake.dropTitle}</p>
        <p className={styles.hint}>{isEditing ? t.editor.dropHint : t.intake.dropHint}</p>
      </div>
    </div>
  );
};
