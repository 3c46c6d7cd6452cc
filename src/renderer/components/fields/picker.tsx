/** A button that shows the selected option and opens the list of options. */

import { Check, ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { cx } from '../../design/class-names.ts';
import button from '../buttons/button.module.css';
import menu from '../buttons/menu.module.css';
import styles from './picker.module.css';

interface PickerOption<Value extends string> {
  readonly value: Value;
  readonly title: string;
}

interface PickerProps<Value extends string> {
  /** Name of the choice, part of the accessible name. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly PickerOption<Value>[];
  /** Highlights a choice that differs from the default. */
  readonly isActive: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (value: Value) => void;
}

export const Picker = <Value extends string>({
  label,
  value,
  options,
  isActive,
  isDisabled = false,
  onChange,
}: PickerProps<Value>) => {
  const title = options.find((option) => option.value === value)?.title ?? '';
  return (
    <MenuTrigger>
      <Button
        className={cx(button.button, button.outline, styles.button, isActive && styles.active)}
        aria-label={`${label}: ${title}`}
        isDisabled={isDisabled}
      >
        {title}
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className={cx(menu.popover)} placement="bottom start">
        <Menu
          className={cx(menu.menu)}
          aria-label={label}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[value]}
          onAction={(key) => {
            const option = options.find((known) => known.value === key);
            if (option) onChange(option.value);
          }}
        >
          {options.map((option) => (
            <MenuItem
              key={option.value}
              id={option.value}
              className={cx(menu.item, styles.item)}
              textValue={option.title}
            >
              <Check className={styles.check} size={16} aria-hidden />
              {option.title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
