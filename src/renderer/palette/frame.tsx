/** The dialog in which the palette and the list of shortcuts stand: over everything, closed by Esc or a click beside it. */

import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { cx } from '../design/cx.ts';
import styles from './frame.module.css';

/** What each of the two dialogs is given. */
export interface DialogProps {
  readonly close: () => void;
  readonly showShortcuts: () => void;
}

interface FrameProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

export const Frame = ({ label, close, children }: FrameProps) => (
  <ModalOverlay
    className={cx(styles.veil)}
    isDismissable
    isOpen
    onOpenChange={(isOpen) => {
      if (!isOpen) close();
    }}
  >
    <Modal className={cx(styles.card)}>
      <Dialog className={cx(styles.dialog)} aria-label={label}>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
);
