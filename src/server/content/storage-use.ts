/** Counts the used storage of an account; it changes only in the transaction that adds or removes the counted bytes. */
import type Database from 'better-sqlite3';
import type { AccountId } from '../../api/ids.ts';
import { ProblemError } from '../problem.ts';

export const createStorageUse = (database: Database.Database) => {
  const raise = database.prepare<{ id: AccountId; size: number; quota: number }>(
    'UPDATE accounts SET storageUsed = storageUsed + @size WHERE id = @id AND storageUsed + @size <= @quota',
  );
  const lower = database.prepare<{ id: AccountId; size: number }>(
    'UPDATE accounts SET storageUsed = max(0, storageUsed - @size) WHERE id = @id',
  );
  const selectUsed = database.prepare<[AccountId], number>('SELECT storageUsed FROM accounts WHERE id = ?').pluck();
  return {
    /** Adds `size` bytes. Throws QUOTA_EXCEEDED when the total would exceed `quota`. */
    take: (id: AccountId, size: number, quota: number): void => {
      if (raise.run({ id, size, quota }).changes > 0) return;
      throw new ProblemError(
        'QUOTA_EXCEEDED',
        `The account has no space left for ${size} bytes; delete items or choose a larger plan.`,
        { params: { limitBytes: quota, usedBytes: selectUsed.get(id) } },
      );
    },
    release: (id: AccountId, size: number): void => {
      lower.run({ id, size });
    },
  };
};
