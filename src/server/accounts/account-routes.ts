/** `GET /account`, `GET /requests` and `/api/billing/*` (API document, "Account response"; API decisions 3). */
import { API } from '../../api/endpoints/endpoint-table.ts';
import { type App, routeOf, sendSerializedJson } from '../http/route-of-endpoint.ts';
import { trialNetworkOf } from '../limits/network.ts';
import type { AccountReplies } from './account-reply.ts';
import { keyHolder } from './authenticate.ts';
import type { RequestLog } from './request-log.ts';
import type { Trials } from './trial.ts';

interface AccountNeeds {
  readonly answers: AccountReplies;
  readonly trials: Trials;
  readonly requestLog: RequestLog;
}

export const registerAccountRoutes = (app: App, { answers, trials, requestLog }: AccountNeeds): void => {
  app.route({
    ...routeOf(API.readAccount),
    handler: (request, reply) =>
      sendSerializedJson(reply, answers.accountJson(keyHolder(request), trialNetworkOf(request))),
  });

  app.route({
    ...routeOf(API.listRequests),
    handler: async (request) => ({
      items: requestLog.latest(keyHolder(request).account.id).map(({ time, ...entry }) => ({
        ...entry,
        time: new Date(time).toISOString(),
      })),
    }),
  });

  app.route({
    ...routeOf(API.readSubscription),
    handler: async (request) => answers.subscription(keyHolder(request).account, trialNetworkOf(request)),
  });

  app.route({
    ...routeOf(API.startTrial),
    handler: async (request) => {
      const from = trialNetworkOf(request);
      return answers.subscription(trials.start(keyHolder(request).account.id, from), from);
    },
  });
};
