/** Runs before every test file. Its hooks are registered before those of the file, so they come after them. */
import { afterAll, afterEach } from 'vitest';
import './only-the-worker.ts';
import { endFile, endTest } from './ends.ts';

afterAll(endFile);
afterEach(endTest);
