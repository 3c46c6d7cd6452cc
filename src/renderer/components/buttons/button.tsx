/** Buttons in four tones, with text or with an icon alone. An icon button needs a label, which is also its tooltip. */

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { cx } from '../../design/class-names.ts';
import styles from './button.module.css';

type Tone = 'primary' | 'outline' | 'quiet' | 'danger';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  readonly tone?: Tone;
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}

export const Button = ({ tone = 'outline', icon: Icon, children, ...rest }: ButtonProps) => (
  <AriaButton {...rest} className={cx(styles.button, styles[tone])}>
    {Icon && <Icon size={16} aria-hidden />}
    {children}
  </AriaButton>
);

interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'aria-label'> {
  readonly tone?: Tone;
  readonly icon: LucideIcon;
  /** Accessible name and tooltip. */
  readonly label: string;
}

export const IconButton = ({ tone = 'quiet', icon: Icon, label, ...rest }: IconButtonProps) => (
  <TooltipTrigger delay={500}>
    <AriaButton {...rest} aria-label={label} className={cx(styles.button, styles.iconOnly, styles[tone])}>
      <Icon size={18} aria-hidden />
    </AriaButton>
    <Tooltip className={cx(styles.tooltip)} offset={6}>
      {label}
    </Tooltip>
  </TooltipTrigger>
);
