/** Dialog with the QR codes and barcodes of a picture. */
import { Dialog } from '../components/overlays/dialog.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { Code } from '../stores/captures/picture-text.ts';
import { CodeList } from './code-list.tsx';

interface CodesDialogProps {
  readonly codes: readonly Code[];
  readonly onClose: () => void;
}

export const CodesDialog = ({ codes, onClose }: CodesDialogProps) => {
  const { t } = useLocale();
  return (
    <Dialog title={t.pictureText.codes(codes.length)} size="wide" isOpen onClose={onClose}>
      <CodeList codes={codes} />
    </Dialog>
  );
};
