/**
 * Lists the failed changes of library items: what happened, what was kept, and what to do. A change stays listed until
 * the user dismisses it or changes the items again.
 */

import type { ItemId } from '../../../api/ids.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useFailedChanges } from '../../stores/use-app-stores.tsx';
import styles from './failed-changes.module.css';

/** `of` null: all items. */
export const FailedChanges = ({ of }: { readonly of: ItemId | null }) => {
  const { changes, library } = useAppStores();
  const { t, failure: describe } = useLocale();
  const failedChanges = useFailedChanges(of);
  const words = t.item.refused;
  return (
    <div role="alert" className={styles.refusals}>
      {failedChanges.map((change) => {
        const { title, advice } = describe(change.failure);
        const { ids, asked } = change;
        const isSome = of === null && ids.length < asked;
        const sentences = {
          unchanged: isSome ? words.keptSome(ids.length, asked) : words.kept,
          unknown: words.unknown,
          unanswered: words.unanswered,
          private: words.leftPrivate,
        };
        return (
          <Alert
            key={change.number}
            tone="warn"
            title={`${change.outcome === 'unchanged' ? words.title : words.unknownTitle}: ${title}`}
            sentences={[sentences[change.outcome], advice]}
            failure={change.failure}
          >
            <Button onPress={() => void changes.retry(change)}>{words.retry}</Button>
            {isSome && <Button onPress={() => library.select(ids)}>{words.chooseThem}</Button>}
            <Button tone="quiet" onPress={() => changes.dismiss(change.number)}>
              {t.app.dismiss}
            </Button>
          </Alert>
        );
      })}
    </div>
  );
};
