/**
 * Checks whether the link of a library item still works, so that the command palette offers it, and copies such a link.
 */
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { AppStores } from '../stores/app-stores.ts';
import { isWebAddress } from '../stores/published/is-web-address.ts';
import { titleOf } from '../stores/published/item-title.ts';

/** Whether the link of this item still works. */
export const isShareable = ({ goneAt, deletingAt, content }: LibraryItem): boolean =>
  (goneAt ?? deletingAt) === null && isWebAddress(content.url);

export const copyLink = async ({ links, toasts }: AppStores, item: LibraryItem): Promise<void> => {
  if (await links.copy(item.id, item.content.url))
    toasts.show({ kind: 'linkCopied', id: item.id, name: titleOf(item) });
};
