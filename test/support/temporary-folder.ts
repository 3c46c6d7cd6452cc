/** A folder of its own, gone when the test file is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { isWindows } from './only-on.ts';

const made: string[] = [];
// Registered before all others, so it comes after them; one that a running test registers would never come.
afterAll(() => {
  for (const path of made) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      // Windows removes no file that is open, such as a database that a test has left so: it goes with the folder of the run.
      if (!isWindows) throw error;
    }
    // Of a server that used it as its data folder.
    rmSync(`${path}.key`, { force: true });
  }
});

export const temporaryFolder = (name: string): string => {
  const path = mkdtempSync(join(tmpdir(), `linkshot-${name}-`));
  made.push(path);
  return path;
};
