/** Public profiles of accounts. A banned account has no profile. */
import type Database from 'better-sqlite3';
import type { AccountRow } from '../accounts/accounts.ts';

const COLUMNS = ['id', 'username', 'name', 'bio', 'avatarUrl', 'avatarRevision', 'createdAt'] as const;
export type ProfileRow = Pick<AccountRow, (typeof COLUMNS)[number]>;

export const createProfiles = (database: Database.Database) => {
  const select = database.prepare<[string], ProfileRow>(
    `SELECT ${COLUMNS.join(', ')} FROM accounts WHERE username = ? AND bannedAt IS NULL`,
  );
  return {
    /** Case-insensitive. */
    byUsername: (username: string): ProfileRow | undefined => select.get(username),
  };
};
