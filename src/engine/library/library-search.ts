/**
 * Searches published items by properties and by words, including the words recognised in pictures, in sorted pages. A
 * word matches as a prefix.
 */

import type Database from 'better-sqlite3';
import { unreachable } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/command-table.ts';
import { itemOf, type LibraryRow } from './library-row.ts';
import { folded } from './normalise-search-text.ts';

type Query = CommandInput<'library.search'>;
type Value = string | number;

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** The sort key; `seq` breaks ties, so that a page ends at exactly one item. */
const orderOf = (sort: NonNullable<Query['sort']>): { readonly key: string; readonly direction: 'ASC' | 'DESC' } => {
  switch (sort) {
    case 'newest':
      return { key: 'linked_at', direction: 'DESC' };
    case 'oldest':
      return { key: 'linked_at', direction: 'ASC' };
    case 'title':
      return { key: `json_extract(content, '$.title') COLLATE NOCASE`, direction: 'ASC' };
    case 'largest':
      return { key: `json_extract(content, '$.size')`, direction: 'DESC' };
    case 'most-viewed':
      return { key: `json_extract(content, '$.views')`, direction: 'DESC' };
    default:
      return unreachable(sort);
  }
};

export const createSearch = (
  database: Database.Database,
): { search(query: Query, now: number): CommandOutput<'library.search'> } => ({
  search(query, now) {
    const { key, direction } = orderOf(query.sort ?? 'newest');
    const limit = query.limit ?? LIMITS.pageItems;
    const filters = filtersOf(query, now);
    const after = pageAfter(query.cursor, key, direction);
    const rows = database
      .prepare<Value[], LibraryRow & { key: Value }>(
        `SELECT *, ${key} AS key FROM library ${where(after ? [...filters, after] : filters)}
         ORDER BY ${key} ${direction}, seq ${direction} LIMIT ?`,
      )
      .all(...valuesOf(after ? [...filters, after] : filters), limit + 1);
    const counted = database
      .prepare<Value[], { total: number }>(`SELECT count(*) AS total FROM library ${where(filters)}`)
      .get(...valuesOf(filters));
    const page = rows.slice(0, limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    return {
      items: page.flatMap((row) => itemOf(row) ?? []),
      nextCursor: last ? Buffer.from(JSON.stringify([last.key, last.seq])).toString('base64url') : null,
      total: counted?.total ?? 0,
    };
  },
});

const where = (conditions: readonly Condition[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`;

const valuesOf = (conditions: readonly Condition[]): Value[] => conditions.flatMap(({ values }) => values);

const PROTECTED = `json_extract(content, '$.passwordProtected') OR json_extract(content, '$.oneTime')
  OR json_extract(content, '$.viewLimit') IS NOT NULL`;
const EXPIRED = `coalesce(json_extract(content, '$.expiresAt') <= ?, FALSE)`;

const IN_LIBRARY = 'seq IN (SELECT rowid FROM library_index WHERE library_index MATCH ?)';
const IN_PICTURES = 'seq IN (SELECT rowid FROM picture_index WHERE picture_index MATCH ?)';

const filtersOf = ({ text, inPictures, kinds, visibility, state, from, to }: Query, now: number): Condition[] => {
  const words = matchOf(text);
  const instant = new Date(now).toISOString();
  const conditions: (Condition | null)[] = [
    words === null ? null : { sql: `${IN_LIBRARY} OR ${IN_PICTURES}`, values: [words, words] },
    inPictures === undefined ? null : pictureCondition(inPictures),
    kinds ? { sql: `kind IN (${kinds.map(() => '?').join(', ')})`, values: kinds } : null,
    visibility ? { sql: `json_extract(content, '$.visibility') = ?`, values: [visibility] } : null,
    state === 'gone' ? { sql: `gone_at IS NOT NULL OR ${EXPIRED}`, values: [instant] } : null,
    state === 'live' ? { sql: `gone_at IS NULL AND NOT ${EXPIRED}`, values: [instant] } : null,
    state === 'protected' ? { sql: PROTECTED, values: [] } : null,
    from === undefined ? null : { sql: 'linked_at >= ?', values: [from] },
    to === undefined ? null : { sql: 'linked_at < ?', values: [to] },
  ];
  return conditions.filter((condition) => condition !== null);
};

/** Without a word in it, such as with punctuation only, nothing is found. */
const pictureCondition = (text: string): Condition => {
  const words = matchOf(text);
  return words === null ? { sql: 'FALSE', values: [] } : { sql: IN_PICTURES, values: [words] };
};

/** The condition for items after the cursor; null without a cursor or for an invalid one. */
const pageAfter = (cursor: string | undefined, key: string, direction: 'ASC' | 'DESC'): Condition | null => {
  if (cursor === undefined) return null;
  try {
    const [value, seq]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if ((typeof value !== 'string' && typeof value !== 'number') || typeof seq !== 'number') return null;
    const sign = direction === 'ASC' ? '>' : '<';
    return { sql: `${key} ${sign} ? OR (${key} = ? AND seq ${sign} ?)`, values: [value, value, seq] };
  } catch {
    // Not a cursor.
    return null;
  }
};

/**
 * Matches items in which each word is a prefix of some word. Null: no words. Quoted, so that input is never query
 * syntax.
 */
const matchOf = (text: string): string | null => {
  const words = folded(text).match(/[\p{L}\p{N}\p{M}]+/gu);
  return words ? words.map((word) => `"${word}"*`).join(' ') : null;
};
