/** The menu and menu item for react-aria's MenuTrigger. */

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem } from 'react-aria-components/Menu';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { cx } from '../../design/class-names.ts';
import styles from './menu.module.css';

interface MenuProps {
  readonly placement: NonNullable<PopoverProps['placement']>;
  readonly children: ReactNode;
}

/** Named after the button that opens it. */
export const Menu = ({ placement, children }: MenuProps) => (
  <Popover className={cx(styles.popover)} placement={placement}>
    <AriaMenu className={cx(styles.menu)}>{children}</AriaMenu>
  </Popover>
);

interface MenuItemProps {
  readonly icon: LucideIcon;
  readonly words: string;
  readonly tone?: 'plain' | 'danger';
  readonly isDisabled?: boolean;
  readonly onAction: () => void;
}

export const MenuItem = ({ icon: Icon, words, tone = 'plain', isDisabled = false, onAction }: MenuItemProps) => (
  <AriaMenuItem
    className={cx(styles.item, tone === 'danger' && styles.danger)}
    textValue={words}
    isDisabled={isDisabled}
    onAction={onAction}
  >
    <Icon size={16} aria-hidden />
    {words}
  </AriaMenuItem>
);
