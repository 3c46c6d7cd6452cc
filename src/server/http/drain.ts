/**
 * Stops the server gracefully (drain): requests in flight may complete, stalled ones are aborted, and new ones get 503
 * except health checks. Also registers the tracking of requests (`in-flight-requests.ts`), and limits how many one
 * address may have at the same time.
 */
import type { ServerConfig } from '../config/config.ts';
import { networksOf } from '../limits/address-networks.ts';
import { ProblemError, serverBusy } from '../problem-details.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import type { InFlight } from './in-flight-requests.ts';
import type { App } from './route-of-endpoint.ts';

export interface Drain {
  /** From now on `isStopping`; requests are still served. */
  announce(): void;
  /** Refuses new requests from now on. Resolves when no request is in flight, or after `limitMs`. */
  begin(limitMs: number): Promise<void>;
  isStopping(): boolean;
}

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

/** Register it after the hooks that set the headers of a response. */
export const registerDrain = (
  app: App,
  inFlight: InFlight,
  connections: Pick<ConnectionLimits, 'closeIdle'>,
): Drain => {
  let [stopping, draining] = [false, false];
  app.addHook('onRequest', (request, reply, done) => {
    if (!draining || request.routeOptions.config.whileStopping) return done();
    reply.header('connection', 'close');
    done(serverBusy('The server is about to stop; send the request again soon.'));
  });
  return {
    announce: () => {
      stopping = true;
    },
    isStopping: () => stopping,
    begin: async (limitMs) => {
      [stopping, draining] = [true, true];
      connections.closeIdle();
      await inFlight.drain(limitMs);
    },
  };
};
