/**
 * Limits how many file parts an account uploads at the same time, by the measured upload speed: at most the service's
 * limit, down to one on a slow link. On a slow link, parallel parts delay each other, and an interruption loses every
 * unfinished part.
 */
import { LIMITS } from '../../api/limits.ts';
import type { Clock } from '../ports.ts';

/** Target time for a part; more concurrency than the link carries only delays every part. */
const PART_WITHIN_MS = 4_000;
/** Number of confirmed parts in the measured rate. */
const SAMPLES = 6;

/** Concurrent parts for a link with this rate in bytes per second. */
export const concurrencyFor = (bytesPerSecond: number): number =>
  Math.min(LIMITS.partsAtOnce, Math.max(1, Math.floor((bytesPerSecond * PART_WITHIN_MS) / 1000 / LIMITS.partBytes)));

export interface AdaptiveConcurrency {
  /** Waits for a slot in order; rejects with the signal's reason. Every entry ends with `leave`. */
  enter(signal: AbortSignal): Promise<void>;
  /** `confirmedBytes`: 0 where the part failed. */
  leave(confirmedBytes: number): void;
}

export const createAdaptiveConcurrency = (clock: Clock): AdaptiveConcurrency => {
  const waiting: (() => void)[] = [];
  const samples: { readonly at: number; readonly bytes: number }[] = [];
  let since = 0;
  let busy = 0;
  let width = 1;

  const measure = (bytes: number) => {
    const now = clock.monotonic();
    samples.push({ at: now, bytes });
    const total = samples.reduce((sum, sample) => sum + sample.bytes, 0);
    width = concurrencyFor((total * 1000) / Math.max(1, now - since));
    if (samples.length >= SAMPLES) since = samples.shift()?.at ?? since;
  };

  const admit = () => {
    while (busy < width) {
      const next = waiting.shift();
      if (!next) return;
      next();
    }
  };

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const cancelWaiting = () => {
          waiting.splice(waiting.indexOf(proceed), 1);
          reject(signal.reason);
        };
        const proceed = () => {
          signal.removeEventListener('abort', cancelWaiting);
          if (busy === 0) {
            // Idle time says nothing about the link.
            samples.length = 0;
            since = clock.monotonic();
          }
          busy++;
          resolve();
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', cancelWaiting, { once: true });
        waiting.push(proceed);
        admit();
      }),
    leave(confirmedBytes) {
      busy--;
      if (confirmedBytes > 0) measure(confirmedBytes);
      admit();
    },
  };
};
