/**
 * Counts the runs that have changed a profile, in its database and in a file beside it, so that a start notices when the
 * database is not the last one: an older one was put in its place, or it was rebuilt and the queue is not recovered yet.
 */
import { closeSync, existsSync, fsyncSync, writeSync } from 'node:fs';
import type Database from 'better-sqlite3';
import Type from 'typebox';
import { openSync, readFileSync, renameSync } from '../../base/node/retrying-fs.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { createPersistedValue } from './persisted-value.ts';

export interface DatabaseRuns {
  isOutdated(): boolean;
  /** The queue is complete: this database is the last one from now on. Throws what SQLite throws. */
  recovered(): void;
  /** Counts this run if it has changed something; call `written` when the database is closed. Null: not counted. */
  end(): { written(): void } | null;
}

/** `path` of the database. */
export const createDatabaseRuns = (database: Database.Database, path: string): DatabaseRuns => {
  const persisted = createPersistedValue({ database }, 'runs', Type.Integer({ minimum: 0 }));
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const counted = () => persisted.read() ?? 0;
  const isOutdated = () => counted() < countBeside(path);
  // A process has ended between the two: a count of the file must exceed those of all backups to outdate them.
  if (counted() > countBeside(path)) writeBeside(path, counted());
  const changesAtOpen = changes.get();

  return {
    isOutdated,
    recovered: () => persisted.write(countBeside(path)),
    end() {
      if (isOutdated() || changes.get() === changesAtOpen) return null;
      const count = counted() + 1;
      persisted.write(count);
      return { written: () => writeBeside(path, count) };
    },
  };
};

/** Call before a database is rebuilt: whatever takes its place is outdated until `recovered`, also for a later start. */
export const outdateDatabases = (path: string): void => writeBeside(path, countBeside(path) + 1);

const besidePath = (path: string): string => `${path}.runs`;

/** A file that a power cut has emptied counts as none. */
const countBeside = (path: string): number => {
  if (!existsSync(besidePath(path))) return 0;
  const count = Number(readFileSync(besidePath(path), 'utf8'));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
};

const writeBeside = (path: string, count: number): void => {
  const unfinished = besidePath(path) + UNFINISHED;
  const file = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(file, String(count));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, besidePath(path));
};
