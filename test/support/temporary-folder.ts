/** A folder of its own, gone when the test file is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];
// Registered before all others, so it comes after them; one that a running test registers would never come.
afterAll(() => {
  for (const path of made) {
    rmSync(path, { recursive: true, force: true });
    // Of a server that used it as its data folder.
    rmSync(`${path}.key`, { force: true });
  }
});

export const temporaryFolder = (name: string): string => {
  const path = mkdtempSync(join(tmpdir(), `linkshot-${name}-`));
  made.push(path);
  return path;
};
