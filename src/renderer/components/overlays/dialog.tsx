/**
 * A modal dialog, and a frame for dialogs with a layout of their own. Esc and a click outside close it, and focus
 * returns to where it was.
 */

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { IconButton } from '../buttons/button.tsx';
import styles from './dialog.module.css';

interface VeilProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** `top`: the upper edge stays in place when the content's height changes. */
  readonly place?: 'middle' | 'top';
  readonly size?: 'normal' | 'wide';
}

interface FrameProps extends VeilProps {
  /** Accessible name. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A dialog with a custom layout: up to three rows, of which the second may scroll. */
export const DialogFrame = ({ label, children, ...veil }: FrameProps) => (
  <Veil {...veil}>
    <AriaDialog className={cx(styles.dialog)} aria-label={label}>
      {children}
    </AriaDialog>
  </Veil>
);

interface DialogProps extends VeilProps {
  readonly title: string;
  /** `alert`: asks before something is lost, and has no close button. */
  readonly kind?: 'task' | 'alert';
  /** The answer buttons, the confirming one last. */
  readonly answers?: ReactNode;
  readonly children: ReactNode;
}

export const Dialog = ({ title, kind = 'task', answers, children, ...veil }: DialogProps) => {
  const { t } = useLocale();
  return (
    <Veil {...veil}>
      <AriaDialog role={kind === 'alert' ? 'alertdialog' : 'dialog'} className={cx(styles.dialog)}>
        <header className={styles.head}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {kind === 'task' && <IconButton icon={X} label={t.app.close} onPress={veil.onClose} />}
        </header>
        <div className={styles.body}>{children}</div>
        {answers !== undefined && <div className={styles.answers}>{answers}</div>}
      </AriaDialog>
    </Veil>
  );
};

const Veil = ({
  isOpen,
  onClose,
  place = 'middle',
  size = 'normal',
  children,
}: VeilProps & { readonly children: ReactNode }) => (
  <ModalOverlay
    className={cx(styles.veil, place === 'top' && styles.top)}
    isDismissable
    isOpen={isOpen}
    onOpenChange={(open) => {
      if (!open) onClose();
    }}
  >
    <Modal className={cx(styles.card, size === 'wide' && styles.wide)}>{children}</Modal>
  </ModalOverlay>
);
