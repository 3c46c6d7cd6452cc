/** Asks before a capture that was worked on is thrown away. */

import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { cx } from '../design/cx.ts';
import { useLocale } from '../locales/locale.tsx';
import { Button } from '../parts/button.tsx';
import styles from './give-up.module.css';

interface GiveUpProps {
  readonly isAsked: boolean;
  readonly onAnswer: (answer: 'discard' | 'keep') => void;
}

export const GiveUp = ({ isAsked, onAnswer }: GiveUpProps) => {
  const { t } = useLocale();
  return (
    <ModalOverlay
      className={cx(styles.veil)}
      isDismissable
      isOpen={isAsked}
      onOpenChange={(isOpen) => {
        if (!isOpen) onAnswer('keep');
      }}
    >
      <Modal className={cx(styles.card)}>
        <Dialog role="alertdialog" className={cx(styles.dialog)}>
          <Heading slot="title" level={2}>
            {t.editor.discardAsk}
          </Heading>
          <p className={styles.text}>{t.editor.discardAdvice}</p>
          <div className={styles.answers}>
            <Button autoFocus onPress={() => onAnswer('keep')}>
              {t.editor.discardNo}
            </Button>
            <Button tone="danger" onPress={() => onAnswer('discard')}>
              {t.editor.discardYes}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};
