/**
 * Endpoints of single items: `GET|PATCH|DELETE /content/{id}` (API decisions 3 and 6). Also the owner's summaries, `GET
 * /content/media-status` and `GET /content/{id}/views`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API } from '../../api/endpoints/endpoint-table.ts';
import { unreachable } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { keyHolder, keyHolderNow } from '../accounts/authenticate.ts';
import { featuresOf, planFeatureRequired } from '../accounts/plan.ts';
import { type ContentRow, contentRows } from '../content/content-rows.ts';
import { presentContent, presentLocked, presentToOthers } from '../content/present-content.ts';
import { viewDays } from '../content/storage-and-view-counters.ts';
import { createVersionedCache, whenKnown } from '../database/versioned-cache.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { sendSerializedJson } from '../http/send-serialized-json.ts';
import type { Passwords } from '../passwords.ts';
import { invalidInput } from '../problem-details.ts';
import { ANSWERS } from '../sharing/access-rules.ts';
import { createRequestAccess } from '../sharing/requester-access.ts';
import { contentGone, sendUnavailable } from '../sharing/unavailable-error.ts';
import { createItemDeletion } from './delete-items.ts';
import { createUpdater } from './update-item.ts';

const ITEMS_REMEMBERED = 1_000;

export const registerItemRoutes = (app: App, deps: ServerDeps, passwords: Passwords): void => {
  const store = contentRows(deps.records);
  const visits = createRequestAccess(deps);
  const removal = createItemDeletion(deps);
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

  const answer = (request: FastifyRequest, reply: FastifyReply, found: ContentRow | undefined) => {
    const { row, standing } = visits.standingByKey(request, found);
    const { api } = ANSWERS[standing];
    if (row === undefined) return sendUnavailable(reply);
    const own = visits.isOwner(request, row);
    switch (api) {
      case 'show':
        return own ? sendSerializedJson(reply, ownJson(row)) : reply.send(presentToOthers(deps, row));
      case 'locked-card':
        // The only response of this route that is not a Content (API decisions 6, row 10).
        return reply.send(presentLocked(row) as never);
      case 'gone-to-owner':
        if (own) throw contentGone();
        return sendUnavailable(reply);
      case 'unavailable':
        return sendUnavailable(reply);
      default:
        return unreachable(api);
    }
  };

  app.route({
    ...routeOf(API.readContent),
    handler: (request, reply) => {
      const { version } = keyHolder(request);
      const { id } = request.params;
      return whenKnown(
        recall.get(version, id, () => store.byId(id)),
        (row) => answer(request, reply, row),
      );
    },
  });

  app.route({
    ...routeOf(API.updateContent),
    handler: async (request, reply) => {
      // Retries when the item changes during the request.
      for (;;) {
        const { row, standing } = await visits.lookByKey(request, request.params.id);
        if (row === undefined || !visits.isOwner(request, row)) return sendUnavailable(reply);
        if (standing === 'expired') throw contentGone();
        const changed = await update(row, request.body, {
          isStillAllowed: async () => (await keyHolderNow(request)) !== null,
        });
        if (changed !== null) return presentContent(deps, changed);
      }
    },
  });

  app.route({
    ...routeOf(API.deleteContent),
    handler: async (request, reply) =>
      (await removal.removeOwn(request.params.id, keyHolder(request).account.id))
        ? reply.code(204).send()
        : sendUnavailable(reply),
  });
};

/** The ids of a query, without duplicates, in order. Throws INVALID_INPUT for too many. */
const idsOf = (list: string): readonly string[] => {
  const ids = [...new Set(list.split(',').filter((id) => id !== ''))];
  if (ids.length > LIMITS.mediaStatusIds)
    throw invalidInput({ path: '/ids', message: `must name at most ${LIMITS.mediaStatusIds} items` });
  return ids;
};

/** Summaries of items for their owner: `GET /content/media-status` and `GET /content/{id}/views` (API decisions 3). */
export const registerItemSummaryRoutes = (app: App, deps: ServerDeps): void => {
  const { clock, config, records } = deps;
  const store = contentRows(records);
  const visits = createRequestAccess(deps);

  app.route({
    ...routeOf(API.readMediaStatus),
    handler: async (request) => {
      const { account } = keyHolder(request);
      const now = clock.now();
      const rows = await Promise.all(idsOf(request.query.ids).map((id) => store.byId(id)));
      const own = rows.filter(
        (row) => row?.accountId === account.id && (row.expiresAt === null || row.expiresAt > now),
      );
      return {
        items: own.flatMap((row) =>
          row === undefined ? [] : [{ id: row.id, mediaStatus: row.mediaStatus, mediaError: row.mediaError }],
        ),
      };
    },
  });

  app.route({
    ...routeOf(API.readViews),
    handler: async (request, reply) => {
      const { account } = keyHolder(request);
      const now = clock.now();
      const { row, standing } = await visits.lookByKey(request, request.params.id);
      if (row === undefined || !visits.isOwner(request, row)) return sendUnavailable(reply);
      if (!featuresOf(config, account, now).includes('view_stats')) throw planFeatureRequired('view_stats');
      if (standing === 'expired') throw contentGone();
      return { days: await viewDays(records).days(row.id, request.query.days ?? LIMITS.viewsByDayDefault, now) };
    },
  });
};
