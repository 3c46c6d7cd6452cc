/**
 * Tells whether anything in the database has changed, whoever changed it: this process, or a command line beside it.
 * What was read at one version is still true at the same version, so that it need not be read again.
 */
import type Database from 'better-sqlite3';

/** Changes with every write. Asking costs a fraction of reading one row. Never ask within a transaction: it may be undone. */
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

/** Remembers up to `size` things that were read from the database, for as long as it does not change. */
export const createRecall = <Value>(size: number) => {
  const known = new Map<string, Value>();
  let knownAt = -1;
  return {
    /** `version` is what the database was at when the request came; what is read now is at least as new. */
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
