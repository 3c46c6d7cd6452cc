/** A temporary folder, removed after the test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAfterEveryFile } from './ends.ts';
import { isWindows } from './only-on.ts';

const made: string[] = [];
removeAfterEveryFile(() => {
  for (const path of made.splice(0)) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      // Windows removes no open file, such as a database that a test has left open: it is removed with the folder of
      // the run.
      if (!isWindows) throw error;
    }
    // The key of a server that used it as its data folder.
    rmSync(`${path}.key`, { force: true });
  }
});

export const temporaryFolder = (name: string): string => {
  const path = mkdtempSync(join(tmpdir(), `linkshot-${name}-`));
  made.push(path);
  return path;
};
