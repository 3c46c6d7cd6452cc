/** A small dialog that floats at the button that opened it, inside of react-aria's DialogTrigger. Esc and a click beside it close it. */

import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover';
import { cx } from '../../design/cx.ts';
import styles from './popover.module.css';

interface PopoverProps {
  /** Its name for screen readers. */
  readonly label: string;
  readonly placement: NonNullable<AriaPopoverProps['placement']>;
  /** `wide`: always 26 rem where there is room, so that what it holds does not change its width. */
  readonly size?: 'fitting' | 'wide';
  readonly children: ReactNode;
}

export const Popover = ({ label, placement, size = 'fitting', children }: PopoverProps) => (
  <AriaPopover className={cx(styles.popover, size === 'wide' && styles.wide)} placement={placement}>
    <Dialog className={cx(styles.dialog)} aria-label={label}>
      {children}
    </Dialog>
  </AriaPopover>
);
