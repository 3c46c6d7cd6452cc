/** A search field that reports each change of its text. Esc or its button clears it. */

import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Kbd } from '../indicators/kbd.tsx';
import inputStyles from './input.module.css';
import styles from './search-field.module.css';

interface SearchFieldProps {
  /** Accessible name. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit?: () => void;
  readonly input?: Ref<HTMLInputElement>;
  /** Shortcut that focuses the field, shown while it is empty. */
  readonly shortcut?: string;
}

export const SearchField = ({ label, placeholder, input, shortcut, value, ...field }: SearchFieldProps) => {
  const { t } = useLocale();
  return (
    <AriaSearchField {...field} className={cx(styles.field)} aria-label={label} value={value}>
      <Search className={styles.sign} size={16} aria-hidden />
      <Input ref={input} className={cx(inputStyles.input, styles.room)} placeholder={placeholder} />
      {value !== '' && (
        <Button className={cx(styles.end)} aria-label={t.library.clearSearch}>
          <X size={16} aria-hidden />
        </Button>
      )}
      {value === '' && shortcut !== undefined && (
        <span className={cx(styles.end, styles.key)} aria-hidden>
          <Kbd name={shortcut} look="quiet" />
        </span>
      )}
    </AriaSearchField>
  );
};
