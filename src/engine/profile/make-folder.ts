/** Makes a private folder and those above it, or throws at once where the system lets nobody make one. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Node's own recursive mkdir never returns below /proc. `path` is absolute; throws what the system says. */
export const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
};
