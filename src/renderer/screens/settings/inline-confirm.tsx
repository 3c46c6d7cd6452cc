/** Inline confirmation of a destructive action. Focus starts on the safe answer, which Esc also chooses. */

import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';

interface QuestionProps {
  readonly text: string;
  /** Additional sentences. */
  readonly more?: readonly string[];
  readonly yes: string;
  readonly no: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

export const InlineConfirm = ({ text, more = [], yes, no, onYes, onNo }: QuestionProps) => {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc is a shortcut for a visible button
    <div
      role="presentation"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onNo();
      }}
    >
      <div role="alert">
        <Alert tone="warn" title={text} sentences={more}>
          <Button autoFocus onPress={onNo}>
            {no}
          </Button>
          <Button tone="danger" onPress={onYes}>
            {yes}
          </Button>
        </Alert>
      </div>
    </div>
  );
};
