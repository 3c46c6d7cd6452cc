/**
 * How long the answer to a large body is waited for. A proxy may take the body at once and pass it on over a slow line:
 * the answer then is late and not lost, and giving up at the same moment each time would never end.
 */

/** Times the usual wait. */
const MOST = 8;

export interface AdaptiveTimeout {
  /** The wait that is allowed now where `usualMs` is the usual one. */
  of(usualMs: number): number;
  /** The last wait was in vain: the next one is longer. */
  stretch(): void;
  /** An answer came in its usual time. */
  relax(): void;
}

export const createAdaptiveTimeout = (): AdaptiveTimeout => {
  let factor = 1;
  return {
    of: (usualMs) => usualMs * factor,
    stretch() {
      factor = Math.min(2 * factor, MOST);
    },
    relax() {
      factor = 1;
    },
  };
};
