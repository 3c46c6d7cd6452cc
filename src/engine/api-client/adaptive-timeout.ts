/**
 * Adapts the reply timeout of requests with large bodies. A proxy may accept the body immediately and forward it over a
 * slow line: the reply then is late, and a fixed timeout would fail on every attempt.
 */

/** Maximum factor on the usual timeout. */
const FACTOR_MAX = 8;

export interface AdaptiveTimeout {
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
