/** Small facts of the profile by name (settings, connection, notices), each read through its own schema. */
import type { Static, TSchema } from 'typebox';
import { createValidator } from '../../ipc/protocol/validator.ts';
import { isDiskFull, type Profile } from './database.ts';

export interface PersistedValue<T> {
  /** Null where it was never written, or is not what this version reads. */
  read(): T | null;
  write(value: T): void;
  /** As `write`, but what a full disk cannot take is given up: whoever asks keeps it for as long as we run. */
  note(value: T): void;
  clear(): void;
}

export const createPersistedValue = <S extends TSchema>(
  { database }: Profile,
  name: string,
  schema: S,
): PersistedValue<Static<S>> => {
  const isReadable = createValidator(schema);
  const select = database.prepare<[string], { value: string }>('SELECT value FROM facts WHERE name = ?');
  const upsert = database.prepare<[string, string]>(
    'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const remove = database.prepare<[string]>('DELETE FROM facts WHERE name = ?');
  return {
    read() {
      const row = select.get(name);
      if (!row) return null;
      const value: unknown = JSON.parse(row.value);
      return isReadable(value) ? value : null;
    },
    write: (value) => void upsert.run(name, JSON.stringify(value)),
    note(value) {
      try {
        upsert.run(name, JSON.stringify(value));
      } catch (error) {
        if (!isDiskFull(error)) throw error;
      }
    },
    clear: () => void remove.run(name),
  };
};
