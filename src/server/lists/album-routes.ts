/** Album endpoints (decisions 3): lists of items that an account keeps for itself, or shares by the album's id. */
import type { FastifyRequest } from 'fastify';
import { API } from '../../api/endpoints/table.ts';
import type { Album } from '../../api/lists.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import { readCursor } from '../content/cursor.ts';
import { checkTitle } from '../content/share-fields.ts';
import type { ServerDeps } from '../deps.ts';
import { type App, routeOf } from '../http/route.ts';
import { invalidInput, ProblemError } from '../problem.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import { type AlbumRow, createAlbums } from './albums.ts';
import { createListEligibility } from './list-eligibility.ts';
import { createPages, cutPage } from './list-page.ts';
import { createListStore } from './list-store.ts';

const titleOf = (title: string): string => {
  const checked = checkTitle(title);
  if (checked === '') throw invalidInput({ path: '/title', message: 'must not be empty' });
  return checked;
};

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
