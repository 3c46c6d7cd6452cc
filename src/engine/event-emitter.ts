/**
 * Emits the events of the engine. State snapshots come at most ten times per second unless they are urgent; all other
 * events, and change notices inside the engine, are immediate.
 */
import type { EngineEvent, EngineState } from './engine-interface.ts';
import type { Clock } from './ports.ts';

const SNAPSHOT_MS = 100;

export interface EventEmitter {
  /** Call once the parts of the engine exist; until then no snapshot is emitted. */
  start(state: () => EngineState): void;
  on(listener: (event: EngineEvent) => void): () => void;
  /** Call when persisted state has changed. */
  changed(): void;
  /** Like `changed`, but immediate, for what the user waits to see: the frozen screen. */
  changedNow(): void;
  /** Call when shown but not persisted state has changed. */
  moved(): void;
  emit(event: EngineEvent): void;
  /** Called synchronously on every change of persisted state, not throttled; for waits inside the engine. */
  onChange(listener: () => void): () => void;
  close(): void;
}

export const createEventEmitter = (clock: Clock): EventEmitter => {
  const listeners = new Set<(event: EngineEvent) => void>();
  const watchers = new Set<() => void>();
  const closing = new AbortController();
  let sentAt = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let state: (() => EngineState) | null = null;

  const emit = (event: EngineEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const send = () => {
    isDue = false;
    if (closing.signal.aborted) return;
    sentAt = clock.monotonic();
    if (state && listeners.size > 0) emit({ type: 'state', state: state() });
  };
  const add = <T>(set: Set<T>, listener: T) => {
    set.add(listener);
    return () => void set.delete(listener);
  };

  const moved = () => {
    if (isDue) return;
    isDue = true;
    const wait = Math.max(0, sentAt + SNAPSHOT_MS - clock.monotonic());
    clock.sleep(wait, closing.signal).then(send, () => {});
  };

  const changed = () => {
    for (const watcher of [...watchers]) watcher();
    moved();
  };
  let isNow = false;

  return {
    start(read) {
      state = read;
    },
    on: (listener) => add(listeners, listener),
    onChange: (listener) => add(watchers, listener),
    emit,
    moved,
    changed,
    changedNow() {
      changed();
      if (isNow) return;
      isNow = true;
      // Collects all changes of the current step.
      queueMicrotask(() => {
        isNow = false;
        send();
      });
    },
    close() {
      closing.abort();
      listeners.clear();
      watchers.clear();
    },
  };
};
