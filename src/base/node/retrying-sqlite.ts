/** Opens databases of SQLite that on Windows another program, such as a virus scanner, holds for a moment. */
import { blockFor } from './retrying-fs.ts';

/**
 * SQLite itself tries for 1.4 seconds. Then it opens only for reading what it may not write, so that the first write
 * fails, or it does not open the database or a file beside it.
 */
const HELD: ReadonlySet<unknown> = new Set([
  ...['SQLITE_READONLY', 'SQLITE_CANTOPEN'],
  ...['SQLITE_IOERR_ACCESS', 'SQLITE_IOERR_DELETE', 'SQLITE_IOERR_SHMOPEN', 'SQLITE_IOERR_SHMMAP'],
]);

const PATIENCE_MS = 8_000;
const AGAIN_MS = 100;

const real = { platform: process.platform, now: () => performance.now(), wait: blockFor };

/**
 * Runs `open`, which opens a database, writes to it, and closes it again where that fails. On Windows it runs again,
 * for up to about eight seconds, while a file of the database may be held; the waits block. Throws the last error.
 */
export const openWhileLocked = <T>(open: () => T, { platform, now, wait }: typeof real = real): T => {
  const end = now() + PATIENCE_MS;
  for (;;) {
    try {
      return open();
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (platform !== 'win32' || !HELD.has(code) || now() >= end) throw error;
      wait(AGAIN_MS);
    }
  }
};
