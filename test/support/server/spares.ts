import type { InspectorProcess } from '../../../src/server/media/inspector-process.ts';

/** Inspectors that wait for the next server of this process; they end with it. */
export const spares: InspectorProcess[] = [];

export const livingSpares = (): number => spares.filter((process) => process.isAlive()).length;
