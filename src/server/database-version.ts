/**
 * Detects whether anything in the database has changed, by this process or by a command line beside it. A value that
 * was read at one version is valid as long as the version is the same.
 */
import type Database from 'better-sqlite3';

/**
 * Changes with every write. Costs a fraction of reading one row. Never call it within a transaction, which may be
 * rolled back.
 */
export type ReadVersion = () => number;

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
