/**
 * Aborts a request that makes no progress: a stalled body, a missing reply, or a system suspend. For requests with
 * large bodies, the reply timeout adapts to slow lines.
 */
import { onAbort } from '../../base/common/on-abort.ts';
import type { Clock } from '../ports.ts';
import { wasSuspended } from './suspend-detector.ts';

/** Milliseconds. */
export interface Timeouts {
  readonly connectMs: number;
  /** Longest pause while a body is sent; below the server's own 20 s (`partStallMs`). */
  readonly idleMs: number;
  /** From the last byte sent to the headers of the reply, and from there to its end. */
  readonly replyMs: number;
  /** The same where the server processes a whole upload before it replies. */
  readonly completeMs: number;
}

export const TIMEOUTS: Timeouts = { connectMs: 10_000, idleMs: 15_000, replyMs: 45_000, completeMs: 180_000 };

export interface RequestWatch {
  readonly signal: AbortSignal;
  /** Call when bytes have moved. */
  progress(): void;
  /** Call when everything is sent; the reply is due. */
  sent(): void;
  end(): void;
  /** Why this watch, not the caller, aborted the request: no progress, or a system suspend. Null: it did not. */
  readonly fired: 'late' | 'slept' | null;
}

export const watchRequest = (
  { clock, idleMs, replyMs }: { readonly clock: Clock; readonly idleMs: number; readonly replyMs: number },
  caller: AbortSignal,
): RequestWatch => {
  const own = new AbortController();
  const over = new AbortController();
  let fired: RequestWatch['fired'] = null;
  const fire = (why: 'late' | 'slept') => {
    fired ??= why;
    own.abort();
  };
  const late = () => fire('late');
  const follow = () => own.abort();
  let timer = setTimeout(late, idleMs);
  const unfollow = onAbort(caller, follow);
  // At once: a request must not begin.
  if (caller.aborted) follow();
  void wasSuspended(clock, over.signal).then(() => {
    if (!over.signal.aborted) fire('slept');
  });
  return {
    signal: own.signal,
    progress: () => void timer.refresh(),
    sent() {
      clearTimeout(timer);
      timer = setTimeout(late, replyMs);
    },
    end() {
      clearTimeout(timer);
      over.abort('over');
      unfollow();
    },
    get fired() {
      return fired;
    },
  };
};

// Adapts the reply timeout of requests with large bodies. A proxy may accept the body immediately and forward it over a
// slow line: the reply then is late, and a fixed timeout would fail on every attempt.

/** Maximum factor on the usual timeout. */
const FACTOR_MAX = 8;

interface AdaptiveTimeout {
  /** The current timeout where `usualMs` is the usual one. */
  of(usualMs: number): number;
  /** Call after a timeout: the next one is longer. */
  increase(): void;
  /** Call after a reply within the usual time. */
  reset(): void;
}

export const createAdaptiveTimeout = (): AdaptiveTimeout => {
  let factor = 1;
  return {
    of: (usualMs) => usualMs * factor,
    increase() {
      factor = Math.min(2 * factor, FACTOR_MAX);
    },
    reset() {
      factor = 1;
    },
  };
};
