/** A popover for react-aria's DialogTrigger. Esc and a click outside close it. */

import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover';
import { cx } from '../../design/class-names.ts';
import styles from './popover.module.css';

interface PopoverProps {
  /** Accessible name. */
  readonly label: string;
  readonly placement: NonNullable<AriaPopoverProps['placement']>;
  /** `wide`: always 26 rem where that fits, so that its content does not change its width. */
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
