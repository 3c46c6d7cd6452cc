/**
 * Limits the request rate of one account, so that this client alone does not exceed the budgets it knows (those of
 * replies, else those of the API document), and pauses all requests while the server asks for it. Budgets are the fixed
 * one-minute windows of the API document, "Limits", and API decisions 5.
 */
import type { Budget } from '../../api/endpoints/endpoint.ts';
import { LIMITS } from '../../api/limits.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { Clock, Random } from '../ports.ts';

/** The rate limit headers of a reply. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** `silent`: they are missing or no numbers. */
export const readRateHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): RateHeaders | 'silent' => {
  const [limit, remaining, reset] = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) =>
    Number([headers[name]].flat()[0] ?? Number.NaN),
  );
  const valid = (value: number | undefined, least: number): value is number => value !== undefined && value >= least;
  if (!valid(limit, 1) || !valid(remaining, 0) || !valid(reset, 0)) return 'silent';
  return { limit, remaining, resetMs: Math.min(reset, 120) * 1_000 };
};

export interface RateLimiter {
  /** Waits for a turn; rejects with the signal's reason when aborted. Every turn must be ended by `done`. */
  enter(budget: Budget, signal: AbortSignal): Promise<void>;
  /** Ends a turn. `silent`: the reply had no rate headers. `lost`: there was no reply. */
  done(budget: Budget, answer: RateHeaders | 'silent' | 'lost'): void;
  /** Pauses all requests of the account for `ms`, at the server's request. */
  pause(ms: number): void;
  /** When the longest current wait ends, in milliseconds since 1970-01-01 UTC; null while no request waits for long. */
  restsUntil(): number | null;
}

export interface RateLimiterDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Called when `restsUntil` has changed. */
  readonly onRest?: (() => void) | undefined;
}

interface Window {
  limit: number;
  remaining: number;
  /** Monotonic time; null while this window has not begun. */
  endsAt: number | null;
  inFlight: number;
  /**
   * False until a reply has reported the budget; requests go one by one until then, because another device may have
   * used it up.
   */
  known: boolean;
}

const ASSUMED: Record<Budget, number> = {
  general: LIMITS.requestsPerMinute,
  uploads: LIMITS.uploadRequestsPerMinute,
  parts: LIMITS.partsPerMinute,
  guest: LIMITS.guestRequestsPerMinute,
};

/** Spreads requests that become free at the same moment over this share of their wait. */
const SPREAD = 0.1;
/**
 * A reply that is handled late makes the window end too late by the delay; the next window ends a whole window later.
 */
const SAME_WINDOW_MS = LIMITS.budgetWindowMs / 2;
/** Shorter waits are not reported. */
const LONG_MS = 3_000;

export const createRateLimiter = ({ clock, random, onRest }: RateLimiterDeps): RateLimiter => {
  const windows = new Map<Budget, Window>();
  const waiting = new Set<() => void>();
  let pausedUntil = 0;
  let waitingLong = 0;
  let restsUntil: number | null = null;

  const windowOf = (budget: Budget): Window => {
    const known = windows.get(budget);
    const window = known ?? {
      limit: ASSUMED[budget],
      remaining: ASSUMED[budget],
      endsAt: null,
      inFlight: 0,
      known: false,
    };
    windows.set(budget, window);
    if (window.endsAt !== null && window.endsAt <= clock.monotonic()) {
      window.remaining = window.limit;
      window.endsAt = null;
    }
    return window;
  };

  /** 0: go. Positive: check again after this many milliseconds. Null: check again after a reply. */
  const waitOf = (window: Window): number | null => {
    const now = clock.monotonic();
    if (pausedUntil > now) return pausedUntil - now;
    if (!window.known && window.inFlight > 0) return null;
    if (window.remaining > window.inFlight) return 0;
    return window.endsAt === null ? null : window.endsAt - now;
  };

  const nextReply = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const finish = () => {
        waiting.delete(finish);
        unfollow();
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      waiting.add(finish);
      const unfollow = onAbort(signal, finish);
    });

  const rest = async (wait: number, signal: AbortSignal): Promise<void> => {
    const sleep = () => clock.sleep(wait * (1 + SPREAD * random.number()), signal);
    if (wait < LONG_MS) return sleep();
    const until = Math.ceil(clock.now() + wait);
    waitingLong += 1;
    if (restsUntil === null || restsUntil < until) {
      restsUntil = until;
      onRest?.();
    }
    try {
      await sleep();
    } finally {
      waitingLong -= 1;
      if (waitingLong === 0) {
        restsUntil = null;
        onRest?.();
      }
    }
  };

  return {
    async enter(budget, signal) {
      for (;;) {
        signal.throwIfAborted();
        const window = windowOf(budget);
        const wait = waitOf(window);
        if (wait === 0) {
          window.inFlight++;
          return;
        }
        if (wait === null) await nextReply(signal);
        else await rest(wait, signal);
      }
    },
    done(budget, answer) {
      const window = windowOf(budget);
      window.inFlight--;
      const now = clock.monotonic();
      if (answer === 'silent' || answer === 'lost') {
        window.remaining--;
        window.endsAt ??= now + LIMITS.budgetWindowMs;
      } else {
        const endsAt = now + answer.resetMs;
        // Replies may arrive out of order: within one window the smaller number is the later one.
        const same = window.known && window.endsAt !== null && Math.abs(endsAt - window.endsAt) < SAME_WINDOW_MS;
        window.remaining = same ? Math.min(window.remaining, answer.remaining) : answer.remaining;
        window.endsAt = same ? Math.min(window.endsAt ?? endsAt, endsAt) : endsAt;
        window.limit = answer.limit;
      }
      if (answer !== 'lost') window.known = true;
      for (const wake of [...waiting]) wake();
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms);
    },
    restsUntil: () => restsUntil,
  };
};
