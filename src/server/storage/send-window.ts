/**
 * Limits how many request bodies are sent to a store at once, so that each arrives in time: fewer after a time-out, one
 * more after each success. Waiting ones have not begun, so their time has not either; those that wait for a store that
 * takes nothing end with the others.
 */
import { orOnAbort } from '../../base/common/on-abort.ts';

export const createSendWindow = (most: number) => {
  type Turn = PromiseWithResolvers<void>;
  let width = most;
  /** Counts the time-outs that have made it narrower: what was sent before one says nothing about the new width. */
  let narrowed = 0;
  /** A time-out since which none has succeeded, and who was on the way then and still is: one dead connection proves nothing. */
  let silence: { readonly timeOut: unknown; readonly left: Set<Turn> } | null = null;
  const active = new Set<Turn>();
  const waiting: Turn[] = [];

  const admit = (): void => {
    while (active.size < width) {
      const next = waiting.shift();
      if (next === undefined) return;
      active.add(next);
      next.resolve();
    }
  };

  return {
    /**
     * Runs `send` when there is room. Rejects as it does, with the signal's reason when that aborts first, and with the
     * time-out of another one while the store takes none.
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
      const generation = narrowed;
      try {
        const result = await send();
        width = Math.min(most, width + 1);
        silence = null;
        return result;
      } catch (error) {
        if (isTimeOut(error)) {
          if (generation === narrowed) {
            width = Math.max(1, Math.floor(width / 2));
            narrowed += 1;
          }
          silence ??= { timeOut: error, left: new Set(active) };
        }
        throw error;
      } finally {
        active.delete(turn);
        silence?.left.delete(turn);
        if (silence?.left.size === 0) {
          for (const { reject } of waiting.splice(0)) reject(silence.timeOut);
          silence = null;
        }
        admit();
      }
    },
  };
};
