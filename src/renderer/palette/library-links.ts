/**
 * Selects the library items whose link the command palette offers: not gone, not being deleted, and with a web address.
 * Also copies such a link.
 */
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { AppStores } from '../stores/app-stores.ts';
import { isWebAddress } from '../stores/published/is-web-address.ts';
import { titleOf } from '../stores/published/item-title.ts';

/** An item that has expired is left out by the search, with `state: 'live'`. */
export const isShareable = ({ goneAt, deletingAt, content }: LibraryItem): boolean =>
  (goneAt ?? deletingAt) === null && isWebAddress(content.url);

export const copyLink = async ({ links, toasts }: AppStores, item: LibraryItem): Promise<void> => {
  if (await links.copy(item.id, item.content.url))
    toasts.show({ kind: 'linkCopied', id: item.id, name: titleOf(item) });
};
