/** The library: all published items, with search, filters and bulk actions. */

import { Images, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../components/buttons/button.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { Advice } from '../../components/overlays/advice.tsx';
import { EmptyState } from '../../components/overlays/empty-state.tsx';
import { useFileInput } from '../../file-input/file-input.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { isNarrowed } from '../../stores/published/library-store.ts';
import { bulkProgressOf } from '../../stores/published/optimistic-changes.ts';
import { useApp, useAppStores, useLibrary, usePending } from '../../stores/use-app-stores.tsx';
import { FailedChanges } from './failed-changes.tsx';
import { LibraryFilters } from './library-filters.tsx';
import { LibraryItems } from './library-items.tsx';
import styles from './library-screen.module.css';
import { LibrarySearch } from './library-search.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useLibraryKeys } from './use-library-keys.ts';
import { useShowAll } from './use-show-all.ts';

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
          <Advice tone="bad" title={text.title} sentences={[text.advice]} failure={failure}>
            <Button onPress={() => void library.load()}>{t.app.tryAgain}</Button>
          </Advice>
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
