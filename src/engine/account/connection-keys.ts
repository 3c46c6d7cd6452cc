/**
 * The key of one connection in the key store. A new key gets a place of its own and is on record before it is first used,
 * because its first use ends the old one at the service; the old one goes only when the service has accepted the new one.
 * So at whatever instant the app is killed, a good key is found again.
 */
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { SecretStore } from '../ports.ts';
import { diskFull, isDiskFull } from '../profile/database.ts';

export interface ConnectionKeys {
  /** The newest key that is there. Errors: KEY_STORE_FAILED, NOT_CONNECTED where there is none any more. */
  load(): Promise<Result<string>>;
  /** Keeps a key that is to be used from now on. Errors: KEY_STORE_FAILED, DISK_FULL; everything is then as before. */
  put(key: string): Promise<Result<void>>;
  /** The service has accepted the newest key: the older one is forgotten. */
  settle(): Promise<void>;
  /** The service has refused the newest key: the older one is in use again. Null: there is none. */
  fallBack(): Promise<string | null>;
  /** Forgets all of them. Errors: KEY_STORE_FAILED where one may still be there. */
  forget(): Promise<Result<void>>;
}

export interface KeysDeps {
  readonly secrets: SecretStore;
  /** The beginning of the names in the key store; a person may read it there. */
  readonly label: string;
  /** As on record: newest first. */
  readonly names: readonly string[];
  /** Puts the names on record; they are on the disk when it returns. */
  readonly save: (names: readonly string[]) => void;
}

const PLACES = ['a', 'b'] as const;

export const createKeys = ({ secrets, label, save, ...deps }: KeysDeps): ConnectionKeys => {
  let names = deps.names;
  /** Memory has no death to outlive; and what is on record may name keys that another process can reach. */
  const isMemory = secrets.place === 'session';
  const places = PLACES.map((place) => `${label} ${place}`);
  const record = (next: readonly string[]) => {
    save(next);
    names = next;
  };

  const put = async (key: string): Promise<Result<void>> => {
    const [newest] = names;
    const free = (isMemory ? newest : places.find((place) => place !== newest)) ?? `${label} a`;
    const kept = await secrets.set(free, key);
    if (!kept.ok) return kept;
    const found = await secrets.get(free);
    if (!found.ok) return found;
    if (found.value !== key) return err(failure('KEY_STORE_FAILED', 'The key store did not keep the key.'));
    try {
      if (newest === undefined) record([free]);
      else if (!isMemory) record([free, newest]);
      return ok(undefined);
    } catch (error) {
      if (isDiskFull(error)) return err(diskFull());
      throw error;
    }
  };

  return {
    async load() {
      for (const name of names) {
        const found = await secrets.get(name);
        if (!found.ok) return found;
        if (found.value !== null) return ok(found.value);
      }
      return err(failure('NOT_CONNECTED', 'The key of this connection is gone. Connect again.'));
    },
    put,
    async settle() {
      const [newest, ...older] = names;
      if (newest === undefined || older.length === 0 || isMemory) return;
      record([newest]);
      for (const name of older) await secrets.delete(name);
    },
    async fallBack() {
      const [newest, older] = names;
      if (newest === undefined || older === undefined) return null;
      const found = await secrets.get(older);
      if (!found.ok || found.value === null) return null;
      record([older]);
      await secrets.delete(newest);
      return found.value;
    },
    async forget() {
      let outcome: Result<void> = ok(undefined);
      for (const name of new Set([...names, ...places])) {
        const deleted = await secrets.delete(name);
        if (!deleted.ok) outcome = deleted;
      }
      return outcome;
    },
  };
};
