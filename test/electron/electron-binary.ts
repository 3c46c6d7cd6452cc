/** Path of Electron's own executable, downloaded or in a folder that the user specifies; null: it is not on this computer. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FETCHED = resolve(import.meta.dirname, '../../node_modules/electron/dist');
const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

export const electronBinary = (): string | null => {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? FETCHED;
  const binary = join(folder, EXECUTABLES[process.platform] ?? 'electron');
  return existsSync(binary) ? binary : null;
};
