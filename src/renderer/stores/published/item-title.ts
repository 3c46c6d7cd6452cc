/** The title of a published item in the window. Pure. */
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';

/** The file name, unless the user gave the item another title. */
export const titleOf = ({ name, content: { title } }: LibraryItem): string =>
  title === '' || name.startsWith(`${title}.`) ? name : title;
