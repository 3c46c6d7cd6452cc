/** One folder for all temporary files of a run: created before its first test file, removed after its last one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable that passes the folder to child processes. */
export const RUN_FOLDER = 'LINKSHOT_RUN_FOLDER';

/** The variables for processes that run inside `folder`: `os.tmpdir()` returns the folder there. */
export const insideRunFolder = (folder: string): Record<string, string> => ({
  [RUN_FOLDER]: folder,
  ...(process.platform === 'win32' ? { TEMP: folder, TMP: folder } : { TMPDIR: folder }),
  // Hundreds of processes start from the same sources: they share compiled code.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
});

/** Creates the folder, or returns that of an outer run; `remove` keeps an outer one. */
export const makeRunFolder = (): { readonly folder: string; readonly remove: () => void } => {
  const outer = process.env[RUN_FOLDER];
  if (outer !== undefined) return { folder: outer, remove: () => {} };
  // A short name: the paths of Unix sockets inside it have at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }) };
};

/** Vitest calls it before it starts the processes of the test files, which inherit the variables. */
export default (): (() => void) => {
  const { folder, remove } = makeRunFolder();
  Object.assign(process.env, insideRunFolder(folder));
  return remove;
};
