/**
 * Opens the profile's database. A damaged database is moved aside and replaced by its last good backup, or by an empty
 * one; it counts as damaged until its queue is recovered, also after a crash, and so does an older database in the place
 * of the last one. A database written by a newer version is refused without changes.
 */

import { chmodSync, closeSync, existsSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { copyFileSync, openSync, renameSync, rmSync, writeFileSync } from '../../base/node/retrying-fs.ts';
import { openWhileLocked } from '../../base/node/retrying-sqlite.ts';
import type { Clock } from '../ports.ts';
import { type Backup, backupsOf } from './database-backup.ts';
import { createDatabaseRuns, type DatabaseRuns, outdateDatabases } from './database-runs.ts';
import { MIGRATIONS } from './migrations.ts';

export interface Profile {
  readonly database: Database.Database;
  /**
   * Runs `work` in one transaction that is synced to disk when this returns; for state that must be persisted before a
   * request.
   */
  durably<T>(work: () => T): T;
  /**
   * PROFILE_DAMAGED when the database was rebuilt. `params.movedTo` is the path of the damaged one, `params.copyOf` the
   * time of the backup that replaced it; null: there was no backup. Without `params` when it is older than the last one,
   * or was rebuilt by an earlier start that ended before `recovered`.
   */
  readonly damage: Failure | null;
  /** Call when the queue is recovered: a later start no longer reports the damage. Throws what SQLite throws. */
  recovered(): void;
}

/** Errors: PROFILE_NEWER. Throws what the file system or SQLite throws. */
export const openDatabase = (path: string, clock: Clock): Result<Profile & { readonly runs: DatabaseRuns }> => {
  if (headerVersion(path) > MIGRATIONS.length) return NEWER;
  try {
    if (isTruncated(path)) throw new Database.SqliteError('The file is empty.', 'SQLITE_CORRUPT');
    const database = migrated(path);
    return database ? ok(profileOf(database, path, null)) : NEWER;
  } catch (error) {
    if (!isDamage(error)) throw error;
    outdateDatabases(path);
    const movedTo = moveAside(path, clock.now());
    const restored = restore(path);
    const database = restored?.database ?? migrated(path);
    const copyOf = restored?.madeAt ?? null;
    const source = restored ? 'It was replaced by an earlier copy' : 'A new queue was created';
    const detail = `The queue was damaged. ${source}; pending items were added again, paused.`;
    const damage = failure('PROFILE_DAMAGED', detail, { params: { movedTo, copyOf } });
    return database ? ok(profileOf(database, path, damage)) : NEWER;
  }
};

/** An empty file that once had content, which a power cut can cause. */
const isTruncated = (path: string): boolean =>
  existsSync(path) && statSync(path).size === 0 && backupsOf(path).length > 0;

/** Replaces the database with the newest valid backup; null where there is no such backup. */
const restore = (path: string): { readonly database: Database.Database; readonly madeAt: number } | null => {
  for (const backup of backupsOf(path)) {
    const database = opened(backup, path);
    if (database) return { database, madeAt: Math.round(backup.madeAt) };
  }
  return null;
};

const opened = (backup: Backup, path: string): Database.Database | null => {
  try {
    copyFileSync(backup.path, path);
    chmodSync(path, 0o600);
    const database = migrated(path);
    if (database) return database;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  // This backup is damaged too; empties the file for the next one, or for a new database.
  for (const ending of JOURNALS) rmSync(path + ending, { force: true });
  writeFileSync(path, '', { mode: 0o600 });
  return null;
};

const NEWER = err(
  failure(
    'PROFILE_NEWER',
    'This profile was written by a newer version of Linkshot. Update Linkshot, or use another profile.',
  ),
);

const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/** Null: written by a newer version. */
const migrated = (path: string): Database.Database | null => openWhileLocked(() => migratedNow(path));

const migratedNow = (path: string): Database.Database | null => {
  const database = new Database(path, { timeout: 2_000 });
  try {
    const version = Number(database.pragma('user_version', { simple: true }));
    if (version > MIGRATIONS.length) {
      database.close();
      return null;
    }
    const check = database.pragma('integrity_check(1)', { simple: true });
    if (check !== 'ok') throw new Database.SqliteError(String(check), 'SQLITE_CORRUPT');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    // On macOS a plain fsync leaves the bytes in the cache of the drive; elsewhere these do nothing.
    database.pragma('fullfsync = ON');
    database.pragma('checkpoint_fullfsync = ON');
    database.pragma('foreign_keys = ON');
    database.transaction(() => {
      for (const sql of MIGRATIONS.slice(version)) database.exec(sql);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
    })();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** The version from the file header (SQLite file format, offset 60): read before SQLite may write anything. */
const headerVersion = (path: string): number => {
  if (!existsSync(path)) return 0;
  const header = Buffer.alloc(64);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, header, 0, header.length, 0);
    const isDatabase = length === header.length && header.toString('latin1', 0, 15) === 'SQLite format 3';
    return isDatabase ? header.readUInt32BE(60) : 0;
  } finally {
    closeSync(file);
  }
};

const JOURNALS = ['-wal', '-shm'] as const;

const moveAside = (path: string, now: number): string => {
  const movedTo = `${path}.damaged-${now}`;
  for (const suffix of [...JOURNALS, '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, movedTo + suffix);
  }
  writeFileSync(path, '', { mode: 0o600 });
  return movedTo;
};

const OUTDATED = failure(
  'PROFILE_DAMAGED',
  'The queue was rebuilt, or replaced by an older one; pending items were added again, paused.',
);

const profileOf = (
  database: Database.Database,
  path: string,
  damage: Failure | null,
): Profile & { readonly runs: DatabaseRuns } => {
  const runs = createDatabaseRuns(database, path);
  const durably: Profile['durably'] = (work) =>
    runs.counted(() => {
      database.pragma('synchronous = FULL');
      try {
        return database.transaction(work)();
      } finally {
        database.pragma('synchronous = NORMAL');
      }
    });
  return {
    database,
    damage: damage ?? (runs.isOutdated() ? OUTDATED : null),
    runs,
    recovered: () => durably(runs.recovered),
    durably,
  };
};
