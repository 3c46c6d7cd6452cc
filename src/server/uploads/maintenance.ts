/** Expires pending uploads, and removes ended ones after the lifetime of their Idempotency-Key. */

import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { UploadStore } from './upload-store.ts';

const EVERY_MS = 30_000;

/** Starts the timer; the result stops it. */
export const startUploadMaintenance = (
  store: UploadStore,
  {
    clock,
    config,
    log,
  }: { readonly clock: Clock; readonly config: ServerConfig; readonly log: (line: string) => void },
): (() => void) => {
  const tend = (): void => {
    try {
      store.expireDue();
      store.purgeEnded(clock.now() - config.limits.idempotencySeconds * 1_000);
    } catch (error) {
      log(`Tending the uploads failed and will be tried again: ${String(error)}`);
    }
  };
  tend();
  const timer = setInterval(tend, EVERY_MS).unref();
  return () => clearInterval(timer);
};
