/**
 * Opens the server's SQLite file: every commit survives a power cut, and command lines may work beside a running
 * server. A version says whether anything in it has changed.
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

/**
 * Changes with every write. Costs a fraction of reading one row. Never call it within a transaction, which may be
 * rolled back.
 */
type ReadVersion = () => number;

/**
 * Detects whether anything in the database has changed, by this process or by a command line beside it. A value that
 * was read at one version is valid as long as the version is the same.
 */
export const createReadVersion = (database: Database.Database): ReadVersion => {
  const byThis = database.prepare<[], number>('SELECT total_changes()').pluck();
  const byOthers = database.prepare<[], number>('PRAGMA data_version').pluck();
  let [version, mine, theirs] = [0, -1, -1];
  return () => {
    const [ours, others] = [byThis.get() ?? 0, byOthers.get() ?? 0];
    if (ours !== mine || others !== theirs) {
      [mine, theirs] = [ours, others];
      version += 1;
    }
    return version;
  };
};

/** Caches up to `size` values that were read from the database, until it changes. */
export const createVersionedCache = <Value>(size: number) => {
  const known = new Map<string, Value>();
  let knownAt = -1;
  return {
    /** `version` is that of the database when the request came; what is read now is at least as new. */
    get: (version: number, key: string, read: () => Value): Value => {
      if (version !== knownAt) {
        known.clear();
        knownAt = version;
      }
      const remembered = known.get(key);
      if (remembered !== undefined) return remembered;
      const value = read();
      if (known.size >= size) known.clear();
      known.set(key, value);
      return value;
    },
  };
};
