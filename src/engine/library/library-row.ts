/** The database row of a published item, and its conversion to the item. */

import { Content } from '../../api/content.ts';
import type { ItemId } from '../../api/ids.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';

export interface LibraryRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly linked_at: number;
  readonly content: string;
  readonly account_id: string | null;
  readonly gone_at: number | null;
  readonly deleting_at: number | null;
}

const isContent = createValidator(Content);

/** Null: no row, or one that this version cannot read. */
export const itemOf = (row: LibraryRow | undefined): LibraryItem | null => {
  const value: unknown = row && JSON.parse(row.content);
  if (!row || !isContent(value)) return null;
  return {
    id: row.id as ItemId,
    name: row.name,
    linkedAt: row.linked_at,
    content: value,
    goneAt: row.gone_at,
    deletingAt: row.deleting_at,
  };
};
