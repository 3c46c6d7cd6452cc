/** Public profiles of accounts. A banned account has no profile. */
import type { AccountRow } from '../accounts/accounts.ts';
import { raw, type Sql, sql } from '../records/records.ts';

const COLUMNS = ['id', 'username', 'name', 'bio', 'avatarUrl', 'avatarRevision', 'createdAt'] as const;
export type ProfileRow = Pick<AccountRow, (typeof COLUMNS)[number]>;

const NAMES = raw(COLUMNS.map((name) => `"${name}"`).join(', '));

export const profileStore = (records: Sql) => ({
  /** Case-insensitive. */
  byUsername: (username: string): Promise<ProfileRow | undefined> =>
    records.get<ProfileRow>(
      sql`SELECT ${NAMES} FROM "accounts" WHERE lower("username") = lower(${username}) AND "bannedAt" IS NULL`,
    ),
});
