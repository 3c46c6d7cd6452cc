/**
 * The database rows of shared items: finds, locks, adds, changes and removes them. A row includes the name and the link
 * preview settings of the item's author. Also converts the chapters of a video to a column's text and back.
 */
import type {
  ContentType,
  MediaStatus,
  ModerationHold,
  PasteFormat,
  PasteLanguage,
  Visibility,
} from '../../api/content.ts';
import type { AccountId, Brand, ContentId } from '../../api/ids.ts';
import type { Chapter } from '../../common/video/chapters.ts';
import type { Sql } from '../database/database-interface.ts';
import { join, type Query, raw, sql } from '../database/sql-template.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { viewDays } from './storage-and-view-counters.ts';

type Flag = 0 | 1;

/** Booleans are 0 or 1, times milliseconds since 1970-01-01 UTC, `tags` a JSON array. */
export interface ContentRow {
  /** Publishing order. */
  readonly seq: number;
  readonly id: ContentId;
  readonly accountId: AccountId;
  /** Null once the item has expired and its bytes are deleted. */
  readonly objectId: ObjectId | null;
  readonly type: ContentType;
  readonly mime: string;
  readonly size: number;
  readonly originalName: string;
  readonly title: string;
  readonly tags: string;
  readonly searchText: string;
  readonly pasteFormat: PasteFormat | null;
  readonly pasteLanguage: PasteLanguage | null;
  readonly folderFiles: number | null;
  readonly revision: number;
  readonly accessVersion: number;
  readonly visibility: Visibility;
  readonly allowDownload: Flag;
  readonly passwordHash: string | null;
  readonly oneTime: Flag;
  readonly consumedAt: number | null;
  /** End of the one-time viewer's access. */
  readonly readExpiresAt: number | null;
  readonly views: number;
  readonly viewLimit: number | null;
  readonly viewLimitReachedAt: number | null;
  readonly mediaStatus: MediaStatus;
  readonly mediaError: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly videoCodec: string | null;
  readonly hasAudio: Flag;
  /** Of a video: a JSON array of `[milliseconds, title]`; null without any. */
  readonly chapters: string | null;
  readonly expiresAt: number | null;
  readonly moderationHold: ModerationHold | null;
  readonly createdAt: number;
  /** The object of the preview; null without one. */
  readonly previewId: ObjectId | null;
  /** 1: a preview is still to be made. */
  readonly previewWanted: Flag;
  /** Of the owner's account. */
  readonly authorUsername: string;
  readonly authorName: string;
  readonly authorPalette: string;
  readonly authorBannedAt: number | null;
  readonly unlistedPreviews: Flag;
  readonly previewAuthor: Flag;
}

export const chaptersColumn = (chapters: readonly Chapter[] = []): string | null =>
  chapters.length === 0 ? null : JSON.stringify(chapters.map(({ startMs, title }) => [startMs, title]));

export const chaptersOf = ({ chapters }: Pick<ContentRow, 'chapters'>): readonly Chapter[] =>
  (JSON.parse(chapters ?? '[]') as [number, string][]).map(([startMs, title]) => ({ startMs, title }));

/** Columns set on creation; the others have defaults. */
const NEW_COLUMNS = [
  'id',
  'accountId',
  'objectId',
  'type',
  'mime',
  'size',
  'originalName',
  'title',
  'tags',
  'searchText',
  'pasteFormat',
  'pasteLanguage',
  'folderFiles',
  'visibility',
  'passwordHash',
  'oneTime',
  'mediaStatus',
  'width',
  'height',
  'durationMs',
  'videoCodec',
  'hasAudio',
  'chapters',
  'expiresAt',
  'createdAt',
  'previewWanted',
] as const satisfies readonly (keyof ContentRow)[];
export type NewContent = Pick<ContentRow, (typeof NEW_COLUMNS)[number]>;

/** Columns that may change later. */
const CHANGING_COLUMNS = [
  'objectId',
  'size',
  'originalName',
  'pasteFormat',
  'pasteLanguage',
  'title',
  'tags',
  'searchText',
  'revision',
  'accessVersion',
  'visibility',
  'allowDownload',
  'passwordHash',
  'oneTime',
  'consumedAt',
  'readExpiresAt',
  'views',
  'viewLimit',
  'viewLimitReachedAt',
  'mediaStatus',
  'mediaError',
  'expiresAt',
  'moderationHold',
  'previewId',
  'previewWanted',
] as const satisfies readonly (keyof ContentRow)[];

/** Unfinished items among which each account's oldest is searched: enough for all, within a few milliseconds. */
const UNFINISHED_SEEN = 10_000;

const ofOwner = (column: string): string =>
  `(SELECT "${column}" FROM "accounts" WHERE "accounts"."id" = "content"."accountId")`;

/**
 * Selects whole rows; their columns are qualified by `"content"`. No join: SQLite would plan a join again for every
 * bound value (it was built with STAT4), which takes ten times as long as reading the row.
 */
export const SELECT_CONTENT = raw(`SELECT "content".*, ${ofOwner('username')} AS "authorUsername",
    ${ofOwner('name')} AS "authorName", ${ofOwner('palette')} AS "authorPalette", ${ofOwner('bannedAt')} AS "authorBannedAt",
    ${ofOwner('unlistedPreviews')} AS "unlistedPreviews", ${ofOwner('previewAuthor')} AS "previewAuthor"
  FROM "content"`);

