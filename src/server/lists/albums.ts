/** The store of albums: named lists of items, which do not own the items. */
import type Database from 'better-sqlite3';
import type { AccountId, ContentId } from '../../api/ids.ts';
import type { AlbumVisibility } from '../../api/lists.ts';
import { ROWS_ASKED } from './list-store.ts';

export interface AlbumRow {
  /** Creation order. */
  readonly seq: number;
  readonly id: string;
  readonly accountId: AccountId;
  readonly title: string;
  readonly visibility: AlbumVisibility;
  readonly createdAt: number;
  /** Of the owner's account. */
  readonly authorUsername: string;
  readonly authorName: string;
  readonly authorBannedAt: number | null;
}

type NewAlbum = Pick<AlbumRow, 'id' | 'accountId' | 'title' | 'visibility' | 'createdAt'>;

export const createAlbums = (database: Database.Database) => {
  const SELECT = `SELECT albums.*, accounts.username AS authorUsername, accounts.name AS authorName, accounts.bannedAt AS authorBannedAt
    FROM albums JOIN accounts ON accounts.id = albums.accountId`;
  const insert = database.prepare<[NewAlbum]>(
    `INSERT INTO albums (id, accountId, title, visibility, createdAt)
     VALUES (@id, @accountId, @title, @visibility, @createdAt)`,
  );
  const selectById = database.prepare<[string], AlbumRow>(`${SELECT} WHERE albums.id = (SELECT ?)`);
  const selectPage = database.prepare<{ owner: AccountId; before: number | null }, AlbumRow & { place: number }>(
    `SELECT own.*, own.seq AS place FROM (${SELECT}) AS own
     WHERE own.accountId = (SELECT @owner) AND ((SELECT @before) IS NULL OR own.seq < (SELECT @before))
     ORDER BY own.seq DESC LIMIT ${ROWS_ASKED}`,
  );
  const update = database.prepare<[AlbumRow]>(
    'UPDATE albums SET title = @title, visibility = @visibility WHERE seq = @seq',
  );
  const remove = database.prepare<[number]>('DELETE FROM albums WHERE seq = ?');
  const insertItem = database.prepare<[string, ContentId]>(
    'INSERT OR IGNORE INTO albumItems (albumId, contentId) VALUES (?, ?)',
  );
  const removeItem = database.prepare<[string, string]>('DELETE FROM albumItems WHERE albumId = ? AND contentId = ?');

  return {
    byId: (id: string): AlbumRow | undefined => selectById.get(id),
    /** Albums of `owner` before the position `before`, newest first. */
    page: (owner: AccountId, before: number | null) => selectPage.all({ owner, before }),
    insert: (album: NewAlbum): AlbumRow => {
      insert.run(album);
      const row = selectById.get(album.id);
      if (row === undefined) throw new Error(`Album ${album.id} is not there after its insertion.`);
      return row;
    },
    save: (row: AlbumRow): AlbumRow => {
      update.run(row);
      return row;
    },
    remove: ({ seq }: AlbumRow): void => {
      remove.run(seq);
    },
    /** An item that is already in it keeps its position. */
    addItem: ({ id }: AlbumRow, item: ContentId): void => {
      insertItem.run(id, item);
    },
    /** False: it was not in the album. */
    removeItem: ({ id }: AlbumRow, item: string): boolean => removeItem.run(id, item).changes > 0,
  };
};
