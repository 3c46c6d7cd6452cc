/**
 * Stores the link passwords of unpublished items in the key store, never in a file. An item whose password is lost is
 * not published but waits for the user.
 */

import { err, failure, ok, type Result } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { diskFull, ignoringFullDisk, isDiskFull } from '../../../common/disk-full.ts';
import type { SecretStore } from '../../ports.ts';
import type { Profile } from '../../profile/database.ts';

export interface Passwords {
  /** The items that have a password. */
  all(): readonly ItemId[];
  /** Call before the item's row is written. */
  keep(id: ItemId, password: string): Promise<Result<void>>;
  /** Null: the item has no password. Errors: KEY_STORE_FAILED. */
  of(id: ItemId): Promise<Result<string | null>>;
  /** Errors: DISK_FULL; the item then keeps its password. */
  forget(id: ItemId): Promise<Result<void>>;
  /**
   * Of an item that no longer needs it. What this process cannot delete, because the key store refuses or an earlier
   * process had another one, stays listed for a later start.
   */
  discard(id: ItemId): Promise<void>;
}

/** `onChange`: the set of items with a password has changed. */
export const createPasswords = ({ database }: Profile, secrets: SecretStore, onChange: () => void): Passwords => {
  const mark = database.prepare<[string]>('INSERT INTO guarded (item_id) VALUES (?) ON CONFLICT DO NOTHING');
  const isMarked = database.prepare<[string], { found: number }>('SELECT 1 AS found FROM guarded WHERE item_id = ?');
  const unmark = database.prepare<[string]>('DELETE FROM guarded WHERE item_id = ?');
  const list = database.prepare<[], { id: ItemId }>('SELECT item_id AS id FROM guarded');
  let marked: readonly ItemId[] = list.all().map(({ id }) => id);
  const reload = (): void => {
    marked = list.all().map(({ id }) => id);
    onChange();
  };
  const nameOf = (id: ItemId) => `item ${id}`;
  return {
    all: () => marked,
    async keep(id, password) {
      const kept = await secrets.set(nameOf(id), password);
      if (!kept.ok) return kept;
      try {
        mark.run(id);
        reload();
        return kept;
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        await secrets.delete(nameOf(id));
        return err(diskFull());
      }
    },
    async of(id) {
      if (!isMarked.get(id)) return ok(null);
      const kept = await secrets.get(nameOf(id));
      if (!kept.ok || kept.value !== null) return kept;
      return err(
        failure(
          'KEY_STORE_FAILED',
          'The password of this item was lost when Linkshot quit. Remove the item and add it again.',
        ),
      );
    },
    async forget(id) {
      if (!isMarked.get(id)) return ok(undefined);
      const before = await secrets.get(nameOf(id));
      await secrets.delete(nameOf(id));
      try {
        unmark.run(id);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        if (before.ok && before.value !== null) await secrets.set(nameOf(id), before.value);
        return err(diskFull());
      }
      reload();
      return ok(undefined);
    },
    async discard(id) {
      if (!isMarked.get(id)) return;
      const kept = await secrets.get(nameOf(id));
      if (!kept.ok || (kept.value === null && secrets.place === 'session')) return;
      if (kept.value !== null && !(await secrets.delete(nameOf(id))).ok) return;
      ignoringFullDisk(() => {
        unmark.run(id);
        reload();
      });
    },
  };
};
