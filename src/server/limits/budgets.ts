/**
 * Request budgets (API document, "Limits"; decisions 5): fixed windows of one minute, counted in memory, one bucket for
 * all keys of an account and one for each guest address. A window opens with its first request.
 */
import type { Budget } from '../../contract/service/endpoints/endpoint.ts';
import { LIMITS } from '../../contract/service/limits.ts';
import type { ServerConfig } from '../config/config.ts';
import type { Clock } from '../system.ts';

/** What is left of a bucket after a request; `resetSeconds` until it refills, at least 1. */
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
/** Old windows are dropped once a budget has this many, so that guests cannot fill the memory. */
const PRUNE_ABOVE = 10_000;

export type Budgets = ReturnType<typeof createBudgets>;

export const createBudgets = (limits: ServerConfig['limits'], clock: Clock) => {
  const perMinute: Readonly<Record<Budget, number>> = {
    general: limits.requestsPerMinute,
    uploads: limits.uploadRequestsPerMinute,
    parts: limits.partsPerMinute,
    guest: limits.guestRequestsPerMinute,
  };
  const windowsOf: Readonly<Record<Budget, Map<string, Window>>> = {
    general: new Map(),
    uploads: new Map(),
    parts: new Map(),
    guest: new Map(),
  };

  const isOver = (window: Window, now: number): boolean => now >= window.openedAt + WINDOW_MS || now < window.openedAt;

  const prune = (windows: Map<string, Window>, now: number): void => {
    for (const [id, window] of windows) if (isOver(window, now)) windows.delete(id);
  };

  return {
    /** Counts one request of `owner` (an account id, or a guest's address) against `budget`. */
    take: (budget: Budget, owner: string): Draw => {
      const now = clock.now();
      const windows = windowsOf[budget];
      let window = windows.get(owner);
      if (window === undefined || isOver(window, now)) {
        if (windows.size >= PRUNE_ABOVE) prune(windows, now);
        window = { openedAt: now, count: 0 };
        windows.set(owner, window);
      }
      window.count += 1;
      const limit = perMinute[budget];
      return {
        allowed: window.count <= limit,
        limit,
        remaining: Math.max(0, limit - window.count),
        resetSeconds: Math.max(1, Math.ceil((window.openedAt + WINDOW_MS - now) / 1_000)),
      };
    },
  };
};
