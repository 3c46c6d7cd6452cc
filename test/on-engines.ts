/**
 * The test files that run on several engines: `npm test` runs a few of them on PostgreSQL and an S3 store too, `npm run
 * test:engines` all of them on every combination.
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Those of `npm test`: parts, completion, and reading the bytes. */
export const ALSO_ON_ENGINES: readonly string[] = [
  'test/server/uploads/complete.test.ts',
  'test/server/uploads/parts.test.ts',
  'test/server/media/media-route.test.ts',
];

/** A file that starts a server, by itself or with what it shares with others. */
const STARTS_SERVER = /\b(?:startServer|startServerProcess|faultScenes|serverCommand|openRecordsOf)\b/;

/** Names its engines itself. */
const WITH_ENGINES_OF_THEIR_OWN = [
  'test/server/nodes/',
  'test/server/database/',
  'test/server/storage/',
  'test/server/operation/move.test.ts',
  'test/server/operation/objects-check.test.ts',
  'test/server/operation/s3.test.ts',
  'test/faults/nodes-kill.test.ts',
];

/** All of `test/server`, `test/faults` and `test/conformance` that start a server. */
export const filesOnEngines = (): readonly string[] => {
  const root = resolve(import.meta.dirname, '..');
  return globSync('test/{server,faults,conformance}/**/*.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !WITH_ENGINES_OF_THEIR_OWN.some((start) => path.startsWith(start)))
    .filter((path) => STARTS_SERVER.test(readFileSync(resolve(root, path), 'utf8')))
    .toSorted();
};

/** Also runs on three nodes behind HAProxy: what the app does when things go wrong. */
export const isOnNodes = (file: string): boolean =>
  file === 'test/faults/kill-service.test.ts' ||
  (file.startsWith('test/faults/') &&
    /\bfaultScenes\b/.test(readFileSync(resolve(import.meta.dirname, '..', file), 'utf8')));

/** The fault cases that no test runs on three nodes, each with the reason. */
export const NOT_ON_NODES: ReadonlyMap<number, string> = new Map([
  [
    45,
    'no app takes part: raw requests meet one server, whose file is compared byte by byte. In an S3 store a chunk is replaced as a whole, by one of the same content (test/server/nodes/nodes.test.ts)',
  ],
  [
    46,
    'each process counts and closes the connections of its own clients, of which other nodes know nothing; behind HAProxy those are of HAProxy',
  ],
]);
