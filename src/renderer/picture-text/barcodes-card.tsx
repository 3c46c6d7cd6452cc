/** Card with the QR codes and barcodes of a picture, for the toast panel, which has no space for a dialog. */
import { X } from 'lucide-react';
import { IconButton } from '../components/buttons/button.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { Code } from '../stores/captures/picture-text.ts';
import { BarcodeList } from './barcode-list.tsx';
import styles from './barcodes-card.module.css';

interface BarcodesCardProps {
  readonly codes: readonly Code[];
  readonly onClose: () => void;
}

export const BarcodesCard = ({ codes, onClose }: BarcodesCardProps) => {
  const { t } = useLocale();
  const title = t.pictureText.codes(codes.length);
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <IconButton autoFocus icon={X} label={t.app.close} onPress={onClose} />
      </div>
      <BarcodeList codes={codes} />
    </section>
  );
};
