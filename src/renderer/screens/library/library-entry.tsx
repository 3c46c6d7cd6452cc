/** One published item in the library: a row of the list or a card of the grid. */

import { memo } from 'react';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import { Checkbox } from '../../components/fields/checkbox.tsx';
import { MetaLine } from '../../components/indicators/meta-line.tsx';
import { Thumbnail } from '../../components/indicators/thumbnail.tsx';
import { cx } from '../../design/class-names.ts';
import { useDragOut } from '../../file-input/use-drag-out.ts';
import { useLocale } from '../../locales/locale.tsx';
import { titleOf } from '../../stores/published/item-title.ts';
import { addressOf } from '../../stores/router-store.ts';
import { useAppStores, useChanged, useIsChosen, useItemThumbnail } from '../../stores/use-app-stores.tsx';
import { ItemActions } from './item-actions.tsx';
import itemLinkStyles from './item-link.module.css';
import libraryCardStyles from './library-card.module.css';
import styles from './library-entry.module.css';
import { useIsComplete } from './scroll-idle.ts';

interface ItemLinkProps {
  readonly item: LibraryItem;
  readonly className: string | undefined;
}

/** Title of an item, linking to its page. An anchor, so that browsers can open it in a new tab. */
const ItemLink = ({ item, className }: ItemLinkProps) => {
  const title = titleOf(item);
  return (
    <a href={addressOf({ screen: 'item', id: item.id })} className={cx(itemLinkStyles.link, className)} title={title}>
      {title}
    </a>
  );
};

/** A published item as a row of the list. */
export const LibraryRow = memo(({ item: known }: { readonly item: LibraryItem }) => {
  const item = useChanged(known);
  const { library } = useAppStores();
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
      <Thumbnail {...useItemThumbnail(id)} kind={content.type} drag={drag} />
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

/** A published item as a card in the grid. */
export const LibraryCard = memo(({ item: known }: { readonly item: LibraryItem }) => {
  const item = useChanged(known);
  const { library } = useAppStores();
  const { t, format } = useLocale();
  const { id, content, goneAt, deletingAt } = item;
  const isChosen = useIsChosen(id);
  const isComplete = useIsComplete();
  const title = titleOf(item);
  const drag = useDragOut(id, content.url);
  const detail = goneAt !== null ? t.library.gone : deletingAt !== null ? t.library.deleting : null;
  return (
    <div
      className={cx(
        libraryCardStyles.card,
        isChosen && libraryCardStyles.chosen,
        (goneAt ?? deletingAt) !== null && libraryCardStyles.away,
      )}
    >
      <div className={libraryCardStyles.picture}>
        <Thumbnail {...useItemThumbnail(id)} kind={content.type} size="fill" drag={drag} />
        <span className={libraryCardStyles.check}>
          <Checkbox label={t.library.choose(title)} isOn={isChosen} onToggle={(reach) => library.toggle(id, reach)} />
        </span>
      </div>
      <ItemLink item={item} className={libraryCardStyles.title} />
      <p className={libraryCardStyles.fact}>
        {detail ?? `${t.library.visibility[content.visibility]} · ${format.bytes(content.size)}`}
      </p>
      <div className={libraryCardStyles.actions}>{isComplete && <ItemActions item={item} size="tight" />}</div>
    </div>
  );
});
