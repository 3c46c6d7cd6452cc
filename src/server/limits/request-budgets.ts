/**
 * Limits the requests per minute of all keys of an account together, and of each network of guests, and sets the rate
 * headers of responses (API document, "Limits"; API decisions 5). A window of a minute opens with its first request.
 * This module counts in one process, `shared-request-budgets.ts` over all nodes.
 */

import type { FastifyReply } from 'fastify';
import type { Budget } from '../../api/endpoints/endpoint.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { ProblemError } from '../problem-details.ts';
import type { Network, Networks } from './address-networks.ts';

/** The rest of a bucket after a request; `resetSeconds` until it refills, at least 1. */
export interface Draw {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Window {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly openedAt: number;
  count: number;
}

export const WINDOW_MS = LIMITS.budgetWindowMs;

export interface Budgets {
  /** Counts one request of `owner` against `budget`, with `factor` times the limit. */
  take(budget: Budget, owner: AccountId | Network, factor?: number): Draw | Promise<Draw>;
  /** Forgets windows that are over. */
  sweep(): Promise<void>;
}

/** The limit of each budget. */
export const budgetLimits = (limits: ServerConfig['limits']): Readonly<Record<Budget, number>> => ({
  general: limits.requestsPerMinute,
  uploads: limits.uploadRequestsPerMinute,
  parts: limits.partsPerMinute,
  guest: limits.guestRequestsPerMinute,
});

/** The rest of a window with this request counted. */
export const drawOf = ({ openedAt, count }: Readonly<Window>, limit: number, now: number): Draw => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  resetSeconds: Math.max(1, Math.ceil((openedAt + WINDOW_MS - now) / 1_000)),
});

/** Counts in the memory of this process. Beyond `rememberedNetworks` the oldest windows are dropped. */
export const createBudgets = (limits: ServerConfig['limits'], clock: Clock) => {
  const perMinute = budgetLimits(limits);
  /** In the order in which the windows opened. */
  const windowsOf: Readonly<Record<Budget, Map<string, Window>>> = {
    general: new Map(),
    uploads: new Map(),
    parts: new Map(),
    guest: new Map(),
  };

  const isOver = (window: Window, now: number): boolean => now >= window.openedAt + WINDOW_MS || now < window.openedAt;

  const prune = (windows: Map<string, Window>, now: number): void => {
    for (const [owner, window] of windows) {
      if (!isOver(window, now) && windows.size < limits.rememberedNetworks) return;
      windows.delete(owner);
    }
  };

  return {
    take: (budget: Budget, owner: AccountId | Network, factor = 1): Draw => {
      const now = clock.now();
      const windows = windowsOf[budget];
      let window = windows.get(owner);
      if (window === undefined || isOver(window, now)) {
        windows.delete(owner);
        prune(windows, now);
        window = { openedAt: now, count: 0 };
        windows.set(owner, window);
      }
      window.count += 1;
      return drawOf(window, perMinute[budget] * factor, now);
    },
    // New windows push out old ones.
    sweep: async (): Promise<void> => {},
    /** Number of windows in memory. */
    size: (): number => Object.values(windowsOf).reduce((sum, windows) => sum + windows.size, 0),
  };
};

/**
 * Counts a request and sets the three rate headers of its bucket; at once where the budgets are in memory. Throws or rejects
 * with RATE_LIMITED.
 */
export type Charge = (reply: FastifyReply, budget: Budget, owner: AccountId | Networks) => Promise<void> | undefined;

/** The bucket for the headers: the exhausted one, else the narrowest. */
const tightest = (draws: readonly Draw[]): Draw => {
  const draw = draws.find(({ allowed }) => !allowed) ?? draws[0];
  if (draw === undefined) throw new Error('A request counts for at least one network.');
  return draw;
};

const apply = (reply: FastifyReply, draw: Draw): undefined => {
  reply
    .header('x-ratelimit-limit', draw.limit)
    .header('x-ratelimit-remaining', draw.remaining)
    .header('x-ratelimit-reset', draw.resetSeconds);
  if (draw.allowed) return;
  throw new ProblemError('RATE_LIMITED', `Too many requests; wait ${draw.resetSeconds} s.`, {
    retryAfterMs: draw.resetSeconds * 1_000,
  });
};

const areCounted = (draws: readonly (Draw | Promise<Draw>)[]): draws is readonly Draw[] =>
  draws.every((draw) => !(draw instanceof Promise));

export const createCharge = (budgets: Pick<Budgets, 'take'>): Charge => {
  const takeAll = (budget: Budget, networks: Networks): Draw | Promise<Draw> => {
    const draws = networks.map(({ network, factor }) => budgets.take(budget, network, factor));
    return areCounted(draws) ? tightest(draws) : Promise.all(draws).then(tightest);
  };

  return (reply, budget, owner) => {
    const draw = typeof owner === 'string' ? budgets.take(budget, owner) : takeAll(budget, owner);
    return draw instanceof Promise ? draw.then((counted) => apply(reply, counted)) : apply(reply, draw);
  };
};
