/** Tracks every request of the server as one in flight, and limits how many one address may have at the same time. */
import type { ServerConfig } from '../config/config.ts';
import { networksOf } from '../limits/address-networks.ts';
import { ProblemError } from '../problem-details.ts';
import type { App } from './app-type.ts';
import type { InFlight } from './in-flight-requests.ts';

const RETRY_MS = 5_000;

/** Register it before all other hooks: requests that they refuse are tracked too. */
export const registerInFlight = (app: App, inFlight: InFlight, limits: ServerConfig['limits']): void => {
  app.server.prependListener('request', inFlight.add);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const { readsOwnBody, unmetered } = request.routeOptions.config;
    const kind = readsOwnBody ? 'steady' : 'whole';
    const isWithin = inFlight.setRoute(reply.raw, { kind, networks: networksOf(request, limits) });
    if (isWithin || unmetered) return done();
    const more = { retryAfterMs: RETRY_MS };
    done(new ProblemError('RATE_LIMITED', 'Too many requests at once from one address; wait until some end.', more));
  });
  app.addHook('onClose', async () => inFlight.close());
};
