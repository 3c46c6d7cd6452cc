/** What was published, and its links. */
import Type from 'typebox';
import { Nullable } from '../content.ts';
import { ItemId } from '../ids.ts';
import { LibraryItem } from '../state.ts';
import { type Command, None } from './command.ts';

export const libraryCommands = {
  'library.search': {
    input: Type.Object({ text: Type.String(), cursor: Type.Optional(Type.String()) }),
    output: Type.Object({ items: Type.Array(LibraryItem), nextCursor: Nullable(Type.String()), total: Type.Integer() }),
    from: 'page',
  },
  /** Copies the item's link where the host reaches the clipboard; answers the link either way. */
  'link.copy': { input: Type.Object({ id: ItemId }), output: Type.Object({ url: Type.String() }), from: 'page' },
  /** Opens the share page in the person's browser. */
  'link.open': { input: Type.Object({ id: ItemId }), output: None, from: 'page' },
} as const satisfies Record<string, Command>;
