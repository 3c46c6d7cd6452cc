/** What rows and cards say of a published item. */

import type { LibraryItem } from '../../../ipc/protocol/state.ts';

/** The file's name, unless the item was given a title of its own. */
export const titleOf = ({ name, content: { title } }: LibraryItem): string =>
  title === '' || name.startsWith(`${title}.`) ? name : title;
