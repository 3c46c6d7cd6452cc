/**
 * Limits how many request bodies are sent to a store at once, so that each arrives in time: fewer after a time-out, one
 * more after each success. Waiting ones have not begun, so their time has not either.
 */
import { orOnAbort } from '../../base/common/on-abort.ts';

export const createSendWindow = (most: number) => {
  let [width, active] = [most, 0];
  /** Counts the time-outs that have made it narrower: what was sent before one says nothing about the new width. */
  let narrowed = 0;
  const waiting: (() => void)[] = [];

  const admit = (): void => {
    while (active < width) {
      const next = waiting.shift();
      if (next === undefined) return;
      active += 1;
      next();
    }
  };

  return {
    /** Runs `send` when there is room. Rejects as it does, and with the signal's reason when that aborts first. */
    run: async <T>(
      send: () => Promise<T>,
      isTimeOut: (error: unknown) => boolean,
      signal?: AbortSignal,
    ): Promise<T> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      admit();
      if (signal !== undefined) await orOnAbort(promise, signal, () => {});
      else await promise;
      const place = waiting.indexOf(resolve);
      if (place >= 0) {
        waiting.splice(place, 1);
        signal?.throwIfAborted();
      }
      const generation = narrowed;
      try {
        const result = await send();
        width = Math.min(most, width + 1);
        return result;
      } catch (error) {
        if (isTimeOut(error) && generation === narrowed) {
          width = Math.max(1, Math.floor(width / 2));
          narrowed += 1;
        }
        throw error;
      } finally {
        active -= 1;
        admit();
      }
    },
  };
};
