/**
 * Finds Electron's binary, or downloads it, because the npm package does not contain it. Returns the reason if there is
 * none; a failed download is not repeated within a day.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { onShutdownSignal } from '../src/base/node/shutdown-signals.ts';

/** A download, or the unpacking after it, that does not grow for so long ends. */
const STALLED_MS = 20_000;
const LOOKS_UNTIL_STALLED = 20;
const TELL_MS = 10_000;
/** After a failed download, later starts skip it for this long. */
const FORGET_FAILURE_MS = 24 * 60 * 60_000;
const DOWNLOAD = '.electron-download-';
const ENDED = Symbol('ended');
const COMMAND = 'node node_modules/electron/install.js';

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

const isRecent = (path: string): boolean => {
  try {
    return Date.now() - statSync(path).mtimeMs < FORGET_FAILURE_MS;
  } catch {
    return false;
  }
};

const bytesOf = (path: string): number => {
  try {
    const facts = statSync(path);
    return facts.isDirectory()
      ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
      : facts.size;
  } catch {
    // It is moved while it is counted.
    return 0;
  }
};

/** Says, with what is there at a time in milliseconds, whether nothing has changed for `stalledMs`. */
export const createStallDetector = (stalledMs: number, start: number): ((bytes: number, now: number) => boolean) => {
  let last = 0;
  let since = start;
  return (bytes, now) => {
    if (bytes !== last) since = now;
    last = bytes;
    return now - since >= stalledMs;
  };
};

/** Removes the downloads of starts that were killed. */
const removeAbandoned = (out: string): void => {
  try {
    for (const name of readdirSync(out).filter((other) => other.startsWith(DOWNLOAD)))
      if (!isRecent(join(out, name))) rmSync(join(out, name), { recursive: true });
  } catch {
    // There is no such folder, or it is another user's.
  }
};

/** Runs the installer of the package; returns why it failed, or null. ENDED: this process was asked to end. */
const install = async (folder: string, temporary: string, stalledMs: number): Promise<string | typeof ENDED | null> => {
  const places = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  const child = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...places },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  let isAskedToEnd = false;
  const stopListening = onShutdownSignal(() => {
    isAskedToEnd = true;
    child.kill('SIGKILL');
  });
  const isStalled = createStallDetector(stalledMs, performance.now());
  let hasStalled = false;
  let told = performance.now();
  const look = setInterval(() => {
    const fetched = bytesOf(temporary);
    const now = performance.now();
    if (isStalled(fetched + bytesOf(join(folder, 'dist')), now)) {
      hasStalled = true;
      child.kill('SIGKILL');
    } else if (fetched > 0 && now - told >= TELL_MS) {
      told = now;
      console.log(`  ${Math.round(fetched / 1_000_000)} MB. Without Electron: LINKSHOT_HOST=browser npm start`);
    }
  }, stalledMs / LOOKS_UNTIL_STALLED);
  const [code] = await once(child, 'close').finally(() => {
    clearInterval(look);
    stopListening();
  });
  if (isAskedToEnd) return ENDED;
  if (hasStalled) return `nothing came for ${stalledMs / 1_000} s`;
  return code === 0 ? null : (errors.trim().split('\n', 1)[0] ?? '');
};

/**
 * Path of the binary, or the reason (the end of a sentence) why it is missing. Null where this process was asked to end
 * during the download.
 */
export const findElectron = async (
  root: string,
  stalledMs = STALLED_MS,
): Promise<{ readonly binary: string } | { readonly missing: string } | null> => {
  const folder = join(root, 'node_modules/electron');
  const out = join(root, 'out');
  removeAbandoned(out);
  const present = binaryIn(folder);
  if (present) return { binary: present };
  if (process.env['ELECTRON_SKIP_BINARY_DOWNLOAD']) return { missing: 'Electron is not installed' };
  const marker = join(out, '.electron-not-fetched');
  const notFetched = (why: string) => ({ missing: `Electron could not be fetched (${why}; to try again: ${COMMAND})` });
  try {
    if (isRecent(marker)) return notFetched(readFileSync(marker, 'utf8') || 'at an earlier start');
    mkdirSync(out, { recursive: true });
    const temporary = mkdtempSync(join(out, DOWNLOAD));
    try {
      console.log('Fetching Electron …');
      const why = await install(folder, temporary, stalledMs);
      if (why === ENDED) return null;
      const fetched = binaryIn(folder);
      if (fetched) return { binary: fetched };
      writeFileSync(marker, why ?? 'its binary is missing');
      return notFetched(why ?? 'its binary is missing');
    } finally {
      rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    }
  } catch (error) {
    // A checkout of another user, or a full disk.
    return notFetched((error as Error).message);
  }
};
