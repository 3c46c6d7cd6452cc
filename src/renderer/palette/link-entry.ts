/** A link from the library in the command palette: whether it can be shared, and how it is copied. */

import type { LibraryItem } from '../../ipc/protocol/app-state.ts';
import type { AppStores } from '../stores/app-stores.ts';
import { isWebAddress } from '../stores/published/copy-links.ts';
import { titleOf } from '../stores/published/library-store.ts';

export const isShareable = ({ goneAt, deletingAt, content }: LibraryItem): boolean =>
  (goneAt ?? deletingAt) === null && isWebAddress(content.url);

export const copyLink = async ({ links, toasts }: AppStores, item: LibraryItem): Promise<void> => {
  if (await links.copy(item.id, item.content.url))
    toasts.show({ kind: 'linkCopied', id: item.id, name: titleOf(item) });
};
