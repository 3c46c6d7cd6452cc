/**
 * Prepares the server's stop (drain): new requests get 503 except health checks, and those in flight may complete
 * within a time limit; stalled ones are aborted (`in-flight-requests.ts`).
 */
import { serverBusy } from '../problem-details.ts';
import type { App } from './app-type.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import type { InFlight } from './in-flight-requests.ts';

export interface Drain {
  /** From now on `isStopping`; requests are still served. */
  announce(): void;
  /** Refuses new requests from now on. Resolves when no request is in flight, or after `limitMs`. */
  begin(limitMs: number): Promise<void>;
  isStopping(): boolean;
}

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
