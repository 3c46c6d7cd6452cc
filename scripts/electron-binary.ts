/**
 * Finds Electron's binary, or downloads it, because the npm package does not contain it. Returns the reason if there is
 * none; a failed download is not repeated within a day.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FETCH_MS = 20_000;
/** After a failed download, later starts skip it for this long. */
const FORGET_FAILURE_MS = 24 * 60 * 60_000;

const EXECUTABLE =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string] ?? 'electron';

/** Where `electron` itself looks: its own folder, or one that the user configures. */
const binaryIn = (folder: string): string | null => {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  try {
    const name = override ? EXECUTABLE : readFileSync(join(folder, 'path.txt'), 'utf8');
    const binary = join(override ?? join(folder, 'dist'), name);
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
};

const failedLately = (marker: string): boolean => {
  try {
    return Date.now() - statSync(marker).mtimeMs < FORGET_FAILURE_MS;
  } catch {
    return false;
  }
};

/** Path of the binary, or the reason (the end of a sentence) why it is missing. */
export const findElectron = (root: string): { readonly binary: string } | { readonly missing: string } => {
  const folder = join(root, 'node_modules/electron');
  const present = binaryIn(folder);
  if (present) return { binary: present };
  if (process.env['ELECTRON_SKIP_BINARY_DOWNLOAD']) return { missing: 'Electron is not installed' };
  const marker = join(root, 'out/.electron-not-fetched');
  if (!failedLately(marker)) {
    console.log('Fetching Electron …');
    spawnSync(process.execPath, [join(folder, 'install.js')], {
      stdio: 'ignore',
      timeout: FETCH_MS,
      killSignal: 'SIGKILL',
    });
    const fetched = binaryIn(folder);
    if (fetched) return { binary: fetched };
    mkdirSync(dirname(marker), { recursive: true });
    writeFileSync(marker, '');
  }
  return { missing: 'Electron could not be fetched' };
};
