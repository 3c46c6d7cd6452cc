/**
 * Limits concurrent large responses, per address and in total, because each needs memory and perhaps an open file.
 * When all slots are taken, a new response waits a few seconds and is refused if no slot becomes free. While it
 * waits, the server ends the response of a client that has stopped reading, to free its slot.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerConfig } from '../config/config.ts';
import { type Network, type Networks, networksOf } from '../limits/address-networks.ts';
import { ProblemError, serverBusy } from '../problem-details.ts';

const LOOK_MS = 250;
const LOOK_LEAST_MS = 20;
const RETRY_MS = 5_000;

interface Waiter {
  readonly networks: Networks;
  readonly until: number;
  /** Null: a slot was assigned. */
  readonly settle: (problem: ProblemError | null) => void;
}

export interface DownloadSlots {
  /** Takes a slot until the response ends. Throws RATE_LIMITED or UPLOAD_SERVER_BUSY after an unsuccessful wait. */
  take(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  open(): number;
}

export const createDownloadSlots = (
  { limits }: ServerConfig,
  unreadMs: (response: ServerResponse) => number,
): DownloadSlots => {
  /** A reader that has read nothing for `yieldMs` loses its slot to a waiting one. */
  const [yieldMs, waitMs] = [limits.readYieldSeconds * 1_000, limits.readWaitSeconds * 1_000];
  const lookMs = Math.max(LOOK_LEAST_MS, Math.min(LOOK_MS, yieldMs / 4, waitMs / 4));
  const readers = new Map<Network, Set<ServerResponse>>();
  const all = new Set<ServerResponse>();
  const waiting = new Set<Waiter>();
  let looking: NodeJS.Timeout | undefined;

  const leave = (networks: Networks, response: ServerResponse): void => {
    if (!all.delete(response)) return;
    for (const { network } of networks) {
      const own = readers.get(network);
      own?.delete(response);
      if (own?.size === 0) readers.delete(network);
    }
    if (waiting.size > 0) serve();
  };

  const enter = (networks: Networks, response: ServerResponse): void => {
    all.add(response);
    for (const { network } of networks) readers.set(network, (readers.get(network) ?? new Set()).add(response));
    response.once('close', () => leave(networks, response));
  };

  /** Ends the longest stalled reader; false: all of them read. */
  const endIdle = (candidates: Iterable<ServerResponse>): boolean => {
    let [longest, victim]: [number, ServerResponse | null] = [yieldMs, null];
    for (const response of candidates) {
      const unread = response.destroyed ? 0 : unreadMs(response);
      if (unread > longest) [longest, victim] = [unread, response];
    }
    if (victim === null) return false;
    victim.destroy();
    return true;
  };

  /** The network whose slots are all taken. */
  const fullOf = (networks: Networks): Network | undefined =>
    networks.find(({ network, factor }) => (readers.get(network)?.size ?? 0) >= limits.openReadsPerAddress * factor)
      ?.network;

  const refusal = (networks: Networks): ProblemError | null => {
    if (fullOf(networks) !== undefined)
      return new ProblemError('RATE_LIMITED', 'Too many downloads at once from one address; wait until one is done.', {
        retryAfterMs: RETRY_MS,
      });
    if (all.size >= limits.openReads) return serverBusy('The server sends too much now; try again soon.', RETRY_MS);
    return null;
  };

  /** Assigns free slots, and refuses requests that have waited too long. */
  const serve = (): void => {
    const now = performance.now();
    for (const waiter of waiting) {
      const problem = refusal(waiter.networks);
      if (problem !== null && now < waiter.until) continue;
      waiting.delete(waiter);
      waiter.settle(problem);
    }
    if (waiting.size === 0) clearInterval(looking);
  };

  /** Ends at most one reader for each waiting request. */
  const endStalledReaders = (): void => {
    const noneIdle = new Set<Network | undefined>();
    for (const { networks } of waiting) {
      const full = fullOf(networks);
      if (noneIdle.has(full)) continue;
      if (!endIdle(full === undefined ? all : (readers.get(full) ?? []))) noneIdle.add(full);
    }
  };

  const wait = (networks: Networks, response: ServerResponse): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiter: Waiter = {
        networks,
        until: performance.now() + waitMs,
        settle: (problem) => {
          response.off('close', forget);
          if (problem !== null) return reject(problem);
          enter(networks, response);
          resolve();
        },
      };
      const forget = (): void => {
        waiting.delete(waiter);
        if (waiting.size === 0) clearInterval(looking);
        resolve();
      };
      response.once('close', forget);
      if (waiting.size === 0) {
        looking = setInterval(() => {
          endStalledReaders();
          serve();
        }, lookMs).unref();
      }
      waiting.add(waiter);
    });

  return {
    take: async (request, { raw }) => {
      const networks = networksOf(request, limits);
      if (raw.destroyed) return;
      if (refusal(networks) === null) enter(networks, raw);
      else await wait(networks, raw);
    },
    open: () => all.size,
  };
};
