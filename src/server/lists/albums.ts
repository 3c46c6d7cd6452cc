/** Albums: named lists of items, which do not own the items. Their store and endpoints (API decisions 3). */
import type Database from 'better-sqlite3';
import type { FastifyRequest } from 'fastify';
import { API } from '../../api/endpoints/endpoint-table.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import type { Album, AlbumVisibility } from '../../api/lists.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import { checkTitle } from '../content/title-and-tags.ts';
import type { ServerDeps } from '../deps.ts';
import { type App, routeOf } from '../http/route-of-endpoint.ts';
import { invalidInput, ProblemError } from '../problem.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import { createListEligibility, createPages, cutPage, readCursor } from './list-page.ts';
import { createListStore, ROWS_ASKED } from './list-store.ts';

interface AlbumRow {
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

const createAlbums = (database: Database.Database) => {
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

const titleOf = (title: string): string => {
  const checked = checkTitle(title);
  if (checked === '') throw invalidInput({ path: '/title', message: 'must not be empty' });
  return checked;
};

/** Album endpoints (API decisions 3): lists of items that an account keeps for itself, or shares by the album's id. */
export const registerAlbumRoutes = (app: App, deps: ServerDeps): void => {
  const { clock, database, random } = deps;
  const albums = createAlbums(database);
  const lists = createListStore(database);
  const pages = createPages(deps);
  const keepable = createListEligibility(deps);

  const isOwn = (request: FastifyRequest, row: AlbumRow): boolean => keyHolder(request).account.id === row.accountId;

  /** Another account's private album, or one of a banned account, looks like a missing one. */
  const readable = (request: FastifyRequest, id: string): AlbumRow => {
    const row = albums.byId(id);
    if (row === undefined || (!isOwn(request, row) && (row.visibility === 'private' || row.authorBannedAt !== null)))
      throw new ProblemError('NOT_FOUND', 'There is no such album, or it is not for you.');
    return row;
  };
  const own = (request: FastifyRequest, id: string): AlbumRow => {
    const row = readable(request, id);
    if (!isOwn(request, row)) throw new ProblemError('NOT_FOUND', 'There is no such album among your own.');
    return row;
  };

  const present = (request: FastifyRequest, row: AlbumRow): Album => ({
    id: row.id,
    title: row.title,
    visibility: row.visibility,
    createdAt: new Date(row.createdAt).toISOString(),
    owned: isOwn(request, row),
    author: { id: row.accountId, username: row.authorUsername, name: row.authorName },
  });

  app.route({
    ...routeOf(API.listAlbums),
    handler: async (request) => {
      const { account } = keyHolder(request);
      const { rows, nextCursor } = cutPage(albums.page(account.id, readCursor(request.query.cursor)));
      return { items: rows.map((row) => present(request, row)), nextCursor };
    },
  });

  app.route({
    ...routeOf(API.createAlbum),
    handler: async (request, reply) => {
      const { title, visibility = 'private' } = request.body;
      const row = albums.insert({
        id: random.uuid(),
        accountId: keyHolder(request).account.id,
        title: titleOf(title),
        visibility,
        createdAt: clock.now(),
      });
      return reply.code(201).send(present(request, row));
    },
  });

  app.route({
    ...routeOf(API.readAlbum),
    handler: async (request) => {
      const row = readable(request, request.params.id);
      const page = pages.request(keyHolder(request).account, request.query.cursor);
      const items = lists.album(page, row.id);
      return { ...present(request, row), ...pages.answer(items, page) };
    },
  });

  app.route({
    ...routeOf(API.updateAlbum),
    handler: async (request) => {
      const row = own(request, request.params.id);
      const { title, visibility = row.visibility } = request.body;
      const changed = { ...row, title: title === undefined ? row.title : titleOf(title), visibility };
      return present(request, albums.save(changed));
    },
  });

  app.route({
    ...routeOf(API.deleteAlbum),
    handler: async (request, reply) => {
      albums.remove(own(request, request.params.id));
      return reply.code(204).send();
    },
  });

  app.route({
    ...routeOf(API.addToAlbum),
    handler: async (request, reply) => {
      const album = own(request, request.params.id);
      const row = keepable(request, request.params.contentId);
      if (row === undefined) return sendUnavailable(reply);
      albums.addItem(album, row.id);
      return reply.code(204).send();
    },
  });

  app.route({
    ...routeOf(API.removeFromAlbum),
    handler: async (request, reply) => {
      const album = own(request, request.params.id);
      return albums.removeItem(album, request.params.contentId) ? reply.code(204).send() : sendUnavailable(reply);
    },
  });
};
