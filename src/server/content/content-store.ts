/** The store of shared items. Rows include their author's name; every change uses a named statement here. */
import type Database from 'better-sqlite3';
import type {
  ContentType,
  MediaStatus,
  ModerationHold,
  PasteFormat,
  PasteLanguage,
  Visibility,
} from '../../api/content.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import type { ObjectId } from '../storage/object-store.ts';

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

const ofOwner = (column: string): string => `(SELECT ${column} FROM accounts WHERE accounts.id = content.accountId)`;

/**
 * Selects whole rows; their columns are qualified by `content.`. No join: SQLite would plan a join again for every
 * bound value (it was built with STAT4), which takes ten times as long as reading the row.
 */
export const SELECT_CONTENT = `SELECT content.*, ${ofOwner('username')} AS authorUsername, ${ofOwner('name')} AS authorName,
    ${ofOwner('palette')} AS authorPalette, ${ofOwner('bannedAt')} AS authorBannedAt, ${ofOwner('unlistedPreviews')} AS unlistedPreviews, ${ofOwner('previewAuthor')} AS previewAuthor
  FROM content`;

export type ContentStore = ReturnType<typeof createContentStore>;

export const createContentStore = (database: Database.Database) => {
  const insert = database.prepare<[NewContent]>(
    `INSERT INTO content (${NEW_COLUMNS.join(', ')}) VALUES (${NEW_COLUMNS.map((name) => `@${name}`).join(', ')})`,
  );
  const selectById = database.prepare<[string], ContentRow>(`${SELECT_CONTENT} WHERE content.id = ?`);
  const selectExpired = database.prepare<[number, number], ContentRow>(
    `${SELECT_CONTENT} WHERE content.expiresAt <= ? AND content.objectId IS NOT NULL ORDER BY content.expiresAt LIMIT ?`,
  );
  // Users wait for videos that are PROCESSING; previews of READY items come after.
  const oldestWhere = (condition: string) => {
    const oldest = `SELECT seq, accountId FROM content WHERE ${condition} ORDER BY seq LIMIT ${UNFINISHED_SEEN}`;
    return database.prepare<[], ContentRow>(
      `${SELECT_CONTENT} WHERE content.seq IN (SELECT min(seq) FROM (${oldest}) GROUP BY accountId) ORDER BY content.seq`,
    );
  };
  const selectProcessing = oldestWhere("mediaStatus = 'PROCESSING'");
  const selectWanting = oldestWhere('previewWanted = 1');
  const update = database.prepare<[ContentRow]>(
    `UPDATE content SET ${CHANGING_COLUMNS.map((name) => `${name} = @${name}`).join(', ')} WHERE seq = @seq`,
  );
  const remove = database.prepare<[number]>('DELETE FROM content WHERE seq = ?');
  const hold = database.prepare<[ModerationHold | null, string]>('UPDATE content SET moderationHold = ? WHERE id = ?');

  const byId = (id: string): ContentRow | undefined => selectById.get(id);

  return {
    byId,
    insert: (content: NewContent): ContentRow => {
      insert.run(content);
      const row = byId(content.id);
      if (row === undefined) throw new Error(`Item ${content.id} is not there after its insertion.`);
      return row;
    },
    /** Expired items whose bytes still exist. */
    expired: (now: number, limit: number): readonly ContentRow[] => selectExpired.all(now, limit),
    /** The oldest video of each account that is not READY yet; without any, the oldest items that need a preview. */
    oldestUnfinished: (): readonly ContentRow[] => {
      const processing = selectProcessing.all();
      return processing.length > 0 ? processing : selectWanting.all();
    },
    /** Writes the changing columns of a row that was read in the same transaction. */
    save: (row: ContentRow): ContentRow => {
      update.run(row);
      return row;
    },
    remove: (row: ContentRow): void => {
      remove.run(row.seq);
    },
    /** Sets or lifts a moderator's hold; false: unknown item. */
    hold: (id: string, value: ModerationHold | null): boolean => hold.run(value, id).changes > 0,
  };
};
