/** Schemas of lists of items (API decisions 3): one page of a list, and an item as the requester may see it. */

import Type, { type Static } from 'typebox';
import { Content, LockedCard } from './content.ts';
import { LIMITS } from './limits.ts';
import { Nullable } from './nullable-and-literals.ts';

/** An item as the requester may see it: in full, or as a locked card. Both carry `favorite`, `owned` and `author`. */
export const ListedItem = Type.Union([Content, LockedCard]);
export type ListedItem = Static<typeof ListedItem>;

/** One page, newest first. `nextCursor` is null on the last page. */
export const ItemPage = Type.Object({
  items: Type.Array(ListedItem, { maxItems: LIMITS.pageItems }),
  nextCursor: Nullable(Type.String()),
});
export type ItemPage = Static<typeof ItemPage>;
