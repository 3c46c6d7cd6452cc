/**
 * Reads pages of the items that the requester may see: own items, favorites, the feed, an author's items and an
 * album's items. Pages start with the newest item, in an album with the item that was added last. Also adds and
 * removes favorites.
 */
import type { ContentType } from '../../api/content.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { type ContentRow, SELECT_CONTENT } from '../content/content-rows.ts';
import type { Dialect, Sql } from '../database/database-interface.ts';
import { addReferring, empty, type Query, raw, sql } from '../database/sql-template.ts';

// The access table (API decisions 6) as conditions of a query, so that pages contain only what the requester may see. A
// row is `listed`. Values are bound within sub-selects: SQLite (built with STAT4) plans a join again for every directly
// bound value, which takes longer than reading the page. The casts give PostgreSQL the types.

const text = (value: string): Query => sql`(SELECT CAST(${value} AS TEXT))`;
const integer = (value: number): Query => sql`(SELECT CAST(${value} AS BIGINT))`;

const alive = ({ now }: PageRequest): Query =>
  sql`("listed"."expiresAt" IS NULL OR "listed"."expiresAt" > ${integer(now)})`;

/**
 * Public items without rows 3, 5, 8, 9 and 11; items of a banned account are on hold. One-time items of others are in no
 * list, not even as locked cards (protection rule 4).
 */
const isPublic = (page: PageRequest): Query => sql`("listed"."visibility" = 'public' AND ${alive(page)}
  AND "listed"."moderationHold" IS NULL AND "listed"."authorBannedAt" IS NULL AND "listed"."oneTime" = 0
  AND ("listed"."viewLimit" IS NULL OR "listed"."views" < "listed"."viewLimit"))`;

const isOwn = (page: PageRequest): Query => sql`("listed"."accountId" = ${text(page.requester)} AND ${alive(page)})`;

/** What `GET /content/{id}` returns, in full or as a locked card: own items, and public ones of others. */
const readable = (page: PageRequest): Query => sql`(${isOwn(page)} OR ${isPublic(page)})`;

/** Whether a search may reveal that it matches the item: not for a locked card (protection rule 3). */
const searchable = ({ requester }: PageRequest): Query =>
  sql`("listed"."accountId" = ${text(requester)} OR "listed"."passwordHash" IS NULL)`;

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

const ITEMS = sql`(${SELECT_CONTENT}) AS "listed"`;
const SEQ = raw('"listed"."seq"');
const marks = ({ requester }: PageRequest): Query =>
  sql`LEFT JOIN "favorites" AS "marked" ON "marked"."contentId" = "listed"."id" AND "marked"."accountId" = ${text(requester)}`;

const select = (page: PageRequest, where: Query, from: Query = sql`${ITEMS} ${marks(page)}`, place = SEQ): Query =>
  sql`SELECT "listed".*, CASE WHEN "marked"."contentId" IS NULL THEN 0 ELSE 1 END AS "favorite", ${place} AS "place"
    FROM ${from} WHERE ${where} ${page.before === null ? empty : sql`AND ${place} < ${integer(page.before)}`}
    ORDER BY ${place} DESC LIMIT ${ROWS_ASKED}`;

const TAGS = raw('"listed"."tags"');
const SEARCH_TEXT = raw('"listed"."searchText"');

/**
 * Only reading the array tells where a tag begins: `,","` is also the end of one and the start of the next. That is slower, so
 * only where its text contains the tag.
 */
const tagged = ({ indexOf, hasElement }: Dialect, tag: string): Query => {
  const quoted = text(JSON.stringify(tag));
  return sql`(CASE WHEN ${indexOf(TAGS, quoted)} > 0 THEN ${hasElement(TAGS, quoted)} ELSE 1 = 0 END)`;
};

const filtered = (dialect: Dialect, page: PageRequest, { type, search, tag }: ItemFilter): Query =>
  sql`1 = 1 ${type === null ? empty : sql`AND "listed"."type" = ${text(type)}`}
    ${search === null ? empty : sql`AND ${searchable(page)} AND ${dialect.indexOf(SEARCH_TEXT, text(search))} > 0`}
    ${tag === null ? empty : sql`AND ${searchable(page)} AND ${tagged(dialect, tag)}`}`;

const accessed = (access: OwnAccess | null): Query => {
  switch (access) {
    case null:
      return empty;
    case 'password':
      return sql`AND "listed"."passwordHash" IS NOT NULL`;
    case 'one-time':
      return sql`AND "listed"."oneTime" = 1`;
    default:
      return sql`AND "listed"."visibility" = ${text(access)}`;
  }
};

// CROSS JOIN keeps its order in SQLite: few favorites or entries are looked up among many items, not the reverse.
export const listStore = (records: Sql) => {
  const { dialect } = records;
  const all = (query: Query): Promise<readonly ListedRow[]> => records.all<ListedRow>(query);
  return {
    own: (page: PageRequest, filter: ItemFilter, access: OwnAccess | null = null) =>
      all(select(page, sql`${isOwn(page)} AND ${filtered(dialect, page, filter)} ${accessed(access)}`)),
    /** Own items that are not favorites. */
    unmarked: (page: PageRequest, filter: ItemFilter) =>
      all(select(page, sql`${isOwn(page)} AND ${filtered(dialect, page, filter)} AND "marked"."contentId" IS NULL`)),
    /** Favorites of any owner, while the requester may see them. */
    favorites: (page: PageRequest, filter: ItemFilter) =>
      all(
        select(
          page,
          sql`"listed"."id" = "marked"."contentId" AND "marked"."accountId" = ${text(page.requester)}
            AND ${readable(page)} AND ${filtered(dialect, page, filter)}`,
          sql`"favorites" AS "marked" CROSS JOIN ${ITEMS}`,
        ),
      ),
    feed: (page: PageRequest) => all(select(page, isPublic(page))),
    profile: (page: PageRequest, author: AccountId) =>
      all(select(page, sql`${isPublic(page)} AND "listed"."accountId" = ${text(author)}`)),
    album: (page: PageRequest, album: string) =>
      all(
        select(
          page,
          sql`"listed"."id" = "entry"."contentId" AND "entry"."albumId" = ${text(album)} AND ${readable(page)}`,
          sql`"albumItems" AS "entry" CROSS JOIN ${ITEMS} ${marks(page)}`,
          raw('"entry"."seq"'),
        ),
      ),
    /** False: the item was deleted meanwhile. */
    mark: (account: AccountId, id: ContentId, now: number): Promise<boolean> =>
      addReferring(
        records,
        sql`INSERT INTO "favorites" ("accountId", "contentId", "createdAt") VALUES (${account}, ${id}, ${now})
          ON CONFLICT ("accountId", "contentId") DO NOTHING`,
      ),
    /** False: it was not a favorite. */
    unmark: async (account: AccountId, id: string): Promise<boolean> =>
      (await records.run(sql`DELETE FROM "favorites" WHERE "accountId" = ${account} AND "contentId" = ${id}`)) > 0,
  };
};
