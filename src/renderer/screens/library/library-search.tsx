/** Search field of the library; `/` focuses it from anywhere. */

import { useEffect, useRef } from 'react';
import { SearchField } from '../../components/fields/search-field.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useFocusTarget, useLibrary } from '../../stores/use-app-stores.tsx';
import styles from './library-search.module.css';

export const LibrarySearch = () => {
  const { library, view } = useAppStores();
  const { t } = useLocale();
  const { text } = useLibrary();
  const landing = useFocusTarget();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (landing !== 'search') return;
    input.current?.focus();
    input.current?.select();
    view.clearFocusTarget();
  }, [landing, view]);

  return (
    <div className={styles.place}>
      <SearchField
        input={input}
        label={t.library.search}
        placeholder={t.library.searchPlaceholder}
        shortcut="/"
        value={text}
        onChange={library.search}
      />
    </div>
  );
};
