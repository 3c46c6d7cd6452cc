/**
 * Limits how many file parts an account uploads at the same time: by the measured upload speed, down to one on a slow
 * link, and to fewer where the service refuses a part as one too many. On a slow link, parallel parts delay each other,
 * and an interruption loses every unfinished part.
 */
import { LIMITS } from '../../api/limits.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { Clock } from '../ports.ts';

/** Target time for a part; more concurrency than the link carries only delays every part. */
const PART_WITHIN_MS = 4_000;
/** Number of confirmed parts in the measured rate. */
const SAMPLES = 6;

/** Concurrent parts for a link with this rate in bytes per second, at most those of the API document's "Limits". */
export const concurrencyFor = (bytesPerSecond: number): number =>
  Math.min(LIMITS.partsAtOnce, Math.max(1, Math.floor((bytesPerSecond * PART_WITHIN_MS) / 1000 / LIMITS.partBytes)));

export interface AdaptiveConcurrency {
  /** Waits for a slot in order; rejects with the signal's reason. Every entry ends with `leave`. */
  enter(signal: AbortSignal): Promise<void>;
  /**
   * The service refused a part, because the account sends too many. False: it was the only one here, so another device
   * sends the others. True: until all are sent, one fewer goes at a time. Call before `leave`.
   */
  narrow(): boolean;
  /** `confirmedBytes`: 0 where the part failed. */
  leave(confirmedBytes: number): void;
}

export const createAdaptiveConcurrency = (clock: Clock): AdaptiveConcurrency => {
  const waiting: (() => void)[] = [];
  const samples: { readonly at: number; readonly bytes: number }[] = [];
  let since = 0;
  let busy = 0;
  let width = 1;
  /** An operator may set a lower limit than the API document, and other devices of the account use some of it. */
  let most: number = LIMITS.partsAtOnce;

  const measure = (bytes: number) => {
    const now = clock.monotonic();
    samples.push({ at: now, bytes });
    const total = samples.reduce((sum, sample) => sum + sample.bytes, 0);
    width = Math.min(most, concurrencyFor((total * 1000) / Math.max(1, now - since)));
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
        const proceed = () => {
          unfollow();
          busy++;
          resolve();
        };
        if (signal.aborted) return reject(signal.reason);
        if (busy === 0 && waiting.length === 0) {
          // Idle time says nothing about the link.
          samples.length = 0;
          most = LIMITS.partsAtOnce;
          since = clock.monotonic();
        }
        const unfollow = onAbort(signal, () => {
          waiting.splice(waiting.indexOf(proceed), 1);
          reject(signal.reason);
        });
        waiting.push(proceed);
        admit();
      }),
    narrow() {
      if (busy <= 1) return false;
      most = Math.min(most, busy - 1);
      width = Math.min(width, most);
      return true;
    },
    leave(confirmedBytes) {
      busy--;
      if (confirmedBytes > 0) measure(confirmedBytes);
      admit();
    },
  };
};
