/** The store of shared items. Rows are read with their author's name; every change goes through a named statement here. */
import type Database from 'better-sqlite3';
import type {
  ContentType,
  MediaStatus,
  ModerationHold,
  PasteFormat,
  PasteLanguage,
  Visibility,
} from '../../contract/content.ts';
import type { AccountId, ContentId } from '../../contract/ids.ts';
import type { ObjectId } from '../storage/object-store.ts';

type Flag = 0 | 1;

/** Booleans are 0 or 1, times milliseconds since 1970-01-01 UTC, `tags` a JSON array. */
export interface ContentRow {
  /** Order of publishing. */
  readonly seq: number;
  readonly id: ContentId;
  readonly accountId: AccountId;
  /** Null once the item has expired and its bytes are gone. */
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
  /** Of the owner's account. */
  readonly authorUsername: string;
  readonly authorName: string;
  readonly unlistedPreviews: Flag;
  readonly previewAuthor: Flag;
}

export type ListedRow = ContentRow & { readonly favorite: Flag };

/** Columns given on creation; the others have their defaults. */
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
] as const satisfies readonly (keyof ContentRow)[];
export type NewContent = Pick<ContentRow, (typeof NEW_COLUMNS)[number]>;

/** Columns that may change afterwards. */
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
] as const satisfies readonly (keyof ContentRow)[];

export interface ContentFilter {
  /** Only items published before this one. */
  readonly before: number | null;
  readonly type: ContentType | null;
  /** In the search form of `fields.ts`. */
  readonly search: string | null;
  readonly tag: string | null;
  readonly favorite: boolean | null;
}

export type ContentStore = ReturnType<typeof createContentStore>;

export const createContentStore = (database: Database.Database) => {
  const SELECT = `SELECT content.*, accounts.username AS authorUsername, accounts.name AS authorName,
      accounts.unlistedPreviews, accounts.previewAuthor
    FROM content JOIN accounts ON accounts.id = content.accountId`;
  const insert = database.prepare<[NewContent]>(
    `INSERT INTO content (${NEW_COLUMNS.join(', ')}) VALUES (${NEW_COLUMNS.map((name) => `@${name}`).join(', ')})`,
  );
  const selectById = database.prepare<[string], ContentRow>(`${SELECT} WHERE content.id = ?`);
  const selectPage = database.prepare<[Record<string, unknown>], ListedRow>(
    `SELECT own.*, favorites.contentId IS NOT NULL AS favorite
     FROM (${SELECT}) AS own
     LEFT JOIN favorites ON favorites.contentId = own.id AND favorites.accountId = own.accountId
     WHERE own.accountId = @accountId AND (own.expiresAt IS NULL OR own.expiresAt > @now)
       AND (@before IS NULL OR own.seq < @before)
       AND (@type IS NULL OR own.type = @type)
       AND (@search IS NULL OR instr(own.searchText, @search) > 0)
       AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(own.tags) WHERE json_each.value = @tag))
       AND (@favorite IS NULL OR (favorites.contentId IS NOT NULL) = @favorite)
     ORDER BY own.seq DESC LIMIT @limit`,
  );
  const selectExpired = database.prepare<[number, number], ContentRow>(
    `${SELECT} WHERE content.expiresAt <= ? AND content.objectId IS NOT NULL ORDER BY content.expiresAt LIMIT ?`,
  );
  const selectProcessing = database.prepare<[], ContentRow>(
    `${SELECT} WHERE content.mediaStatus = 'PROCESSING' ORDER BY content.seq LIMIT 1`,
  );
  const selectObject = database.prepare<[string], { seq: number }>('SELECT seq FROM content WHERE objectId = ?');
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
    /** The newest items of an account that have not expired. */
    page: (accountId: AccountId, filter: ContentFilter, { now, limit }: { now: number; limit: number }) =>
      selectPage.all({
        accountId,
        now,
        limit,
        ...filter,
        favorite: filter.favorite === null ? null : Number(filter.favorite),
      }),
    /** Items past their end whose bytes are still there. */
    expired: (now: number, limit: number): readonly ContentRow[] => selectExpired.all(now, limit),
    nextProcessing: (): ContentRow | undefined => selectProcessing.get(),
    ownsObject: (id: ObjectId): boolean => selectObject.get(id) !== undefined,
    /** Writes the changing columns of a row that was read in the same transaction. */
    save: (row: ContentRow): ContentRow => {
      update.run(row);
      return row;
    },
    remove: (row: ContentRow): void => {
      remove.run(row.seq);
    },
    /** Sets or lifts a moderator's hold; false: there is no such item. */
    hold: (id: string, value: ModerationHold | null): boolean => hold.run(value, id).changes > 0,
  };
};
