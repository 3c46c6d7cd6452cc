/** A folder of its own for a test file, gone when the file's tests are over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const temporaryFolder = (name: string): string => {
  const path = mkdtempSync(join(tmpdir(), `linkshot-${name}-`));
  afterAll(() => {
    rmSync(path, { recursive: true, force: true });
    // Of a server that used it as its data folder.
    rmSync(`${path}.key`, { force: true });
  });
  return path;
};
