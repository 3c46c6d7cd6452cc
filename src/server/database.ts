/**
 * Opens the server's SQLite file: every commit survives a power cut, and command lines may work beside a running
 * server.
 */
import Database from 'better-sqlite3';
import { MIGRATIONS } from './migrations/index.ts';

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens `path` (created when missing) and migrates it to the newest schema. Throws when a newer server has written it.
 */
export const openDatabase = (path: string): Database.Database => {
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  database.pragma('journal_mode = WAL');
  // better-sqlite3 lowers WAL to NORMAL, which may lose the last commits in a power cut.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  migrate(database);
  return database;
};

const migrate = (database: Database.Database): void => {
  const upgrade = database.transaction(() => {
    const version = Number(database.pragma('user_version', { simple: true }));
    if (version > MIGRATIONS.length) {
      throw new Error(
        `The data folder was written by a newer version (schema ${version}, known ${MIGRATIONS.length}); use that version.`,
      );
    }
    for (const sql of MIGRATIONS.slice(version)) database.exec(sql);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  upgrade.immediate();
};
