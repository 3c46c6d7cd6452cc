/** A published item as a card in the grid. */

import { memo } from 'react';
import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import { Checkbox } from '../../components/fields/checkbox.tsx';
import { Thumbnail } from '../../components/indicators/thumbnail.tsx';
import { useDragOut } from '../../components/links/use-drag-out.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useChanged, useIsChosen } from '../../stores/use-app-stores.tsx';
import { ItemActions } from './item-actions.tsx';
import { ItemLink } from './item-link.tsx';
import styles from './library-card.module.css';
import { titleOf } from './library-item.ts';
import { useIsComplete } from './scroll-idle.ts';

export const LibraryCard = memo(({ item: known }: { readonly item: LibraryItem }) => {
  const item = useChanged(known);
  const { addresses, library } = useAppStores();
  const { t, format } = useLocale();
  const { id, content, goneAt, deletingAt } = item;
  const isChosen = useIsChosen(id);
  const isComplete = useIsComplete();
  const title = titleOf(item);
  const drag = useDragOut(id, content.url);
  const detail = goneAt !== null ? t.library.gone : deletingAt !== null ? t.library.deleting : null;
  return (
    <div className={cx(styles.card, isChosen && styles.chosen, (goneAt ?? deletingAt) !== null && styles.away)}>
      <div className={styles.picture}>
        <Thumbnail src={addresses.thumbnailUrl(id)} kind={content.type} size="fill" drag={drag} />
        <span className={styles.check}>
          <Checkbox label={t.library.choose(title)} isOn={isChosen} onToggle={(reach) => library.toggle(id, reach)} />
        </span>
      </div>
      <ItemLink item={item} className={styles.title} />
      <p className={styles.fact}>
        {detail ?? `${t.library.visibility[content.visibility]} · ${format.bytes(content.size)}`}
      </p>
      <div className={styles.actions}>{isComplete && <ItemActions item={item} size="tight" />}</div>
    </div>
  );
});
