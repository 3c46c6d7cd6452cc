/**
 * Endpoints of albums, and the store of their rows (API decisions 3). An album is a named list of items, which may
 * belong to other accounts.
 */
import type { FastifyRequest } from 'fastify';
import type { Album, AlbumVisibility } from '../../api/albums.ts';
import { API } from '../../api/endpoints/endpoint-table.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import { checkTitle } from '../content/title-and-tags.ts';
import type { Sql } from '../database/database-interface.ts';
import { addReferring, empty, raw, sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { invalidInput, ProblemError } from '../problem-details.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import { createListEligibility } from './list-eligibility.ts';
import { listStore, ROWS_ASKED } from './list-store.ts';
import { createItemLists } from './page-of-items.ts';
import { cutPage, readCursor } from './pagination.ts';

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
type AlbumChange = Partial<Pick<AlbumRow, 'title' | 'visibility'>>;

const SELECT = raw(`SELECT "albums".*, "accounts"."username" AS "authorUsername", "accounts"."name" AS "authorName",
    "accounts"."bannedAt" AS "authorBannedAt" FROM "albums" JOIN "accounts" ON "accounts"."id" = "albums"."accountId"`);

const albumStore = (records: Sql) => {
  const byId = (id: string): Promise<AlbumRow | undefined> =>
    records.get<AlbumRow>(sql`${SELECT} WHERE "albums"."id" = (SELECT CAST(${id} AS TEXT))`);
  return {
    byId,
    /** Albums of `owner` before the position `before`, newest first. */
    page: (owner: AccountId, before: number | null) =>
      records.all<AlbumRow & { place: number }>(
        sql`SELECT "own".*, "own"."seq" AS "place" FROM (${SELECT}) AS "own"
          WHERE "own"."accountId" = (SELECT CAST(${owner} AS TEXT))
            ${before === null ? empty : sql`AND "own"."seq" < (SELECT CAST(${before} AS BIGINT))`}
          ORDER BY "own"."seq" DESC LIMIT ${ROWS_ASKED}`,
      ),
    insert: async ({ id, accountId, title, visibility, createdAt }: NewAlbum): Promise<AlbumRow> => {
      await records.run(
        sql`INSERT INTO "albums" ("id", "accountId", "title", "visibility", "createdAt")
          VALUES (${id}, ${accountId}, ${title}, ${visibility}, ${createdAt})`,
      );
      const row = await byId(id);
      if (row === undefined) throw new Error('The album is not there after its insertion.');
      return row;
    },
    /** Undefined: the album was deleted meanwhile. */
    change: async (id: string, { title, visibility }: AlbumChange): Promise<AlbumRow | undefined> => {
      // What the request does not name stays as another one may have set it meanwhile.
      await records.run(
        sql`UPDATE "albums" SET "title" = coalesce(CAST(${title ?? null} AS TEXT), "title"),
          "visibility" = coalesce(CAST(${visibility ?? null} AS TEXT), "visibility") WHERE "id" = ${id}`,
      );
      return await byId(id);
    },
    remove: async ({ seq }: AlbumRow): Promise<void> => {
      await records.run(sql`DELETE FROM "albums" WHERE "seq" = ${seq}`);
    },
    /** An item that is already in it keeps its position. False: the album or the item was deleted meanwhile. */
    addItem: ({ id }: AlbumRow, item: ContentId): Promise<boolean> =>
      addReferring(
        records,
        sql`INSERT INTO "albumItems" ("albumId", "contentId") VALUES (${id}, ${item})
          ON CONFLICT ("albumId", "contentId") DO NOTHING`,
      ),
    /** False: it was not in the album. */
    removeItem: async ({ id }: AlbumRow, item: string): Promise<boolean> =>
      (await records.run(sql`DELETE FROM "albumItems" WHERE "albumId" = ${id} AND "contentId" = ${item}`)) > 0,
  };
};

const titleOf = (title: string): string => {
  const checked = checkTitle(title);
  if (checked === '') throw invalidInput({ path: '/title', message: 'must not be empty' });
  return checked;
};

const noAlbum = (): ProblemError => new ProblemError('NOT_FOUND', 'There is no such album among your own.');

/** Album endpoints (API decisions 3): lists of items that an account keeps for itself, or shares by the album's id. */
export const registerAlbumRoutes = (app: App, deps: ServerDeps): void => {
  const { clock, records, random } = deps;
  const albums = albumStore(records);
  const lists = listStore(records);
  const itemLists = createItemLists(deps);
  const keepable = createListEligibility(deps);

  const isOwn = (request: FastifyRequest, row: AlbumRow): boolean => keyHolder(request).account.id === row.accountId;

  /** Another account's private album, or one of a banned account, looks like a missing one. */
  const readable = async (request: FastifyRequest, id: string): Promise<AlbumRow> => {
    const row = await albums.byId(id);
    if (row === undefined || (!isOwn(request, row) && (row.visibility === 'private' || row.authorBannedAt !== null)))
      throw new ProblemError('NOT_FOUND', 'There is no such album, or it is not for you.');
    return row;
  };
  const own = async (request: FastifyRequest, id: string): Promise<AlbumRow> => {
    const row = await readable(request, id);
    if (!isOwn(request, row)) throw noAlbum();
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
      const { rows, nextCursor } = cutPage(await albums.page(account.id, readCursor(request.query.cursor)));
      return { items: rows.map((row) => present(request, row)), nextCursor };
    },
  });

  app.route({
    ...routeOf(API.createAlbum),
    handler: async (request, reply) => {
      const { title, visibility = 'private' } = request.body;
      const row = await albums.insert({
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
      const row = await readable(request, request.params.id);
      const page = itemLists.request(keyHolder(request).account, request.query.cursor);
      const items = await lists.album(page, row.id);
      return { ...present(request, row), ...itemLists.answer(items, page) };
    },
  });

  app.route({
    ...routeOf(API.updateAlbum),
    handler: async (request) => {
      const row = await own(request, request.params.id);
      const { title, visibility } = request.body;
      const changed = await albums.change(row.id, {
        ...(title !== undefined && { title: titleOf(title) }),
        ...(visibility !== undefined && { visibility }),
      });
      if (changed === undefined) throw noAlbum();
      return present(request, changed);
    },
  });

  app.route({
    ...routeOf(API.deleteAlbum),
    handler: async (request, reply) => {
      await albums.remove(await own(request, request.params.id));
      return reply.code(204).send();
    },
  });

  app.route({
    ...routeOf(API.addToAlbum),
    handler: async (request, reply) => {
      const album = await own(request, request.params.id);
      const row = await keepable(request, request.params.contentId);
      if (row !== undefined && (await albums.addItem(album, row.id))) return reply.code(204).send();
      await own(request, album.id);
      return sendUnavailable(reply);
    },
  });

  app.route({
    ...routeOf(API.removeFromAlbum),
    handler: async (request, reply) => {
      const album = await own(request, request.params.id);
      return (await albums.removeItem(album, request.params.contentId))
        ? reply.code(204).send()
        : sendUnavailable(reply);
    },
  });
};
