/** Screen of one published item: loads the item and shows it, or says why it cannot be shown. */

import { ArrowLeft, FileQuestionMark, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';
import { EmptyState } from '../../components/indicators/empty-state.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { titleOf } from '../../stores/published/item-title.ts';
import { useAppStores, useMainSection, useOpened } from '../../stores/use-app-stores.tsx';
import styles from './item-screen.module.css';

/** Loaded when the first item is opened. */
const LoadedItem = lazy(async () => ({ default: (await import('./loaded-item.tsx')).LoadedItem }));

export const ItemScreen = ({ id }: { readonly id: ItemId }) => {
  const { itemDetails, view } = useAppStores();
  const { t } = useLocale();
  const place = useMainSection();
  useEffect(() => {
    void itemDetails.open(id);
    return () => itemDetails.close(id);
  }, [itemDetails, id]);
  return (
    <div className={styles.screen}>
      <div className={styles.back}>
        <Button tone="quiet" icon={ArrowLeft} onPress={view.back}>
          {t.app[place]}
        </Button>
      </div>
      <Content id={id} />
    </div>
  );
};

const Content = ({ id }: { readonly id: ItemId }) => {
  const { itemDetails } = useAppStores();
  const { t, failure: describe } = useLocale();
  const { id: shown, phase, item, failure } = useOpened();
  if (shown === id && phase === 'there' && item)
    return (
      <Suspense fallback={<Reading />}>
        <LoadedItem item={item} />
      </Suspense>
    );
  if (shown === id && phase === 'unknown')
    return <Placeholder title={t.item.unknown} text={t.item.unknownText} icon="unknown" />;
  if (shown === id && phase === 'removed' && item)
    return <Placeholder title={t.item.removed(titleOf(item))} text={t.item.removedText} icon="removed" />;
  if (shown === id && failure) {
    const { title, advice } = describe(failure);
    return (
      <div role="alert">
        <Alert tone="bad" title={title} sentences={[advice]} failure={failure}>
          <Button onPress={() => void itemDetails.open(id)}>{t.app.tryAgain}</Button>
        </Alert>
      </div>
    );
  }
  return <Reading />;
};

const Reading = () => {
  const { t } = useLocale();
  return (
    <p className={styles.quiet} role="status">
      {t.item.reading}
    </p>
  );
};

interface PlaceholderProps {
  readonly title: string;
  readonly text: string;
  readonly icon: 'unknown' | 'removed';
}

const Placeholder = ({ title, text, icon }: PlaceholderProps) => {
  const { view } = useAppStores();
  const { t } = useLocale();
  return (
    <div role="status">
      <EmptyState icon={icon === 'removed' ? Trash2 : FileQuestionMark} title={title} text={text} level={1}>
        <Button tone="primary" onPress={() => view.show('library')}>
          {t.item.toLibrary}
        </Button>
      </EmptyState>
    </div>
  );
};
