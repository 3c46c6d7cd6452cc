/** Stores the items published from this profile or found in its accounts, with their search index. */

import type { Content } from '../../api/content.ts';
import type { AccountId, ContentId, ItemId } from '../../api/ids.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/command-table.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { Profile } from '../profile/database.ts';
import { itemOf, type LibraryRow } from './library-row.ts';
import { createSearch } from './library-search.ts';
import { folded } from './normalise-search-text.ts';

interface NewLibraryItem {
  readonly id: ItemId;
  readonly accountId: AccountId | null;
  readonly name: string;
  readonly linkedAt: number;
  readonly content: Content;
  /** Found at the service: another profile may have published it, or an item of the queue that does not know of it yet. */
  readonly isImported?: true;
}

export interface Library {
  /**
   * Part of the caller's transaction, if there is one. Idempotent. Replaces a row that a sync added for the same link
   * before the queue knew of the publication, so that each link exists once.
   */
  add(item: NewLibraryItem): void;
  get(id: ItemId): LibraryItem | null;
  /** The newest item with this link. */
  byContent(id: ContentId): LibraryItem | null;
  /** Whether an item of this profile's queue was published with this link. */
  isPublished(id: ContentId): boolean;
  /** The account of the publication; null where it was not recorded. */
  accountOf(id: ItemId): AccountId | null;
  /** Stores the service's current version of the item. */
  put(id: ItemId, content: Content): void;
  markGone(id: ItemId, at: number | null): void;
  /** When the item will be deleted; null: not pending. */
  markDeleting(id: ItemId, at: number | null): void;
  /** Items of an account with a pending deletion, the earliest due first; null: their account was not recorded. */
  deleting(accountId: AccountId | null): readonly LibraryItem[];
  /** The accounts of all items with a pending deletion. */
  deletingAccounts(): readonly (AccountId | null)[];
  /** Items of an account that the service had at the last check. */
  alive(accountId: AccountId): readonly LibraryItem[];
  /** In one transaction. */
  remove(...ids: readonly ItemId[]): void;
  /** Records the links that are changed, added or removed from now on, until `end`. */
  watch(): { has(id: ContentId): boolean; end(): void };
  /** Removes all items except those with a pending deletion or a draft. */
  clear(): void;
  /** The number of items. */
  count(): number;
  /** Number and bytes of an account's items that the service had at the last check, by kind. */
  sizes(
    accountId: AccountId,
  ): readonly { readonly kind: Content['type']; readonly items: number; readonly bytes: number }[];
  /** Updates the search index of an item whose note text has changed. */
  reindex(id: ItemId): void;
  search(query: CommandInput<'library.search'>, now: number): CommandOutput<'library.search'>;
}

