/**
 * Tells listeners what happened: full snapshots, at most ten a second and always the last one; at once what a person waits
 * for, and links and ends.
 */
import type { EngineEvent, EngineState } from './api.ts';
import type { Clock } from './ports.ts';

const SNAPSHOT_MS = 100;

export interface Events {
  on(listener: (event: EngineEvent) => void): () => void;
  /** Stored facts have changed. */
  changed(): void;
  /** As `changed`, of what a person waits to see: the frozen screen. */
  changedNow(): void;
  /** Something has moved that is shown and not stored. */
  moved(): void;
  emit(event: EngineEvent): void;
  /** Called on every change of stored facts, uncollected; for whoever waits inside the engine. */
  onChange(listener: () => void): () => void;
  close(): void;
}

export const createEvents = (clock: Clock, state: () => EngineState): Events => {
  const listeners = new Set<(event: EngineEvent) => void>();
  const watchers = new Set<() => void>();
  const closing = new AbortController();
  let sentAt = Number.NEGATIVE_INFINITY;
  let isDue = false;

  const emit = (event: EngineEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const send = () => {
    isDue = false;
    if (closing.signal.aborted) return;
    sentAt = clock.monotonic();
    if (listeners.size > 0) emit({ type: 'state', state: state() });
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
    on: (listener) => add(listeners, listener),
    onChange: (listener) => add(watchers, listener),
    emit,
    moved,
    changed,
    changedNow() {
      changed();
      if (isNow) return;
      isNow = true;
      // Whatever else changes in this very step belongs to it.
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
