/**
 * Opens the server's SQLite file, with or without a migration, and reads its schema version. Every commit survives a
 * power cut, unless a transaction asks for less (`sqlite.ts`), and several processes may use the file at the same time.
 */
import Database from 'better-sqlite3';
import { openWhileLocked } from '../../base/node/retrying-sqlite.ts';
import { MIGRATIONS } from '../migrations/index.ts';

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens `path` (created when missing) and migrates it to the newest schema. Throws when a newer server has written it.
 */
export const openSqliteFile = (path: string): Database.Database =>
  openWhileLocked(() => closedOnFailure(connectNow(path), migrate));

/** Returns `database` when `use` has done its work; closes it when that throws. */
export const closedOnFailure = (
  database: Database.Database,
  use: (database: Database.Database) => void,
): Database.Database => {
  try {
    use(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** A connection without a look at the schema. */
export const connect = (path: string): Database.Database => openWhileLocked(() => connectNow(path));

const connectNow = (path: string): Database.Database =>
  closedOnFailure(new Database(path, { timeout: BUSY_TIMEOUT_MS }), prepare);

const prepare = (database: Database.Database): void => {
  database.pragma('journal_mode = WAL');
  // better-sqlite3 lowers WAL to NORMAL, which may lose the last commits in a power cut.
  database.pragma('synchronous = FULL');
  // On macOS a plain fsync leaves the bytes in the cache of the drive; elsewhere these do nothing.
  database.pragma('fullfsync = ON');
  database.pragma('checkpoint_fullfsync = ON');
  database.pragma('foreign_keys = ON');
};

/** The schema that this version reads and writes: the number of migrations. */
export const SCHEMA_VERSION = MIGRATIONS.length;

export const schemaVersionOf = (database: Database.Database): number =>
  Number(database.pragma('user_version', { simple: true }));

const migrate = (database: Database.Database): void => {
  const upgrade = database.transaction(() => {
    const version = schemaVersionOf(database);
    if (version > SCHEMA_VERSION) {
      throw new Error(
        `The data folder was written by a newer version (schema ${version}, known ${SCHEMA_VERSION}); use that version.`,
      );
    }
    for (const sql of MIGRATIONS.slice(version)) database.exec(sql);
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
  upgrade.immediate();
};
