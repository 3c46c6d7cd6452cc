/**
 * Replaces `src/base/node/worker-file.ts` where the programs in `out` are built from this checkout: a test's server starts its
 * workers as they ship, which takes a third of the processor time.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const BUILT = fileURLToPath(new URL('../../../out/server/', import.meta.url));

export const workerFile = (_here: string, name: string): URL => {
  const path = `${BUILT}${name}.js`;
  if (!existsSync(path)) throw new Error(`${path} is missing. Run npm run build.`);
  return pathToFileURL(path);
};
