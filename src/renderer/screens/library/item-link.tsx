/** Title of an item, linking to its page. An anchor, so that browsers can open it in a new tab. */

import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import { addressOf } from '../../app/hash-route.ts';
import { cx } from '../../design/cx.ts';
import styles from './item-link.module.css';
import { titleOf } from './library-item.ts';

interface ItemLinkProps {
  readonly item: LibraryItem;
  readonly className: string | undefined;
}

export const ItemLink = ({ item, className }: ItemLinkProps) => {
  const title = titleOf(item);
  return (
    <a href={addressOf({ screen: 'item', id: item.id })} className={cx(styles.link, className)} title={title}>
      {title}
    </a>
  );
};
