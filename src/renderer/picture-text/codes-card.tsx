/** Card with the QR codes and barcodes of a picture, for a window without space for a dialog. */
import { X } from 'lucide-react';
import { IconButton } from '../components/buttons/button.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { Code } from '../stores/captures/picture-text.ts';
import { CodeList } from './code-list.tsx';
import styles from './codes-card.module.css';

interface CodesCardProps {
  readonly codes: readonly Code[];
  readonly onClose: () => void;
}

export const CodesCard = ({ codes, onClose }: CodesCardProps) => {
  const { t } = useLocale();
  const title = t.pictureText.codes(codes.length);
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <IconButton autoFocus icon={X} label={t.app.close} onPress={onClose} />
      </div>
      <CodeList codes={codes} />
    </section>
  );
};
