/** Changes that were rolled back: what happened, what is kept, and what to do. Shown until the user dismisses them. */

import type { ItemId } from '../../../api/ids.ts';
import { Button } from '../../components/buttons/button.tsx';
import { Advice } from '../../components/overlays/advice.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useRefusals } from '../../stores/use-app-stores.tsx';
import styles from './failed-changes.module.css';

/** `of` null: all items. */
export const FailedChanges = ({ of }: { readonly of: ItemId | null }) => {
  const { changes, library } = useAppStores();
  const { t, failure: describe } = useLocale();
  const refused = useRefusals(of);
  const words = t.item.refused;
  return (
    <div role="alert" className={styles.refusals}>
      {refused.map((refusal) => {
        const { title, advice } = describe(refusal.failure);
        const { ids, asked } = refusal;
        const isSome = of === null && ids.length < asked;
        const kept = isSome ? words.keptSome(ids.length, asked) : words.kept;
        return (
          <Advice
            key={refusal.number}
            tone="warn"
            title={`${refusal.fate === 'unknown' ? words.unknownTitle : words.title}: ${title}`}
            sentences={[refusal.fate === 'unknown' ? words.unknown : kept, advice]}
            failure={refusal.failure}
          >
            <Button onPress={() => void changes.retry(refusal)}>{words.retry}</Button>
            {isSome && <Button onPress={() => library.chooseThese(ids)}>{words.chooseThem}</Button>}
            <Button tone="quiet" onPress={() => changes.dismiss(refusal.number)}>
              {t.app.dismiss}
            </Button>
          </Advice>
        );
      })}
    </div>
  );
};
