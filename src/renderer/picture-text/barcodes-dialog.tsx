/** Dialog with the QR codes and barcodes of a picture. */
import { Dialog } from '../components/overlays/dialog.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { Code } from '../stores/captures/picture-text.ts';
import { BarcodeList } from './barcode-list.tsx';

interface BarcodesDialogProps {
  readonly codes: readonly Code[];
  readonly onClose: () => void;
}

export const BarcodesDialog = ({ codes, onClose }: BarcodesDialogProps) => {
  const { t } = useLocale();
  return (
    <Dialog title={t.pictureText.codes(codes.length)} size="wide" isOpen onClose={onClose}>
      <BarcodeList codes={codes} />
    </Dialog>
  );
};
