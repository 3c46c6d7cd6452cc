/**
 * Schema of an item of the app's library: the published content, when it was published, when it was found deleted at
 * the service, and when a deletion that can still be undone takes effect.
 */
import Type, { type Static } from 'typebox';
import { Content } from '../../api/content.ts';
import { ItemId } from '../../api/ids.ts';
import { Nullable } from '../../api/nullable-and-literals.ts';

/** A published item in the app's library. */
export const LibraryItem = Type.Object({
  id: ItemId,
  name: Type.String(),
  content: Content,
  linkedAt: Type.Integer({ minimum: 0 }),
  /** When the item was found deleted at the service; null while it exists. */
  goneAt: Nullable(Type.Integer({ minimum: 0 })),
  /** When it will be deleted unless reverted; null without a pending deletion. */
  deletingAt: Nullable(Type.Integer({ minimum: 0 })),
});
export type LibraryItem = Static<typeof LibraryItem>;
