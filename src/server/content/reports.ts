/** Summaries of items for their owner: `GET /content/media-status` and `GET /content/{id}/views` (decisions 3). */
import { API } from '../../api/endpoints/table.ts';
import { LIMITS } from '../../api/limits.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import { featuresOf } from '../accounts/plan.ts';
import type { ServerDeps } from '../deps.ts';
import { type App, routeOf } from '../http/route.ts';
import { invalidInput } from '../problem.ts';
import { createRequestAccess } from '../sharing/request-access.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import { contentGone } from './content-routes.ts';
import { createContentStore } from './content-store.ts';
import { planFeatureRequired } from './update-item.ts';
import { createViewDays } from './view-days.ts';

/** The ids of a query, without duplicates, in order. Throws INVALID_INPUT for too many. */
const idsOf = (list: string): readonly string[] => {
  const ids = [...new Set(list.split(',').filter((id) => id !== ''))];
  if (ids.length > LIMITS.mediaStatusIds)
    throw invalidInput({ path: '/ids', message: `must name at most ${LIMITS.mediaStatusIds} items` });
  return ids;
};

export const registerReportRoutes = (app: App, deps: ServerDeps): void => {
  const { clock, config, database } = deps;
  const store = createContentStore(database);
  const visits = createRequestAccess(deps);
  const viewDays = createViewDays(database);

  app.route({
    ...routeOf(API.readMediaStatus),
    handler: async (request) => {
      const { account } = keyHolder(request);
      const now = clock.now();
      const rows = idsOf(request.query.ids).map((id) => store.byId(id));
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
      const { row, standing } = visits.lookByKey(request, request.params.id);
      if (row === undefined || !visits.isOwner(request, row)) return sendUnavailable(reply);
      if (!featuresOf(config, account, now).includes('view_stats')) throw planFeatureRequired('view_stats');
      if (standing === 'expired') throw contentGone();
      return { days: viewDays.days(row.id, request.query.days ?? LIMITS.viewsByDayDefault, now) };
    },
  });
};
