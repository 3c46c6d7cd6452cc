/**
 * Caches values that were read from the database, until anything in the database changes. Caches nothing while the
 * version of the database is unknown, as with PostgreSQL. `whenKnown` applies a function to a value, or to the result
 * of a promise.
 */

export interface VersionedCache<Value> {
  /**
   * `version` is that of the records when the request came (`ServerDatabase.version`); what is read now is at least as new. A
   * known value is returned without a promise.
   */
  get(version: number | null, key: string, read: () => Promise<Value>): Value | Promise<Value>;
}

/** Keeps up to `size` values other than undefined. */
export const createVersionedCache = <Value>(size: number): VersionedCache<Value> => {
  const known = new Map<string, Value>();
  let knownAt: number | null = null;

  const keep = async (version: number, key: string, read: () => Promise<Value>): Promise<Value> => {
    const value = await read();
    // A slow read may be older than what is known by now.
    if (version === knownAt && value !== undefined) {
      if (known.size >= size) known.clear();
      known.set(key, value);
    }
    return value;
  };

  return {
    get: (version, key, read) => {
      if (version === null) return read();
      if (version !== knownAt) {
        known.clear();
        knownAt = version;
      }
      return known.get(key) ?? keep(version, key, read);
    },
  };
};

/** Uses a value that may be known already: at once then, because a promise costs a request several turns. */
export const whenKnown = <Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(use) : use(value));
