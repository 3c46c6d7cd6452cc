/** Virtual time: events run one after the other at their moments. Equal seeds give equal runs. */
import { setImmediate as drained } from 'node:timers/promises';
import type { Clock } from '../../src/engine/ports.ts';

/** Whose events end with them: one start of the app, or of the service. */
export interface Life {
  readonly name: string;
  isOver: boolean;
}

export interface Timeline {
  /** Milliseconds since the run began. */
  now(): number;
  /** Lets `what` happen later, unless its owner is dead by then. Answers its own undo. */
  after(ms: number, owner: Life | null, what: () => void): () => void;
  /** Resolves after `ms`; never, when its owner dies meanwhile. */
  pass(ms: number, owner: Life): Promise<void>;
  clock(owner: Life, skew: () => number): Clock;
  /** Runs events until `isDone`, or until `limitMs` have passed; `calm` is called after each, when all code waits. */
  run(limitMs: number, isDone: () => boolean, calm: () => void): Promise<'done' | 'late' | 'nothing-left'>;
  /** Events so far: what a run costs. */
  events(): number;
}

interface Event {
  readonly at: number;
  readonly owner: Life | null;
  readonly what: () => void;
  isUndone: boolean;
}

/** 20 November 2026, noon UTC: any moment will do, but always the same. */
export const EPOCH = Date.UTC(2026, 10, 20, 12);
/** A run that does this much at one moment would never let time go on; one that does so much in all has run wild. */
const SPIN = 5_000;
const WILD = 200_000;

export const createTimeline = (): Timeline => {
  const events: Event[] = [];
  let now = 0;
  let count = 0;

  const insert = (event: Event) => {
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle] as Event).at <= event.at) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, event);
  };

  const after = (ms: number, owner: Life | null, what: () => void) => {
    const event: Event = { at: now + Math.max(0, ms), owner, what, isUndone: false };
    insert(event);
    return () => {
      event.isUndone = true;
    };
  };

  return {
    now: () => now,
    after,
    pass: (ms, owner) => new Promise((resolve) => after(ms, owner, resolve)),
    clock: (owner, skew) => ({
      now: () => Math.round(EPOCH + now + skew()),
      monotonic: () => now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason);
          const onCancel = () => {
            undo();
            reject(signal.reason);
          };
          const undo = after(ms, owner, () => {
            signal.removeEventListener('abort', onCancel);
            resolve();
          });
          signal.addEventListener('abort', onCancel, { once: true });
        }),
    }),
    async run(limitMs, isDone, calm) {
      const end = now + limitMs;
      let spun = 0;
      for (;;) {
        await drained();
        calm();
        if (isDone()) return 'done';
        const event = events.shift();
        if (!event) return 'nothing-left';
        if (event.isUndone || event.owner?.isOver) continue;
        if (event.at > end) {
          events.unshift(event);
          now = end;
          return 'late';
        }
        spun = event.at > now ? 0 : spun + 1;
        if (spun > SPIN) throw new Error(`${SPIN} things happened at one moment: time does not go on.`);
        if (count > WILD) throw new Error(`${WILD} things happened, and there is still no rest.`);
        now = event.at;
        count++;
        event.what();
      }
    },
    events: () => count,
  };
};
