/** Asks before something is lost or shown: the answer that changes nothing has the focus. */

import { Button } from '../buttons/button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly isAsked: boolean;
  readonly title: string;
  readonly advice: string;
  readonly no: string;
  readonly yes: string;
  readonly onAnswer: (isConfirmed: boolean) => void;
}

export const ConfirmDialog = ({ isAsked, title, advice, no, yes, onAnswer }: ConfirmDialogProps) => (
  <Dialog
    kind="alert"
    title={title}
    isOpen={isAsked}
    onClose={() => onAnswer(false)}
    answers={
      <>
        <Button autoFocus onPress={() => onAnswer(false)}>
          {no}
        </Button>
        <Button tone="danger" onPress={() => onAnswer(true)}>
          {yes}
        </Button>
      </>
    }
  >
    <p>{advice}</p>
  </Dialog>
);
