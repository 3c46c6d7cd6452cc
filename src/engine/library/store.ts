/** Everything that was published from this profile, newest first, found by the beginnings of its words. */
import { Compile } from 'typebox/compile';
import { Content } from '../../contract/content.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { CommandInput, CommandOutput } from '../../contract/ipc.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { LibraryItem } from '../../contract/state.ts';
import type { Profile } from '../profile/database.ts';

export interface Library {
  /** Part of the caller's transaction. A second time changes nothing. */
  add(item: LibraryItem): void;
  get(id: ItemId): LibraryItem | null;
  search(query: CommandInput<'library.search'>): CommandOutput<'library.search'>;
}

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly linked_at: number;
  readonly content: string;
}

const content = Compile(Content);

export const createLibrary = ({ database }: Profile): Library => {
  const insert = database.prepare<[string, string, number, string]>(
    'INSERT INTO library (id, name, linked_at, content) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const insertWords = database.prepare<[number | bigint, string, string, string]>(
    'INSERT INTO library_words (rowid, title, tags, name) VALUES (?, ?, ?, ?)',
  );
  const byId = database.prepare<[string], Row>('SELECT * FROM library WHERE id = ?');
  const newest = database.prepare<[number, number], Row>(
    'SELECT * FROM library WHERE seq < ? ORDER BY seq DESC LIMIT ?',
  );
  const count = database.prepare<[], { total: number }>('SELECT count(*) AS total FROM library');
  const found = database.prepare<[string, number, number], Row>(
    `SELECT library.* FROM library_words JOIN library ON library.seq = library_words.rowid
     WHERE library_words MATCH ? AND library.seq < ? ORDER BY library.seq DESC LIMIT ?`,
  );
  const countFound = database.prepare<[string], { total: number }>(
    'SELECT count(*) AS total FROM library_words WHERE library_words MATCH ?',
  );

  return {
    add(item) {
      const { changes, lastInsertRowid } = insert.run(item.id, item.name, item.linkedAt, JSON.stringify(item.content));
      if (changes === 0) return;
      const { title, tags } = item.content;
      insertWords.run(lastInsertRowid, fold(title), fold(tags.join(' ')), fold(item.name));
    },
    get(id) {
      const row = byId.get(id);
      return row ? itemOf(row) : null;
    },
    search({ text, cursor }) {
      const words = matchOf(text);
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(cursor, 36) || 0;
      const some = LIMITS.pageItems + 1;
      const rows = words === null ? newest.all(before, some) : found.all(words, before, some);
      const page = rows.slice(0, LIMITS.pageItems);
      const total = (words === null ? count.get() : countFound.get(words))?.total ?? 0;
      const last = rows.length > page.length ? page.at(-1) : undefined;
      return {
        items: page.map(itemOf).filter((item) => item !== null),
        nextCursor: last ? last.seq.toString(36) : null,
        total,
      };
    },
  };
};

/** People type ё and е as they like; the tokenizer keeps them apart. */
const fold = (text: string): string => text.normalize('NFKC').replaceAll('ё', 'е').replaceAll('Ё', 'Е');

/** Every word must begin a word of the item. Null: no word to look for. Quoted, so that no input is query syntax. */
const matchOf = (text: string): string | null => {
  const words = fold(text).match(/[\p{L}\p{N}\p{M}]+/gu);
  return words ? words.map((word) => `"${word}"*`).join(' ') : null;
};

const itemOf = (row: Row): LibraryItem | null => {
  const value: unknown = JSON.parse(row.content);
  if (!content.Check(value)) return null;
  return { id: row.id as ItemId, name: row.name, linkedAt: row.linked_at, content: value };
};