/** Read by `lock` in the transaction that saves it: no other one has changed it meanwhile. */
export type LockedContent = ContentRow & Brand<'LockedContent'>;

export type ContentRows = ReturnType<typeof contentRows>;

/** What an item says. An expired one stays expired where the clock is set back: it has nothing to show any more. */
const EMPTIED = raw(`"title" = '', "tags" = '[]', "originalName" = '', "searchText" = '', "passwordHash" = NULL,
  "chapters" = NULL, "views" = 0, "expiresAt" = 0`);

const NEW_NAMES = raw(NEW_COLUMNS.map((name) => `"${name}"`).join(', '));
const columns = CHANGING_COLUMNS.map((name) => raw(`"${name}" = `));

// Users wait for videos that are PROCESSING; previews of READY items come after.
const PROCESSING = raw(`"mediaStatus" = 'PROCESSING'`);
const WANTING = raw(`"previewWanted" = 1`);

export const contentRows = (records: Sql) => {
  const byId = (id: string): Promise<ContentRow | undefined> =>
    records.get<ContentRow>(sql`${SELECT_CONTENT} WHERE "content"."id" = ${id}`);

  const oldestWhere = (condition: Query): Promise<readonly ContentRow[]> =>
    records.all<ContentRow>(
      sql`${SELECT_CONTENT} WHERE "content"."seq" IN (SELECT min("seq") FROM
        (SELECT "seq", "accountId" FROM "content" WHERE ${condition} ORDER BY "seq" LIMIT ${UNFINISHED_SEEN}) AS "oldest"
        GROUP BY "accountId") ORDER BY "content"."seq"`,
    );

  /** Only what the owner's 410 needs stays of an expired item. Its bytes are the caller's. */
  const expire = async ({ seq, id }: LockedContent): Promise<void> => {
    await records.run(
      sql`UPDATE "content" SET "objectId" = NULL, "previewId" = NULL, "previewWanted" = 0, ${EMPTIED} WHERE "seq" = ${seq}`,
    );
    await viewDays(records).forget(id);
  };

  return {
    byId,
    /** In a transaction that decides about the item. */
    lock: (id: string): Promise<LockedContent | undefined> =>
      records.get<LockedContent>(sql`${SELECT_CONTENT} WHERE "content"."id" = ${id} ${records.dialect.forUpdate}`),
    insert: async (content: NewContent): Promise<ContentRow> => {
      const values = join(NEW_COLUMNS.map((name) => content[name]));
      await records.run(sql`INSERT INTO "content" (${NEW_NAMES}) VALUES (${values})`);
      const row = await byId(content.id);
      if (row === undefined) throw new Error('The item is not there after its insertion.');
      return row;
    },
    /** Expired items whose bytes still exist; locks them. */
    lockExpired: (now: number, limit: number): Promise<readonly LockedContent[]> =>
      records.all<LockedContent>(
        sql`${SELECT_CONTENT} WHERE "content"."expiresAt" <= ${now} AND "content"."objectId" IS NOT NULL
          ORDER BY "content"."expiresAt" LIMIT ${limit} ${records.dialect.skipLocked}`,
      ),
    /**
     * The oldest PROCESSING video of each account; without any, the oldest item of each that needs a preview. Only of those
     * that fulfil `condition`.
     */
    oldestUnfinished: async (condition: Query): Promise<readonly ContentRow[]> => {
      const processing = await oldestWhere(sql`${PROCESSING} AND ${condition}`);
      return processing.length > 0 ? processing : await oldestWhere(sql`${WANTING} AND ${condition}`);
    },
    /** Writes the changing columns of a locked row. */
    save: async <Row extends LockedContent>(row: Row): Promise<Row> => {
      const values = join(CHANGING_COLUMNS.map((name, at) => sql`${columns[at]}${row[name]}`));
      await records.run(sql`UPDATE "content" SET ${values} WHERE "seq" = ${row.seq}`);
      return row;
    },
    expire,
    /**
     * Empties the expired ones among `count` items after the item `after` whose bytes alone an earlier version has deleted.
     * Resolves with the last item it has looked at; null: there are no more.
     */
    emptyExpired: async (after: number, count: number): Promise<number | null> => {
      const next = sql`SELECT "seq" FROM "content" WHERE "seq" > ${after} ORDER BY "seq" LIMIT ${count}`;
      const seen = await records.get<{ last: number | null }>(
        sql`SELECT max("seq") AS "last" FROM (${next}) AS "next"`,
      );
      const last = seen?.last ?? null;
      if (last === null) return null;
      const left = await records.all<LockedContent>(
        sql`${SELECT_CONTENT} WHERE "content"."seq" > ${after} AND "content"."seq" <= ${last}
          AND "content"."objectId" IS NULL AND "content"."searchText" <> '' ORDER BY "content"."seq"
          ${records.dialect.forUpdate}`,
      );
      for (const row of left) await expire(row);
      return last;
    },
    remove: async (row: LockedContent): Promise<void> => {
      await records.run(sql`DELETE FROM "content" WHERE "seq" = ${row.seq}`);
    },
    /** Sets or lifts a moderator's hold; false: unknown item. */
    hold: async (id: string, value: ModerationHold | null): Promise<boolean> =>
      (await records.run(sql`UPDATE "content" SET "moderationHold" = ${value} WHERE "id" = ${id}`)) > 0,
  };
};
