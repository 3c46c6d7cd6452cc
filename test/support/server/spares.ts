import type { InspectorProcess } from '../../../src/server/media/start-inspector-process.ts';

/** Inspectors that wait for the next server of this process; they end with it. */
export const spares: InspectorProcess[] = [];

export const livingSpares = (): number => spares.filter((process) => process.isAlive()).length;

const starting = new Set<Promise<unknown>>();

/** Returns `start`, which `startsDone` waits for. */
export const countAsStarting = <T>(start: Promise<T>): Promise<T> => {
  const done = start.catch(() => {}).finally(() => starting.delete(done));
  starting.add(done);
  return start;
};

/**
 * Until no inspector is starting. A server that closes in the meantime ends its inspector, or leaves it to the next server,
 * only once it has started: within a second on Linux, and up to a minute under Wine.
 */
export const startsDone = async (): Promise<void> => {
  while (starting.size > 0) await Promise.all(starting);
};
