/** A published item as a row of the list. */

import { memo } from 'react';
import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import { Checkbox } from '../../components/fields/checkbox.tsx';
import { MetaLine } from '../../components/indicators/meta-line.tsx';
import { Thumbnail } from '../../components/indicators/thumbnail.tsx';
import { useDragOut } from '../../components/links/use-drag-out.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useChanged, useIsChosen } from '../../stores/use-app-stores.tsx';
import { ItemActions } from './item-actions.tsx';
import { ItemLink } from './item-link.tsx';
import { titleOf } from './library-item.ts';
import styles from './library-row.module.css';

export const LibraryRow = memo(({ item: known }: { readonly item: LibraryItem }) => {
  const item = useChanged(known);
  const { addresses, library } = useAppStores();
  const { t, format } = useLocale();
  const { id, content, goneAt, deletingAt } = item;
  const isChosen = useIsChosen(id);
  const title = titleOf(item);
  const drag = useDragOut(id, content.url);
  const createdAt = new Date(content.createdAt);
  const facts = [
    goneAt !== null && t.library.gone,
    deletingAt !== null && t.library.deleting,
    t.library.kind[content.type],
    t.library.visibility[content.visibility],
    format.bytes(content.size),
  ];
  const when = (
    <>
      {format.date(createdAt)}
      <span className={styles.time}>, {format.time(createdAt)}</span>
    </>
  );
  return (
    <div className={cx(styles.row, isChosen && styles.chosen, (goneAt ?? deletingAt) !== null && styles.away)}>
      <Checkbox label={t.library.choose(title)} isOn={isChosen} onToggle={(reach) => library.toggle(id, reach)} />
      <Thumbnail src={addresses.thumbnailUrl(id)} kind={content.type} drag={drag} />
      <div className={styles.words}>
        <ItemLink item={item} className={styles.title} />
        <div
          className={styles.facts}
          title={[...facts.filter((fact) => fact !== false), format.dateTime(createdAt)].join(' · ')}
        >
          <MetaLine facts={[...facts, when]} />
        </div>
      </div>
      <ItemActions item={item} size="wide" />
    </div>
  );
});
