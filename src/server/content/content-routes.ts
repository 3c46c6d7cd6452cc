/** `GET|PATCH|DELETE /content/{id}` (decisions 3 and 6). */

import { API } from '../../api/endpoints/table.ts';
import { unreachable } from '../../api/errors.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import { createVersionedCache } from '../database-version.ts';
import type { ServerDeps } from '../deps.ts';
import { type App, routeOf } from '../http/route.ts';
import { sendSerializedJson } from '../http/serialized-json.ts';
import { ProblemError } from '../problem.ts';
import { ANSWERS } from '../sharing/access-table.ts';
import type { Passwords } from '../sharing/password-hashing.ts';
import { createRequestAccess } from '../sharing/request-access.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import { presentContent, presentLocked, presentToOthers } from './content-reply.ts';
import { type ContentRow, createContentStore } from './content-store.ts';
import { createRemoval } from './delete-items.ts';
import { createUpdater } from './update-item.ts';

/** 410, for the owner alone (decisions 6, row 3). */
export const contentGone = (): ProblemError =>
  new ProblemError('CONTENT_GONE', 'The item has expired; upload the file again.');

const ITEMS_REMEMBERED = 1_000;

export const registerContentRoutes = (app: App, deps: ServerDeps, passwords: Passwords): void => {
  const { database } = deps;
  const store = createContentStore(database);
  const visits = createRequestAccess(deps);
  const removal = createRemoval(deps);
  const update = createUpdater(deps, passwords);

  const recall = createVersionedCache<ContentRow | undefined>(ITEMS_REMEMBERED);
  const texts = new WeakMap<ContentRow, string>();
  /** Rows are immutable: a change of an item creates a new one. */
  const ownJson = (row: ContentRow): string => {
    const known = texts.get(row);
    if (known !== undefined) return known;
    const text = JSON.stringify(presentContent(deps, row));
    texts.set(row, text);
    return text;
  };

  const remove = database.transaction((id: string, accountId: string): boolean => {
    const row = store.byId(id);
    if (row === undefined || row.accountId !== accountId) return false;
    removal.remove(row);
    return true;
  });

  app.route({
    ...routeOf(API.readContent),
    handler: (request, reply) => {
      const { version } = keyHolder(request);
      const byId = (id: string) => recall.get(version, id, () => store.byId(id));
      const { row, standing } = visits.lookByKey(request, request.params.id, byId);
      const { api } = ANSWERS[standing];
      if (row === undefined) return sendUnavailable(reply);
      const own = visits.isOwner(request, row);
      switch (api) {
        case 'show':
          return own ? sendSerializedJson(reply, ownJson(row)) : reply.send(presentToOthers(deps, row));
        case 'locked-card':
          // The only response of this route that is not a Content (decisions 6, row 10).
          return reply.send(presentLocked(row) as never);
        case 'gone-to-owner':
          if (own) throw contentGone();
          return sendUnavailable(reply);
        case 'unavailable':
          return sendUnavailable(reply);
        default:
          return unreachable(api);
      }
    },
  });

  app.route({
    ...routeOf(API.updateContent),
    handler: async (request, reply) => {
      // Retries when the item changes during the request.
      for (;;) {
        const { row, standing } = visits.lookByKey(request, request.params.id);
        if (row === undefined || !visits.isOwner(request, row)) return sendUnavailable(reply);
        if (standing === 'expired') throw contentGone();
        const changed = await update(row, request.body);
        if (changed !== null) return presentContent(deps, changed);
      }
    },
  });

  app.route({
    ...routeOf(API.deleteContent),
    handler: async (request, reply) =>
      remove.immediate(request.params.id, keyHolder(request).account.id)
        ? reply.code(204).send()
        : sendUnavailable(reply),
  });
};
