/**
 * Counts the runs that change a profile, in its database and in a file beside it, so that a start notices when the
 * database is not the last one: an older one was put in its place, or it was rebuilt and the queue is not recovered yet.
 * A run is counted with its first durable change, because it may be killed, with the first one after each backup, and at
 * its end, so that copies made while it ran are outdated too.
 */
import type Database from 'better-sqlite3';
import Type from 'typebox';
import { readFileSync } from '../../base/node/retrying-fs.ts';
import { isDiskFull } from '../../common/disk-full.ts';
import { writeAtomicallySync } from '../write-atomically.ts';
import { createPersistedValue } from './persisted-value.ts';

export interface DatabaseRuns {
  isOutdated(): boolean;
  /** The queue is complete: this database is the last one from now on. Throws what SQLite throws. */
  recovered(): void;
  /**
   * Returns what `change`, a synced transaction, returns. When it returns, the database is newer than all copies made
   * before the run and all backups. Throws only what `change` throws.
   */
  counted<T>(change: () => T): T;
  /** A backup was made: the next durable change outdates it. */
  backedUp(): void;
  /** Counts this run if it has changed something; call `written` when the database is closed. Null: not counted. */
  end(): Count | null;
}

interface Count {
  /** Call when the database has the count on disk: one that it does not have would report an older database. */
  written(): void;
}

/** `path` of the database. */
export const createDatabaseRuns = (database: Database.Database, path: string): DatabaseRuns => {
  const persisted = createPersistedValue({ database }, 'runs', Type.Integer({ minimum: 0 }));
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const countWithin = () => persisted.read() ?? 0;
  const isOutdated = () => countWithin() < countBeside(path);
  // A process has ended between the two: a count of the file must exceed those of all backups to outdate them.
  orNull(() => countWithin() > countBeside(path) && writeBeside(path, countWithin()));
  const changesAtOpen = changes.get();
  let isCounted = false;

  const count = (): Count | null =>
    orNull(() => {
      if (isOutdated()) return null;
      const next = countWithin() + 1;
      persisted.write(next);
      return {
        written() {
          // A run that was counted before outdates only copies made since: that is not worth a sync.
          const flush = !isCounted;
          // Where a file is held, on Windows, each attempt blocks: the next one follows a backup, or is at the end.
          isCounted = true;
          orNull(() => writeBeside(path, next, flush));
        },
      };
    });

  return {
    isOutdated,
    recovered: () => persisted.write(countBeside(path)),
    counted(change) {
      const begun = isCounted ? null : count();
      const changesBefore = changes.get();
      const value = change();
      // The count is not synced by itself, but with what follows it.
      if (changes.get() !== changesBefore) begun?.written();
      return value;
    },
    backedUp() {
      isCounted = false;
    },
    end: () => orNull(() => (changes.get() === changesAtOpen ? null : count())),
  };
};

/** What cannot be counted, as on a full or broken disk, counts later. */
const orNull = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** Call before a database is rebuilt: whatever takes its place is outdated until `recovered`, also for a later start. */
export const outdateDatabases = (path: string): void => {
  try {
    writeBeside(path, countBeside(path) + 1);
  } catch (error) {
    // A full disk keeps the damaged database. What else keeps the count from being written must not block the start.
    if (isDiskFull(error)) throw error;
  }
};

const besidePath = (path: string): string => `${path}.runs`;

/** A file that a power cut has emptied, or that cannot be read, counts as none; the next count replaces it. */
const countBeside = (path: string): number => {
  const count = Number(orNull(() => readFileSync(besidePath(path), 'utf8')));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
};

const writeBeside = (path: string, count: number, flush = true): void =>
  writeAtomicallySync(besidePath(path), String(count), { flush });
