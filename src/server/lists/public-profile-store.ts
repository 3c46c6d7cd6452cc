/** Reads what `GET /users/{username}` shows of an account, such as name and bio. A banned account is not found. */
import { type AccountRow, isNamed } from '../accounts/accounts.ts';
import type { Sql } from '../database/database-interface.ts';
import { raw, sql } from '../database/sql-template.ts';

const COLUMNS = ['id', 'username', 'name', 'bio', 'avatarUrl', 'avatarRevision', 'createdAt'] as const;
export type ProfileRow = Pick<AccountRow, (typeof COLUMNS)[number]>;

const NAMES = raw(COLUMNS.map((name) => `"${name}"`).join(', '));

export const profileStore = (records: Sql) => ({
  /** Case-insensitive. */
  byUsername: (username: string): Promise<ProfileRow | undefined> =>
    records.get<ProfileRow>(
      sql`SELECT ${NAMES} FROM "accounts" WHERE ${isNamed(records, username)} AND "bannedAt" IS NULL`,
    ),
});
