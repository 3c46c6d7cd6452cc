/**
 * Limits how many request bodies are sent to a store at once, so that each arrives in time: fewer after a time-out, one
 * more after each success. Waiting ones have not begun, so their time has not either; those that wait for a store that
 * takes nothing end with the time-out of another one.
 */
import { orOnAbort } from '../../base/common/on-abort.ts';

export const createSendWindow = (most: number) => {
  let [width, active] = [most, 0];
  /** Counts the time-outs that have made it narrower: what was sent before one says nothing about the new width. */
  let narrowed = 0;
  let successes = 0;
  const waiting: PromiseWithResolvers<void>[] = [];

  const admit = (): void => {
    while (active < width) {
      const next = waiting.shift();
      if (next === undefined) return;
      active += 1;
      next.resolve();
    }
  };

  return {
    /**
     * Runs `send` when there is room. Rejects as it does, with the signal's reason when that aborts first, and with the
     * time-out of another one in whose time none has succeeded.
     */
    run: async <T>(
      send: () => Promise<T>,
      isTimeOut: (error: unknown) => boolean,
      signal?: AbortSignal,
    ): Promise<T> => {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      admit();
      if (signal !== undefined) await orOnAbort(turn.promise, signal, () => {});
      else await turn.promise;
      const place = waiting.indexOf(turn);
      if (place >= 0) {
        waiting.splice(place, 1);
        signal?.throwIfAborted();
      }
      const [generation, before] = [narrowed, successes];
      try {
        const result = await send();
        width = Math.min(most, width + 1);
        successes += 1;
        return result;
      } catch (error) {
        if (isTimeOut(error) && generation === narrowed) {
          width = Math.max(1, Math.floor(width / 2));
          narrowed += 1;
        }
        if (isTimeOut(error) && before === successes) {
          for (const { reject } of waiting.splice(0)) reject(error);
        }
        throw error;
      } finally {
        active -= 1;
        admit();
      }
    },
  };
};
