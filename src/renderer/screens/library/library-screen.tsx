/** The library: all published items, with search, filters and bulk actions. */

import { Images, SearchX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';
import { SearchField } from '../../components/fields/search-field.tsx';
import { EmptyState } from '../../components/indicators/empty-state.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { useFileInput } from '../../file-input/file-input.tsx';
import { isCommandKey, isLetter, isTyping } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import { isNarrowed } from '../../stores/published/library-store.ts';
import { bulkProgressOf } from '../../stores/published/optimistic-changes.ts';
import { useApp, useAppStores, useFocusTarget, useLibrary, usePending } from '../../stores/use-app-stores.tsx';
import { FailedChanges } from './failed-changes.tsx';
import { LibraryFilters, useShowAll } from './library-filters.tsx';
import { LibraryItems } from './library-items.tsx';
import styles from './library-screen.module.css';
import librarySearchStyles from './library-search.module.css';
import { SelectionBar } from './selection-bar.tsx';

/** Search field of the library; `/` focuses it from anywhere. */
const LibrarySearch = () => {
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
    <div className={librarySearchStyles.place}>
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

/**
 * Shortcuts of the library: Ctrl+A selects all, Delete deletes the selection, Escape clears it. Not inside fields or
 * menus.
 */
const useLibraryKeys = (): void => {
  const { library, removal } = useAppStores();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isElsewhere = event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"]');
      if (event.defaultPrevented || isTyping(event.target) || isElsewhere) return;
      const { selected } = library.store.getState();
      if (isCommandKey(event) && isLetter(event, 'a')) void library.chooseAll();
      else if (event.key === 'Delete' && !event.repeat && selected.size > 0) void removal.remove([...selected]);
      else if (event.key === 'Escape' && selected.size > 0) library.clearSelection();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [library, removal]);
};

export const LibraryScreen = () => {
  const { library } = useAppStores();
  const { t, failure: describe } = useLocale();
  const { answered, items, total, failure, selected } = useLibrary();
  const look = useApp((app) => app.settings.libraryLook);
  const progress = bulkProgressOf(usePending());
  useLibraryKeys();

  useEffect(() => {
    void library.load();
  }, [library]);

  const text = failure && describe(failure);
  const isUnfiltered = answered === null || (answered.text === '' && !isNarrowed(answered.filters));
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h1>{t.library.title}</h1>
        {answered !== null && (
          <p className={styles.count}>
            {progress
              ? t.library.changing(progress.done, progress.total)
              : isUnfiltered
                ? t.library.count(total)
                : t.library.found(total)}
          </p>
        )}
        <LibrarySearch />
      </div>
      {(total > 0 || !isUnfiltered) && <LibraryFilters />}
      <VisuallyHidden live>{isUnfiltered ? '' : t.library.found(total)}</VisuallyHidden>
      <VisuallyHidden live>{progress && t.library.changingMany(progress.total)}</VisuallyHidden>
      <VisuallyHidden live>{selected.size > 0 && t.library.chosen(selected.size)}</VisuallyHidden>
      <FailedChanges of={null} />
      {text && failure && (
        <div role="alert">
          <Alert tone="bad" title={text.title} sentences={[text.advice]} failure={failure}>
            <Button onPress={() => void library.load()}>{t.app.tryAgain}</Button>
          </Alert>
        </div>
      )}
      {items.length > 0 && <LibraryItems key={look} look={look} items={items} />}
      {items.length === 0 &&
        answered !== null &&
        (isUnfiltered ? <NothingYet /> : <NothingFound text={answered.text} />)}
      <SelectionBar />
    </div>
  );
};

const NothingYet = () => {
  const { t } = useLocale();
  const { choose } = useFileInput();
  return (
    <EmptyState icon={Images} title={t.library.emptyTitle} text={t.library.emptyText}>
      <Button tone="primary" onPress={choose}>
        {t.library.emptyAction}
      </Button>
    </EmptyState>
  );
};

const NothingFound = ({ text }: { readonly text: string }) => {
  const showAll = useShowAll();
  const { t } = useLocale();
  const title = text === '' ? t.library.noneFiltered : t.library.noneTitle(text);
  return (
    <EmptyState icon={SearchX} title={title} text={text === '' ? t.library.noneFilteredText : t.library.noneText}>
      <Button onPress={showAll}>{t.library.showAll}</Button>
    </EmptyState>
  );
};
