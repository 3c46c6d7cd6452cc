/** The store of accounts. `storageUsed` is one number, changed only in the transaction that adds or removes what it counts. */
import type Database from 'better-sqlite3';
import type { AccountId } from '../../contract/ids.ts';
import type { Clock, Random } from '../system.ts';

export const PLAN_CODES = ['free', 'pro'] as const;
export type PlanCode = (typeof PLAN_CODES)[number];

/** Booleans are 0 or 1, times milliseconds since 1970-01-01 UTC. */
export interface AccountRow {
  readonly id: AccountId;
  readonly username: string;
  readonly name: string;
  readonly palette: string;
  readonly bio: string;
  readonly copyLink: 0 | 1;
  readonly privateByDefault: 0 | 1;
  readonly unlistedPreviews: 0 | 1;
  readonly previewAuthor: 0 | 1;
  readonly captureHotkey: string;
  readonly avatarUrl: string | null;
  readonly avatarRevision: number;
  readonly storageUsed: number;
  readonly plan: PlanCode;
  readonly planUntil: number | null;
  readonly passwordHash: string | null;
  readonly bannedAt: number | null;
  readonly createdAt: number;
}

export interface NewAccount {
  readonly username: string;
  readonly plan: PlanCode;
  /** Argon2id hash; null: the account has no password yet. */
  readonly passwordHash: string | null;
}

/** The caller's request cannot be met; the message is a sentence for the operator. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}

const USERNAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
/** A plan bought without an end. */
const FAR_AWAY_MS = 100 * 365 * 24 * 60 * 60 * 1_000;

export type Accounts = ReturnType<typeof createAccounts>;

export const createAccounts = (deps: {
  readonly database: Database.Database;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { database, clock, random } = deps;
  const insert = database.prepare(
    `INSERT INTO accounts (id, username, name, plan, planUntil, passwordHash, createdAt)
     VALUES (@id, @username, @username, @plan, @planUntil, @passwordHash, @createdAt)`,
  );
  const selectById = database.prepare<[AccountId], AccountRow>('SELECT * FROM accounts WHERE id = ?');
  const selectByName = database.prepare<[string], AccountRow>('SELECT * FROM accounts WHERE username = ?');
  const updateBanned = database.prepare<[number, string]>(
    'UPDATE accounts SET bannedAt = coalesce(bannedAt, ?) WHERE username = ?',
  );

  const byUsername = (username: string): AccountRow => {
    const row = selectByName.get(username);
    if (row === undefined) throw new AccountError(`There is no account named ${username}.`);
    return row;
  };

  return {
    /** Throws `AccountError` when the name breaks the rules or is taken (upper and lower case count as the same). */
    add: ({ username, plan, passwordHash }: NewAccount): AccountRow => {
      if (!USERNAME.test(username)) {
        throw new AccountError(
          'An account name is 1 to 64 letters, digits, dots, hyphens or underscores and starts and ends with a letter or digit.',
        );
      }
      const id = random.uuid() as AccountId;
      const createdAt = clock.now();
      const planUntil = plan === 'free' ? null : createdAt + FAR_AWAY_MS;
      try {
        insert.run({ id, username, plan, planUntil, passwordHash, createdAt });
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_UNIQUE') {
          throw new AccountError(`An account named ${username} exists already.`);
        }
        throw error;
      }
      return byUsername(username);
    },
    byId: (id: AccountId): AccountRow | undefined => selectById.get(id),
    byUsername,
    /** From now on every key of the account is answered ACCOUNT_BANNED. Repeating it changes nothing. */
    ban: (username: string): AccountRow => {
      byUsername(username);
      updateBanned.run(clock.now(), username);
      return byUsername(username);
    },
  };
};
