/**
 * Deliberate defects of the app, injected from outside: each must be detected within a few seeds, or the simulation
 * proves nothing.
 */

import { randomUUID } from 'node:crypto';
import { ok } from '../../src/api/errors.ts';
import type { ServiceClient } from '../../src/engine/api-client/client.ts';
import type { Alterations } from './machine.ts';

type Input = Parameters<ServiceClient['call']>[1];

/** Changes what goes out. */
const sending = (operation: string, change: (input: Input) => Input) => (): Alterations => ({
  client: (client) => ({
    ...client,
    call: (asked, input, signal) => client.call(asked, asked === operation ? change(input) : input, signal),
  }),
});

const newKeyInHeader = (input: Input): Input => ({
  ...input,
  headers: { ...input.headers, 'idempotency-key': randomUUID() },
});

/** A row of the queue in this state never reaches the disk. */
const unsaved = (state: string) => (): Alterations => ({
  dropsWrite: (sql, values) => /INSERT INTO queue/.test(sql) && String(values.at(-1)).includes(`"state":"${state}"`),
});

interface Mutation {
  readonly alter: () => Alterations;
  /** One of the promises that it breaks. */
  readonly noticed: RegExp;
  /** The seed at which the search for a run that breaks it begins, where the first ones do not. */
  readonly firstSeed?: number;
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'the key of a start is new for each request': {
    alter: sending('startUpload', newKeyInHeader),
    noticed: /begun and forgotten/,
  },
  'the key of a completion is new for each request': {
    alter: sending('completeUpload', (input) => ({
      ...input,
      json: { ...(input.json as object), completeKey: randomUUID() },
    })),
    noticed: /repeated with another key/,
  },
  'the key of a completion is not stored': { alter: unsaved('completing'), noticed: /repeated with another key/ },
  'the key of a folder is new for each request': {
    alter: sending('createFolder', newKeyInHeader),
    noticed: /published twice/,
    firstSeed: 30,
  },
  'the key of a capture is new for each request': {
    alter: sending('uploadFile', newKeyInHeader),
    noticed: /published twice/,
    firstSeed: 347,
  },
  'the key of a note is not stored': { alter: unsaved('posting'), noticed: /published twice/, firstSeed: 134 },
  'what was taken in is not stored': {
    alter: unsaved('queued'),
    noticed: /was taken and is not published|a capture and is gone/,
  },
  'a capture is removed once it was read': {
    alter: () => ({
      spool: (spool) => ({
        ...spool,
        async admit(path) {
          const admitted = await spool.admit(path);
          await spool.remove(path);
          return admitted;
        },
      }),
    }),
    noticed: /removed before it was published/,
  },
  'waits are cut short': {
    alter: () => ({ sleep: (ms) => Math.min(ms, 5) }),
    noticed: /times in a minute|no rest|does not go on/,
  },
  'long waits never end': { alter: () => ({ sleep: (ms) => (ms > 1_500 ? 1e12 : ms) }), noticed: /never settles/ },
  'cancelling is ignored': {
    alter: () => ({ engine: (engine) => ({ ...engine, queue: { ...engine.queue, cancel: () => ok({}) } }) }),
    noticed: /after it had been cancelled/,
  },
  'every account uses the key of the first': {
    alter: firstKey,
    noticed: /with the key of/,
  },
};

/** Every client uses the first key, regardless of its account. */
function firstKey(): Alterations {
  let first: string | null = null;
  return {
    client: (client) => ({
      ...client,
      rekey(key) {
        first ??= key;
        client.rekey(first);
      },
    }),
  };
}
