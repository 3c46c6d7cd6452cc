/**
 * Request budgets (API document, "Limits"; API decisions 5): fixed windows of one minute, counted in memory, one bucket
 * for all keys of an account and one for each network of guests. A window opens with its first request. Responses have
 * the rate headers of their bucket.
 */

import type { FastifyReply } from 'fastify';
import type { Budget } from '../../api/endpoints/endpoint.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { ProblemError } from '../problem.ts';
import type { Network, Networks } from './network.ts';

/** The rest of a bucket after a request; `resetSeconds` until it refills, at least 1. */
export interface Draw {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Window {
  readonly openedAt: number;
  count: number;
}

const WINDOW_MS = LIMITS.budgetWindowMs;
/** Maximum windows of a budget; the oldest are dropped, so that guests cannot fill the memory. */
const WINDOWS_MAX = 100_000;

export type Budgets = ReturnType<typeof createBudgets>;

export const createBudgets = (limits: ServerConfig['limits'], clock: Clock, windowsMax = WINDOWS_MAX) => {
  const perMinute: Readonly<Record<Budget, number>> = {
    general: limits.requestsPerMinute,
    uploads: limits.uploadRequestsPerMinute,
    parts: limits.partsPerMinute,
    guest: limits.guestRequestsPerMinute,
  };
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
      if (!isOver(window, now) && windows.size < windowsMax) return;
      windows.delete(owner);
    }
  };

  return {
    /** Counts one request of `owner` against `budget`, with `factor` times the limit. */
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
      const limit = perMinute[budget] * factor;
      return {
        allowed: window.count <= limit,
        limit,
        remaining: Math.max(0, limit - window.count),
        resetSeconds: Math.max(1, Math.ceil((window.openedAt + WINDOW_MS - now) / 1_000)),
      };
    },
    /** Number of windows in memory. */
    size: (): number => Object.values(windowsOf).reduce((sum, windows) => sum + windows.size, 0),
  };
};

/** Counts a request and sets the three rate headers of its bucket. Throws RATE_LIMITED. */
export type Charge = (reply: FastifyReply, budget: Budget, owner: AccountId | Networks) => void;

/** The bucket for the headers: the exhausted one, else the narrowest. */
const tightest = (draws: readonly Draw[]): Draw => {
  const draw = draws.find(({ allowed }) => !allowed) ?? draws[0];
  if (draw === undefined) throw new Error('A request counts for at least one network.');
  return draw;
};

export const createCharge =
  (budgets: Budgets): Charge =>
  (reply, budget, owner) => {
    const draw =
      typeof owner === 'string'
        ? budgets.take(budget, owner)
        : tightest(owner.map(({ network, factor }) => budgets.take(budget, network, factor)));
    reply
      .header('x-ratelimit-limit', draw.limit)
      .header('x-ratelimit-remaining', draw.remaining)
      .header('x-ratelimit-reset', draw.resetSeconds);
    if (draw.allowed) return;
    throw new ProblemError('RATE_LIMITED', `Too many requests; wait ${draw.resetSeconds} s.`, {
      retryAfterMs: draw.resetSeconds * 1_000,
    });
  };
