/** The search field of the library; `/` brings the keyboard here from anywhere. */

import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField } from 'react-aria-components/SearchField';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useLanding, useLibrary, usePage } from '../../stores/use-page.tsx';
import styles from './library-search.module.css';

export const LibrarySearch = () => {
  const { library, view } = usePage();
  const { t } = useLocale();
  const { text } = useLibrary();
  const landing = useLanding();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (landing !== 'search') return;
    input.current?.focus();
    input.current?.select();
    view.landed();
  }, [landing, view]);

  return (
    <SearchField className={cx(styles.field)} aria-label={t.library.search} value={text} onChange={library.search}>
      <Search className={styles.icon} size={16} aria-hidden />
      <Input ref={input} className={cx(styles.input)} placeholder={t.library.searchPlaceholder} />
      {text === '' ? (
        <kbd className={styles.key} aria-hidden>
          {'/'}
        </kbd>
      ) : (
        <Button className={cx(styles.clear)} aria-label={t.library.clearSearch}>
          <X size={16} aria-hidden />
        </Button>
      )}
    </SearchField>
  );
};
