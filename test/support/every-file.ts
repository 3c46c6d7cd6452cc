/** Runs before every test file. Its hooks are registered before those of the file, so they come after them. */
import { afterAll, afterEach, expect } from 'vitest';
import './only-the-worker.ts';
import { endFile, endTest } from './ends.ts';

afterAll(endFile);
afterEach(endTest);

// Byte by byte, ten megabytes take two seconds.
expect.addEqualityTesters([
  (one: unknown, other: unknown) => (Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined),
]);
