/** Everything that was published, to find a link again. */

import { Images, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useHands } from '../../hands/hands.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { Advice } from '../../parts/advice.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Hidden } from '../../parts/hidden.tsx';
import { useLibrary, usePage } from '../../stores/use-page.tsx';
import { LibraryList } from './library-list.tsx';
import styles from './library-screen.module.css';
import { LibrarySearch } from './library-search.tsx';

export const LibraryScreen = () => {
  const { library } = usePage();
  const { t, failure: describe } = useLocale();
  const { answered, items, total, failure } = useLibrary();

  useEffect(() => {
    void library.load();
  }, [library]);

  const text = failure && describe(failure);
  const count = answered === null || answered === '' ? t.library.count(total) : t.library.found(total);
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h1>{t.library.title}</h1>
        {answered !== null && <p className={styles.count}>{count}</p>}
        <LibrarySearch />
      </div>
      <Hidden live>{answered ? t.library.found(total) : ''}</Hidden>
      {text && failure && (
        <div role="alert">
          <Advice tone="bad" title={text.title} sentences={[text.advice]} failure={failure}>
            <Button onPress={() => void library.load()}>{t.app.tryAgain}</Button>
          </Advice>
        </div>
      )}
      {items.length > 0 && <LibraryList items={items} />}
      {items.length === 0 && answered === '' && <NothingYet />}
      {items.length === 0 && answered !== null && answered !== '' && <NothingFound text={answered} />}
    </div>
  );
};

const NothingYet = () => {
  const { t } = useLocale();
  const { choose } = useHands();
  return (
    <Empty icon={Images} title={t.library.emptyTitle} text={t.library.emptyText}>
      <Button tone="primary" onPress={choose}>
        {t.library.emptyAction}
      </Button>
    </Empty>
  );
};

const NothingFound = ({ text }: { readonly text: string }) => {
  const { library } = usePage();
  const { t } = useLocale();
  return (
    <Empty icon={SearchX} title={t.library.noneTitle(text)} text={t.library.noneText}>
      <Button onPress={() => library.search('')}>{t.library.clearSearch}</Button>
    </Empty>
  );
};
