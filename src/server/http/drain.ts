/** A graceful stop: requests in flight end, new ones are answered 503, and after a time limit the rest is cut. */
import { serverBusy } from '../problem.ts';
import type { App } from './route.ts';

export interface Drain {
  /** From now on new requests are refused. Resolves when no request is in flight, or after `limitMs`. */
  begin(limitMs: number): Promise<void>;
}

export const registerDrain = (app: App): Drain => {
  let inFlight = 0;
  let draining = false;
  let onIdle: () => void = () => {};

  app.addHook('onRequest', async (_request, reply) => {
    if (draining) {
      reply.header('connection', 'close');
      throw serverBusy('The server is about to stop; send the request again soon.');
    }
    inFlight += 1;
    // `close` comes exactly once, after the answer or when the client went away.
    reply.raw.once('close', () => {
      inFlight -= 1;
      if (inFlight === 0) onIdle();
    });
  });

  return {
    begin: async (limitMs) => {
      draining = true;
      if (inFlight === 0) return;
      await new Promise<void>((resolve) => {
        const limit = setTimeout(resolve, limitMs);
        onIdle = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    },
  };
};