export const createLibrary = ({ database }: Profile): Library => {
  const insert = database.prepare<[string, string, number, string, string | null, 0 | 1]>(
    `INSERT INTO library (id, name, linked_at, content, account_id, is_imported) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
  );
  const update = database.prepare<[string, string]>('UPDATE library SET content = ?, gone_at = NULL WHERE id = ?');
  const gone = database.prepare<[number | null, string]>('UPDATE library SET gone_at = ? WHERE id = ?');
  const deleting = database.prepare<[number | null, string]>('UPDATE library SET deleting_at = ? WHERE id = ?');
  const removeRow = database.prepare<[string]>('DELETE FROM library WHERE id = ?');
  const removeWords = database.prepare<[number]>('DELETE FROM library_index WHERE rowid = ?');
  const insertWords = database.prepare<[number, string, string, string, string]>(
    'INSERT OR REPLACE INTO library_index (rowid, title, tags, name, text) VALUES (?, ?, ?, ?, ?)',
  );
  const textOf = database.prepare<[string], { text: string }>('SELECT text FROM note_text WHERE item_id = ?');
  const byId = database.prepare<[string], LibraryRow>('SELECT * FROM library WHERE id = ?');
  const byContent = database.prepare<[string], LibraryRow>(
    'SELECT * FROM library WHERE content_id = ? ORDER BY seq DESC LIMIT 1',
  );
  const published = database
    .prepare<[string], 1>('SELECT 1 FROM library WHERE content_id = ? AND is_imported = 0 LIMIT 1')
    .pluck();
  const due = database.prepare<[string | null], LibraryRow>(
    'SELECT * FROM library WHERE deleting_at IS NOT NULL AND account_id IS ? ORDER BY deleting_at, seq',
  );
  const dueAccounts = database
    .prepare<[], AccountId | null>('SELECT DISTINCT account_id FROM library WHERE deleting_at IS NOT NULL')
    .pluck();
  const alive = database.prepare<[string], LibraryRow>(
    'SELECT * FROM library WHERE account_id = ? AND gone_at IS NULL ORDER BY seq',
  );
  const clear = database.prepare<[]>(
    'DELETE FROM library WHERE deleting_at IS NULL AND id NOT IN (SELECT item_id FROM draft)',
  );
  const clearWords = database.prepare<[]>('DELETE FROM library_index WHERE rowid NOT IN (SELECT seq FROM library)');
  const count = database.prepare<[], number>('SELECT count(*) FROM library').pluck();
  const sizes = database.prepare<[string], { kind: Content['type']; items: number; bytes: number }>(
    `SELECT kind, count(*) AS items, sum(json_extract(content, '$.size')) AS bytes
     FROM library WHERE account_id = ? AND gone_at IS NULL GROUP BY kind`,
  );
  const { search } = createSearch(database);
  const watches = new Set<Set<string>>();

  const touched = (contentId: string | null | undefined): void => {
    if (contentId) for (const watch of watches) watch.add(contentId);
  };

  const reindex = (id: ItemId): void => {
    const row = byId.get(id);
    const item = row && itemOf(row);
    if (!row || !item) return;
    const { title, tags } = item.content;
    insertWords.run(
      row.seq,
      folded(title),
      folded(tags.join(' ')),
      folded(item.name),
      folded(textOf.get(id)?.text ?? ''),
    );
  };

  const remove = database.transaction((...ids: ItemId[]) => {
    for (const id of ids) {
      const row = byId.get(id);
      touched(itemOf(row)?.content.id);
      if (row) removeWords.run(row.seq);
      removeRow.run(id);
    }
  });

  return {
    add: database.transaction((item: NewLibraryItem) => {
      const { id, name, linkedAt, accountId, isImported } = item;
      const listed = byContent.get(item.content.id);
      if (listed && listed.id !== id) remove(listed.id as ItemId);
      const { changes } = insert.run(id, name, linkedAt, JSON.stringify(item.content), accountId, isImported ? 1 : 0);
      touched(item.content.id);
      if (changes > 0) reindex(id);
    }),
    get: (id) => itemOf(byId.get(id)),
    byContent: (id) => itemOf(byContent.get(id)),
    isPublished: (id) => published.get(id) !== undefined,
    accountOf: (id) => (byId.get(id)?.account_id ?? null) as AccountId | null,
    put: database.transaction((id, now) => {
      update.run(JSON.stringify(now), id);
      touched(now.id);
      reindex(id);
    }),
    markGone: (id, at) => void gone.run(at, id),
    markDeleting: (id, at) => void deleting.run(at, id),
    deleting: (accountId) => due.all(accountId).flatMap((row) => itemOf(row) ?? []),
    deletingAccounts: () => dueAccounts.all(),
    alive: (accountId) => alive.all(accountId).flatMap((row) => itemOf(row) ?? []),
    remove,
    watch() {
      const seen = new Set<string>();
      watches.add(seen);
      return { has: (id) => seen.has(id), end: () => void watches.delete(seen) };
    },
    clear: database.transaction(() => {
      clear.run();
      clearWords.run();
    }),
    count: () => count.get() ?? 0,
    sizes: (accountId) => sizes.all(accountId),
    reindex,
    search,
  };
};
