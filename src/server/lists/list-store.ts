/** Queries pages of items, newest first, that contain only items which the requester may see. */
import type Database from 'better-sqlite3';
import type { ContentType } from '../../api/content.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { type ContentRow, SELECT_CONTENT } from '../content/content-store.ts';

// The access table (API decisions 6) as conditions of a query, so that pages contain only what the requester may see. A
// row is `listed`; `@requester` is an account and `@now` the time. Values are bound within sub-selects: SQLite (built
// with STAT4) plans a join again for every directly bound value, which takes longer than reading the page.

const ALIVE = '(listed.expiresAt IS NULL OR listed.expiresAt > (SELECT @now))';

/**
 * Without rows 3, 5, 8, 9 and 11; items of a banned account are on hold. One-time items of others are in no list, not
 * even as locked cards (protection rule 4).
 */
const SHOWN = `(${ALIVE} AND listed.moderationHold IS NULL AND listed.authorBannedAt IS NULL AND listed.oneTime = 0
  AND (listed.viewLimit IS NULL OR listed.views < listed.viewLimit))`;

/** Items that everyone may find: public ones. */
const PUBLIC = `(listed.visibility = 'public' AND ${SHOWN})`;

const OWN = `(listed.accountId = (SELECT @requester) AND ${ALIVE})`;

/** What `GET /content/{id}` returns, in full or as a locked card: own items, and public ones of others. */
const READABLE = `(${OWN} OR ${PUBLIC})`;

/** Whether a search may reveal that it matches the item: not for a locked card (protection rule 3). */
const SEARCHABLE = '(listed.accountId = (SELECT @requester) OR listed.passwordHash IS NULL)';

/** An item with its relation to the requester. `place` is its position in the list; a cursor encodes it. */
export type ListedRow = ContentRow & { readonly favorite: 0 | 1; readonly place: number };

/** The requester, the time, and the position before the page. */
export interface PageRequest {
  readonly requester: AccountId;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Only items at positions below this one. */
  readonly before: number | null;
}

/** Null: no filter. */
export interface ItemFilter {
  readonly type: ContentType | null;
  /** In the search form of `title-and-tags.ts`. */
  readonly search: string | null;
  readonly tag: string | null;
}

/** Filter of own items: by visibility, or by what protects them. */
export const OWN_ACCESS = ['private', 'unlisted', 'public', 'password', 'one-time'] as const;
export type OwnAccess = (typeof OWN_ACCESS)[number];

/** One more than a page, to detect a next page. */
export const ROWS_ASKED = LIMITS.pageItems + 1;

const ITEMS = `(${SELECT_CONTENT}) AS listed`;
const MARKS =
  'LEFT JOIN favorites AS marked ON marked.contentId = listed.id AND marked.accountId = (SELECT @requester)';
/** CROSS JOIN keeps this order: few favorites or entries are looked up among many items, not the reverse. */
const FAVORITES = `favorites AS marked CROSS JOIN ${ITEMS} ON listed.id = marked.contentId AND marked.accountId = (SELECT @requester)`;
const ENTRIES = `albumItems AS entry CROSS JOIN ${ITEMS} ON listed.id = entry.contentId AND entry.albumId = (SELECT @album) ${MARKS}`;

const select = (where: string, { from = `${ITEMS} ${MARKS}`, place = 'listed.seq' } = {}): string =>
  `SELECT listed.*, marked.contentId IS NOT NULL AS favorite, ${place} AS place FROM ${from}
   WHERE ${where} AND ((SELECT @before) IS NULL OR ${place} < (SELECT @before))
   ORDER BY ${place} DESC LIMIT ${ROWS_ASKED}`;

const FILTER = `((SELECT @type) IS NULL OR listed.type = (SELECT @type))
  AND ((SELECT @search) IS NULL OR (${SEARCHABLE} AND instr(listed.searchText, (SELECT @search)) > 0))
  AND ((SELECT @tag) IS NULL OR (${SEARCHABLE} AND EXISTS (SELECT 1 FROM json_each(listed.tags) WHERE json_each.value = (SELECT @tag))))`;
const ACCESS = `CASE (SELECT @access) WHEN 'password' THEN listed.passwordHash IS NOT NULL WHEN 'one-time' THEN listed.oneTime = 1
  ELSE coalesce(listed.visibility = (SELECT @access), 1) END`;
const IN_ALBUM = { from: ENTRIES, place: 'entry.seq' };

export const createListStore = (database: Database.Database) => {
  const own = database.prepare<PageRequest & ItemFilter & { access: OwnAccess | null }, ListedRow>(
    select(`${OWN} AND ${FILTER} AND ${ACCESS}`),
  );
  const unmarked = database.prepare<PageRequest & ItemFilter, ListedRow>(
    select(`${OWN} AND ${FILTER} AND marked.contentId IS NULL`),
  );
  const favorites = database.prepare<PageRequest & ItemFilter, ListedRow>(
    select(`${READABLE} AND ${FILTER}`, { from: FAVORITES }),
  );
  const feed = database.prepare<PageRequest, ListedRow>(select(PUBLIC));
  const profile = database.prepare<PageRequest & { author: AccountId }, ListedRow>(
    select(`${PUBLIC} AND listed.accountId = (SELECT @author)`),
  );
  const ofAlbum = database.prepare<PageRequest & { album: string }, ListedRow>(select(READABLE, IN_ALBUM));
  const mark = database.prepare<[AccountId, ContentId, number]>(
    'INSERT OR IGNORE INTO favorites (accountId, contentId, createdAt) VALUES (?, ?, ?)',
  );
  const unmark = database.prepare<[AccountId, string]>('DELETE FROM favorites WHERE accountId = ? AND contentId = ?');

  return {
    own: (page: PageRequest, filter: ItemFilter, access: OwnAccess | null = null): readonly ListedRow[] =>
      own.all({ ...page, ...filter, access }),
    /** Own items that are not favorites. */
    unmarked: (page: PageRequest, filter: ItemFilter): readonly ListedRow[] => unmarked.all({ ...page, ...filter }),
    /** Favorites of any owner, while the requester may see them. */
    favorites: (page: PageRequest, filter: ItemFilter): readonly ListedRow[] => favorites.all({ ...page, ...filter }),
    feed: (page: PageRequest): readonly ListedRow[] => feed.all(page),
    profile: (page: PageRequest, author: AccountId): readonly ListedRow[] => profile.all({ ...page, author }),
    album: (page: PageRequest, album: string): readonly ListedRow[] => ofAlbum.all({ ...page, album }),
    mark: (account: AccountId, id: ContentId, now: number): void => {
      mark.run(account, id, now);
    },
    /** False: it was not a favorite. */
    unmark: (account: AccountId, id: string): boolean => unmark.run(account, id).changes > 0,
  };
};
