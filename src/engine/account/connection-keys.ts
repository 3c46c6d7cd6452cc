/**
 * Stores the key of one connection in the key store. A new key is stored under an entry of its own before it is used,
 * and the old entry is deleted once the service has accepted the new key, so that a crash at any moment leaves a valid
 * key. A key that is kept in memory only is replaced directly, and its name is not recorded: a name that this version
 * records is that of a key which outlives the process.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import type { SecretStore } from '../ports.ts';

export interface ConnectionKeys {
  /** The newest key found. Errors: KEY_STORE_FAILED, NOT_CONNECTED where no key is left. */
  load(): Promise<Result<string>>;
  /** Stores a key for use from now on. Errors: KEY_STORE_FAILED, DISK_FULL; then nothing has changed. */
  put(key: string): Promise<Result<void>>;
  /** Call when the service has accepted the newest key: deletes the older one. */
  confirm(): Promise<void>;
  /** Call when the service has refused the newest key: returns to the older one. Null: there is no older key. */
  fallBack(): Promise<string | null>;
  /** Deletes all keys. Errors: KEY_STORE_FAILED where one may remain, in a store that cannot be reached now too. */
  deleteAll(): Promise<Result<void>>;
}

export interface KeysDeps {
  readonly secrets: SecretStore;
  /** Prefix of the entry names in the key store; users may see it there. */
  readonly label: string;
  /** The recorded entry names, newest first. */
  readonly names: readonly string[];
  /** Records the names; they are synced to disk when it returns. */
  readonly save: (names: readonly string[]) => void;
}

const SLOTS = ['a', 'b'] as const;

export const createConnectionKeys = ({ secrets, label, save, ...deps }: KeysDeps): ConnectionKeys => {
  let names = deps.names;
  /** Keys in memory need no crash safety, and recorded names then belong to keys that another process can read. */
  const isMemory = secrets.place === 'session';
  const slots = SLOTS.map((slot) => `${label} ${slot}`);
  /** Entries that this process has stored; recorded later, or never. */
  const written = new Set<string>();
  const record = (next: readonly string[]) => {
    save(next);
    names = next;
  };

  const put = async (key: string): Promise<Result<void>> => {
    const [newest] = names;
    const slot = (isMemory ? newest : slots.find((slot) => slot !== newest)) ?? `${label} a`;
    const kept = await secrets.set(slot, key);
    if (!kept.ok) return kept;
    written.add(slot);
    const found = await secrets.get(slot);
    if (!found.ok) return found;
    if (found.value !== key) return err(failure('KEY_STORE_FAILED', 'The key store did not keep the key.'));
    try {
      record(isMemory ? names : newest === undefined ? [slot] : [slot, newest]);
      return ok(undefined);
    } catch (error) {
      return diskFullOrThrow(error);
    }
  };

  return {
    async load() {
      // Those in memory have no recorded names.
      for (const name of names.length > 0 ? names : slots) {
        const found = await secrets.get(name);
        if (!found.ok) return found;
        if (found.value !== null) return ok(found.value);
      }
      return err(failure('NOT_CONNECTED', 'The key of this connection is gone. Connect again.'));
    },
    put,
    async confirm() {
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
    async deleteAll() {
      const isOutOfReach = isMemory && names.length > 0;
      let outcome: Result<void> = isOutOfReach
        ? err(failure('KEY_STORE_FAILED', 'There is no key store now.'))
        : ok(undefined);
      for (const name of new Set([...names, ...slots])) {
        const deleted = await secrets.delete(name);
        // The store has no key that it has refused.
        if (!deleted.ok && (names.includes(name) || written.has(name))) outcome = deleted;
      }
      return outcome;
    },
  };
};
