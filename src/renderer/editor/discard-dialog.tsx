/** Asks before an edited capture is discarded. */

import { Button } from '../components/buttons/button.tsx';
import { Dialog } from '../components/overlays/dialog.tsx';
import { useLocale } from '../locales/locale.tsx';

interface GiveUpProps {
  readonly isAsked: boolean;
  readonly onAnswer: (answer: 'discard' | 'keep') => void;
}

export const DiscardDialog = ({ isAsked, onAnswer }: GiveUpProps) => {
  const { t } = useLocale();
  return (
    <Dialog
      kind="alert"
      title={t.editor.discardAsk}
      isOpen={isAsked}
      onClose={() => onAnswer('keep')}
      answers={
        <>
          <Button autoFocus onPress={() => onAnswer('keep')}>
            {t.editor.discardNo}
          </Button>
          <Button tone="danger" onPress={() => onAnswer('discard')}>
            {t.editor.discardYes}
          </Button>
        </>
      }
    >
      <p>{t.editor.discardAdvice}</p>
    </Dialog>
  );
};
