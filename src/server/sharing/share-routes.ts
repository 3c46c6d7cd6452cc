/** `POST /api/share/{id}/open` (API document, "Behaviours of referenced operations"; decisions 6). */

import { API } from '../../api/endpoints/table.ts';
import { unreachable } from '../../api/errors.ts';
import { presentContent, presentToOthers } from '../content/content-reply.ts';
import type { ServerDeps } from '../deps.ts';
import { type App, routeOf } from '../http/route.ts';
import { ProblemError } from '../problem.ts';
import type { Opener } from './open-link.ts';
import { sendUnavailable } from './unavailable-error.ts';

export const registerShareRoutes = (app: App, deps: ServerDeps, opener: Opener): void => {
  app.route({
    ...routeOf(API.openShare),
    handler: async (request, reply) => {
      const opening = await opener.open(request, reply, request.params.id, request.body?.password ?? '');
      switch (opening.kind) {
        case 'unavailable':
          return sendUnavailable(reply);
        case 'password-needed':
          throw new ProblemError('SHARE_PASSWORD_INVALID', 'This link is protected; send its password.');
        case 'password-wrong':
          throw new ProblemError('SHARE_PASSWORD_INVALID', 'The password is wrong; check it and try again.');
        case 'opened':
          reply.header('cache-control', 'no-store');
          return opening.as === 'owner' ? presentContent(deps, opening.row) : presentToOthers(deps, opening.row);
        default:
          return unreachable(opening);
      }
    },
  });
};
