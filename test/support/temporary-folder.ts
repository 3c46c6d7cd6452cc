/** A folder of its own, gone when the test file is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEveryFile } from './ends.ts';
import { isWindows } from './only-on.ts';

const made: string[] = [];
afterEveryFile(() => {
  for (const path of made.splice(0)) {
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
