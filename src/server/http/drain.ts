/**
 * A graceful stop: requests that change something end, new ones are answered 503, and after a time limit the rest is cut.
 * What only reads gets a moment: a paused video would hold up the stop for as long as its viewer likes.
 */
import type { FastifyReply } from 'fastify';
import { serverBusy } from '../problem.ts';
import type { App } from './route.ts';

export interface Drain {
  /** From now on new requests are refused. Resolves when no request is in flight, or after `limitMs`. */
  begin(limitMs: number): Promise<void>;
}

const READS_LIMIT_MS = 1_000;

export const registerDrain = (app: App): Drain => {
  const reads = createCounter();
  const writes = createCounter();
  let draining = false;

  app.addHook('onRequest', ({ method }, reply, done) => {
    if (draining) {
      reply.header('connection', 'close');
      done(serverBusy('The server is about to stop; send the request again soon.'));
      return;
    }
    (method === 'GET' || method === 'HEAD' ? reads : writes).add(reply);
    done();
  });

  return {
    begin: async (limitMs) => {
      draining = true;
      await Promise.all([writes.empty(limitMs), reads.empty(Math.min(limitMs, READS_LIMIT_MS))]);
    },
  };
};

/** Counts requests that are in flight. */
const createCounter = () => {
  let count = 0;
  let onEmpty: () => void = () => {};
  const onClose = (): void => {
    count -= 1;
    if (count === 0) onEmpty();
  };
  return {
    add: ({ raw }: FastifyReply): void => {
      count += 1;
      // `close` comes exactly once, after the answer or when the client went away.
      raw.on('close', onClose);
    },
    /** Resolves when none is left, or after `limitMs`. */
    empty: (limitMs: number): Promise<void> =>
      new Promise((resolve) => {
        if (count === 0) {
          resolve();
          return;
        }
        const limit = setTimeout(resolve, limitMs);
        onEmpty = () => {
          clearTimeout(limit);
          resolve();
        };
      }),
  };
};
