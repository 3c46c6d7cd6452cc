/**
 * Persists small named values of the profile (settings, connections, notices), each validated by its schema when it is
 * read.
 */

import type Database from 'better-sqlite3';
import type { Static, TSchema } from 'typebox';
import { ignoringFullDisk } from '../../common/disk-full.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';

export interface PersistedValue<T> {
  /** Null: never written, or not readable by this version. */
  read(): T | null;
  write(value: T): void;
  /** Like `write`, but ignores a full disk: the caller keeps the value in memory. */
  note(value: T): void;
  clear(): void;
}

export const createPersistedValue = <S extends TSchema>(
  { database }: { readonly database: Database.Database },
  name: string,
  schema: S,
): PersistedValue<Static<S>> => {
  const isReadable = createValidator(schema);
  const select = database.prepare<[string], { value: string }>('SELECT value FROM persisted_values WHERE name = ?');
  const upsert = database.prepare<[string, string]>(
    'INSERT INTO persisted_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const remove = database.prepare<[string]>('DELETE FROM persisted_values WHERE name = ?');
  return {
    read() {
      const row = select.get(name);
      if (!row) return null;
      const value: unknown = JSON.parse(row.value);
      return isReadable(value) ? value : null;
    },
    write: (value) => void upsert.run(name, JSON.stringify(value)),
    note(value) {
      ignoringFullDisk(() => void upsert.run(name, JSON.stringify(value)));
    },
    clear: () => void remove.run(name),
  };
};
