/** Path of Electron's own executable, where it has been fetched or the person names it; null: it is not on this computer. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../node_modules/electron');

export const electronBinary = (): string | null => {
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist');
  try {
    const binary = join(dist, readFileSync(join(folder, 'path.txt'), 'utf8'));
    return existsSync(binary) ? binary : null;
  } catch {
    // Its package is here, and its binary was not fetched.
    return null;
  }
};
