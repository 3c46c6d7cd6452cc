/**
 * Paces one account's requests, so that this client alone never earns a 429, and holds all of them back while the
 * server asks for patience. Budgets are the fixed one-minute windows of the API document, "Limits"; decisions 5.
 */
import type { Budget } from '../../api/endpoints/endpoint.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock, Random } from '../ports.ts';

/** What the answer of a request says about its budget. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

export interface RateLimiter {
  /** Waits for a turn; rejects with the signal's reason when aborted. Every turn must be ended by `done`. */
  enter(budget: Budget, signal: AbortSignal): Promise<void>;
  /** Ends a turn. `silent`: the answer had no rate headers. `lost`: there was no answer. */
  done(budget: Budget, answer: RateHeaders | 'silent' | 'lost'): void;
  /** Nothing goes out for `ms`: the server's own wish, for all requests of the account. */
  hold(ms: number): void;
  /** When requests that must wait for long go on, in milliseconds since 1970-01-01 UTC; null while none does. */
  restsUntil(): number | null;
}

export interface RateLimiterDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** `restsUntil` has come to be another. */
  readonly onRest?: (() => void) | undefined;
}

interface Window {
  limit: number;
  remaining: number;
  /** Monotonic time; null while this window has not begun. */
  endsAt: number | null;
  inFlight: number;
  /** Until an answer has told the numbers, requests go one by one: another device may have used the budget up. */
  known: boolean;
}

const ASSUMED: Record<Budget, number> = {
  general: LIMITS.requestsPerMinute,
  uploads: LIMITS.uploadRequestsPerMinute,
  parts: LIMITS.partsPerMinute,
  guest: LIMITS.guestRequestsPerMinute,
};

/** Waiters that the same moment sets free are spread over this share of their wait, so that they do not arrive as one. */
const SPREAD = 0.1;
/** An answer that is handled late puts the end of its window too late by as much; the next window ends a whole one later. */
const SAME_WINDOW_MS = LIMITS.budgetWindowMs / 2;
/** A shorter wait is nobody's news. */
const LONG_MS = 3_000;

export const createRateLimiter = ({ clock, random, onRest }: RateLimiterDeps): RateLimiter => {
  const windows = new Map<Budget, Window>();
  const waiting = new Set<() => void>();
  let heldUntil = 0;
  let resting = 0;
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

  /** 0: go. More: look again after so many milliseconds. Null: look again when a request has been answered. */
  const waitOf = (window: Window): number | null => {
    const now = clock.monotonic();
    if (heldUntil > now) return heldUntil - now;
    if (!window.known && window.inFlight > 0) return null;
    if (window.remaining > window.inFlight) return 0;
    return window.endsAt === null ? null : window.endsAt - now;
  };

  const answered = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const finish = () => {
        waiting.delete(finish);
        signal.removeEventListener('abort', finish);
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      waiting.add(finish);
      signal.addEventListener('abort', finish);
    });

  const rest = async (wait: number, signal: AbortSignal): Promise<void> => {
    const sleep = () => clock.sleep(wait * (1 + SPREAD * random.number()), signal);
    if (wait < LONG_MS) return sleep();
    const until = Math.ceil(clock.now() + wait);
    resting += 1;
    if (restsUntil === null || restsUntil < until) {
      restsUntil = until;
      onRest?.();
    }
    try {
      await sleep();
    } finally {
      resting -= 1;
      if (resting === 0) {
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
        if (wait === null) await answered(signal);
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
        // Answers overtake each other: within one window the smaller number is the later truth.
        const same = window.known && window.endsAt !== null && Math.abs(endsAt - window.endsAt) < SAME_WINDOW_MS;
        window.remaining = same ? Math.min(window.remaining, answer.remaining) : answer.remaining;
        window.endsAt = same ? Math.min(window.endsAt ?? endsAt, endsAt) : endsAt;
        window.limit = answer.limit;
      }
      if (answer !== 'lost') window.known = true;
      for (const wake of [...waiting]) wake();
    },
    hold(ms) {
      heldUntil = Math.max(heldUntil, clock.monotonic() + ms);
    },
    restsUntil: () => restsUntil,
  };
};
