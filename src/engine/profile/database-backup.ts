/**
 * Keeps the two latest backups of the profile's database, made hourly in the background; each is verified before it
 * replaces an older one. When data was erased, all backups, which still contain it, are replaced by one of the current
 * database.
 */
import { closeSync, existsSync, statSync, utimesSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openSync, renameSync, rmSync } from '../../base/node/retrying-fs.ts';
import type { Clock } from '../ports.ts';

/** Newest first. */
const GENERATIONS = ['.backup-1', '.backup-2'] as const;
const UNFINISHED = '.backup-new';
const EVERY_MS = 60 * 60_000;

export interface Backup {
  readonly path: string;
  /** Milliseconds since 1970-01-01 UTC, by the clock at the time of the backup. */
  readonly madeAt: number;
}

/** The backups of the database at `path`, newest first. */
export const backupsOf = (path: string): readonly Backup[] =>
  GENERATIONS.map((ending) => path + ending)
    .filter((copy) => existsSync(copy))
    .map((copy) => ({ path: copy, madeAt: statSync(copy).mtimeMs }));

/**
 * Makes a backup now if the newest is older than an hour, and then hourly while the app runs and the data changes. The
 * returned function stops it; an unfinished backup is dropped. Calls `onBackup` after each.
 */
export const keepBackups = (
  database: Database.Database,
  path: string,
  clock: Clock,
  onBackup: () => void,
): (() => void) => {
  const closing = new AbortController();
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const isEmpty = database
    .prepare<[], number>('SELECT NOT EXISTS (SELECT 1 FROM queue) AND NOT EXISTS (SELECT 1 FROM library)')
    .pluck();
  let copied: number | undefined;

  const isDue = (): boolean => {
    const [newest] = backupsOf(path);
    const age = newest ? clock.now() - newest.madeAt : Number.POSITIVE_INFINITY;
    // A backup dated in the future was made with another clock, so its age is unknown.
    return (age >= EVERY_MS || age < 0) && changes.get() !== copied && isEmpty.get() === 0;
  };

  const run = async () => {
    for (;;) {
      if (isDue()) {
        const until = changes.get();
        if (await copy(database, path, clock, closing.signal)) {
          copied = until;
          onBackup();
        }
      }
      await clock.sleep(EVERY_MS, closing.signal);
    }
  };
  // Ends with the profile.
  run().catch(() => {});
  return () => closing.abort();
};

/** Replaces all backups with one of the current database. */
export const replaceBackups = async (database: Database.Database, path: string, clock: Clock): Promise<void> => {
  for (const { path: copied } of backupsOf(path)) rmSync(copied, { force: true });
  await copy(database, path, clock, new AbortController().signal);
};

/** Returns whether a backup was made. */
const copy = async (database: Database.Database, path: string, clock: Clock, signal: AbortSignal): Promise<boolean> => {
  const draft = path + UNFINISHED;
  try {
    drop(draft);
    closeSync(openSync(draft, 'wx', 0o600));
    await database.backup(draft);
    if (signal.aborted || !isSound(draft)) return false;
    const madeAt = clock.now() / 1000;
    utimesSync(draft, madeAt, madeAt);
    const [newest, older] = GENERATIONS;
    if (existsSync(path + newest)) renameSync(path + newest, path + older);
    renameSync(draft, path + newest);
    return true;
  } catch {
    // A full disk, or the profile was closed meanwhile: the existing backups are kept, and the next hour retries.
    return false;
  } finally {
    drop(draft);
  }
};

const drop = (draft: string): void => {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(draft + ending, { force: true });
};

/** Checked so that a damaged copy never replaces a good one. Leaves a single file without a journal. */
const isSound = (path: string): boolean => {
  const database = new Database(path);
  try {
    database.pragma('journal_mode = DELETE');
    return database.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } finally {
    database.close();
  }
};
