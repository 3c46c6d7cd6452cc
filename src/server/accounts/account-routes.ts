/**
 * Routes of the account, of its request log, and of its plan and trial: `GET /api/v1/account`, `GET /api/v1/requests`
 * and `/api/billing/*` (API document, "Account response"; API decisions 3).
 */
import { API } from '../../api/endpoints/endpoint-table.ts';
import { whenKnown } from '../database/versioned-cache.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { sendSerializedJson } from '../http/send-serialized-json.ts';
import { trialNetworkOf } from '../limits/address-networks.ts';
import type { AccountReplies } from './account-reply.ts';
import { keyHolder } from './authenticate.ts';
import type { Trials } from './plan-trial.ts';
import type { RequestLog } from './request-log.ts';

interface AccountNeeds {
  readonly answers: AccountReplies;
  readonly trials: Trials;
  readonly requestLog: RequestLog;
}

export const registerAccountRoutes = (app: App, { answers, trials, requestLog }: AccountNeeds): void => {
  app.route({
    ...routeOf(API.readAccount),
    handler: (request, reply) =>
      whenKnown(answers.accountJson(keyHolder(request), trialNetworkOf(request)), (json) =>
        sendSerializedJson(reply, json),
      ),
  });

  app.route({
    ...routeOf(API.listRequests),
    handler: async (request) => ({
      items: (await requestLog.latest(keyHolder(request).account.id)).map(({ time, ...entry }) => ({
        ...entry,
        time: new Date(time).toISOString(),
      })),
    }),
  });

  app.route({
    ...routeOf(API.readSubscription),
    handler: async (request) => await answers.subscription(keyHolder(request).account, trialNetworkOf(request)),
  });

  app.route({
    ...routeOf(API.startTrial),
    handler: async (request) => {
      const from = trialNetworkOf(request);
      return await answers.subscription(await trials.start(keyHolder(request).account.id, from), from);
    },
  });
};
