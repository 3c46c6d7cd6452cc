/** Keeps in memory how far the work on items is: current activity, bytes done, transfer rate and remaining time. */

import type { ItemId } from '../../api/ids.ts';
import type { ItemProgress } from '../../ipc/protocol/queue-item.ts';
import type { Clock } from '../ports.ts';

export interface ItemProgressList {
  /** Starts an activity of `size` bytes, of which `done` are already done. */
  begin(id: ItemId, activity: ItemProgress['activity'], size: number, done: number): void;
  /** Negative where bytes must be sent again. */
  move(id: ItemId, bytes: number): void;
  end(id: ItemId): void;
  all(): Record<string, ItemProgress>;
}

interface Entry {
  readonly activity: ItemProgress['activity'];
  readonly size: number;
  done: number;
  rate: number | null;
  /** Start of the current measurement. */
  markAt: number;
  markDone: number;
}

/** Length of a measurement, and the weight of the newest one in the displayed rate. */
const MEASURE_MS = 500;
const NEWEST = 0.3;

export const createItemProgress = (clock: Clock, onChange: () => void): ItemProgressList => {
  const entries = new Map<ItemId, Entry>();

  const measure = (entry: Entry) => {
    const now = clock.monotonic();
    const elapsed = now - entry.markAt;
    if (elapsed < MEASURE_MS) return;
    const newest = (Math.max(0, entry.done - entry.markDone) * 1000) / elapsed;
    entry.rate = entry.rate === null ? newest : entry.rate + (newest - entry.rate) * NEWEST;
    entry.markAt = now;
    entry.markDone = entry.done;
  };

  return {
    begin(id, activity, size, done) {
      entries.set(id, { activity, size, done, rate: null, markAt: clock.monotonic(), markDone: done });
      onChange();
    },
    move(id, bytes) {
      const entry = entries.get(id);
      if (!entry) return;
      entry.done += bytes;
      measure(entry);
      onChange();
    },
    end(id) {
      if (entries.delete(id)) onChange();
    },
    all() {
      const shown: Record<string, ItemProgress> = {};
      for (const [id, entry] of entries) {
        measure(entry);
        const rate = entry.rate;
        shown[id] = {
          activity: entry.activity,
          doneBytes: Math.min(entry.size, Math.max(0, Math.round(entry.done))),
          bytesPerSecond: rate,
          secondsLeft: rate === null || rate < 1 ? null : Math.max(0, entry.size - entry.done) / rate,
        };
      }
      return shown;
    },
  };
};
