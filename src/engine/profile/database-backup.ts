/**
 * Copies of the profile's database for the day it is damaged: the two latest, each found sound before it takes the place
 * of an older one. A copy is made beside the running work; where there is no space for it the older ones stay.
 */
import { closeSync, existsSync, openSync, statSync, utimesSync } from 'node:fs';
import Database from 'better-sqlite3';
import { renameSync, rmSync } from '../../base/node/retrying-fs.ts';
import type { Clock } from '../ports.ts';

/** Newest first. */
const GENERATIONS = ['.backup-1', '.backup-2'] as const;
const UNFINISHED = '.backup-new';
const EVERY_MS = 60 * 60_000;

export interface Backup {
  readonly path: string;
  /** Milliseconds since 1970-01-01 UTC, by the clock of the time. */
  readonly madeAt: number;
}

/** The copies of the database at `path`, newest first. */
export const backupsOf = (path: string): readonly Backup[] =>
  GENERATIONS.map((ending) => path + ending)
    .filter((copy) => existsSync(copy))
    .map((copy) => ({ path: copy, madeAt: statSync(copy).mtimeMs }));

/**
 * Makes a copy now if the newest one is older than an hour, and goes on to do so while the app runs and something
 * changes. The answer ends it; a copy that is not whole by then is dropped.
 */
export const keepBackups = (database: Database.Database, path: string, clock: Clock): (() => void) => {
  const closing = new AbortController();
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const isEmpty = database
    .prepare<[], number>('SELECT NOT EXISTS (SELECT 1 FROM queue) AND NOT EXISTS (SELECT 1 FROM library)')
    .pluck();
  let copied: number | undefined;

  const isDue = (): boolean => {
    const [newest] = backupsOf(path);
    const age = newest ? clock.now() - newest.madeAt : Number.POSITIVE_INFINITY;
    // One from the future was made by another clock, and says nothing.
    return (age >= EVERY_MS || age < 0) && changes.get() !== copied && isEmpty.get() === 0;
  };

  const run = async () => {
    for (;;) {
      if (isDue()) {
        const until = changes.get();
        if (await copy(database, path, clock, closing.signal)) copied = until;
      }
      await clock.sleep(EVERY_MS, closing.signal);
    }
  };
  // It ends with the profile.
  run().catch(() => {});
  return () => closing.abort();
};

/** Puts a copy of the database as it is now in the place of all earlier ones. */
export const replaceBackups = async (database: Database.Database, path: string, clock: Clock): Promise<void> => {
  for (const { path: copied } of backupsOf(path)) rmSync(copied, { force: true });
  await copy(database, path, clock, new AbortController().signal);
};

/** Whether there is a new copy. */
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
    // A full disk, or the profile was closed meanwhile: what there was before is kept, and the next hour tries again.
    return false;
  } finally {
    drop(draft);
  }
};

const drop = (draft: string): void => {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(draft + ending, { force: true });
};

/** A copy of damage must not push out a good one. Leaves a single file without a journal. */
const isSound = (path: string): boolean => {
  const database = new Database(path);
  try {
    database.pragma('journal_mode = DELETE');
    return database.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } finally {
    database.close();
  }
};
