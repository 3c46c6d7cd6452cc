/** Text of library rows and cards. */

import type { LibraryItem } from '../../../ipc/protocol/state.ts';

/** The file name, unless the user gave the item another title. */
export const titleOf = ({ name, content: { title } }: LibraryItem): string =>
  title === '' || name.startsWith(`${title}.`) ? name : title;
