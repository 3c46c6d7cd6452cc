/** The store of accounts. `storageUsed` changes only in the transaction that adds or removes the counted bytes. */
import type Database from 'better-sqlite3';
import type { AccountId } from '../../api/ids.ts';
import { NO_END_MS } from '../../api/never-expires.ts';
import type { Clock, Random } from '../clock-and-random.ts';

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
  /** Start of the trial, once used. It ends early when a plan is bought. */
  readonly trialStartsAt: number | null;
  readonly trialEndsAt: number | null;
  readonly createdAt: number;
}

/** What users change about themselves on the account page. */
export type Profile = Pick<
  AccountRow,
  'name' | 'bio' | 'palette' | 'copyLink' | 'privateByDefault' | 'unlistedPreviews' | 'previewAuthor' | 'captureHotkey'
>;

export interface NewAccount {
  readonly username: string;
  readonly plan: PlanCode;
  /** Argon2id hash; null: the account has no password yet. */
  readonly passwordHash: string | null;
}

/** The request cannot be met; the message is a sentence for the operator. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}

const USERNAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

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
  const updateBanned = database.prepare<[number, AccountId]>(
    'UPDATE accounts SET bannedAt = coalesce(bannedAt, ?) WHERE id = ?',
  );
  const clearBanned = database.prepare<[AccountId]>('UPDATE accounts SET bannedAt = NULL WHERE id = ?');
  const updatePlan = database.prepare<{ id: AccountId; plan: PlanCode; planUntil: number | null; now: number }>(
    `UPDATE accounts SET plan = @plan, planUntil = @planUntil,
       trialEndsAt = CASE @plan WHEN 'free' THEN min(trialEndsAt, @now) ELSE trialEndsAt END WHERE id = @id`,
  );
  const updateProfile = database.prepare<Profile & { id: AccountId }>(
    `UPDATE accounts SET name = @name, bio = @bio, palette = @palette, copyLink = @copyLink,
       privateByDefault = @privateByDefault, unlistedPreviews = @unlistedPreviews, previewAuthor = @previewAuthor,
       captureHotkey = @captureHotkey WHERE id = @id`,
  );
  const updatePassword = database.prepare<[string, AccountId]>('UPDATE accounts SET passwordHash = ? WHERE id = ?');
  const endSessions = database.prepare<[AccountId]>('DELETE FROM sessions WHERE accountId = ?');
  const endCodes = database.prepare<[AccountId]>('DELETE FROM connectCodes WHERE accountId = ?');
  const endRequests = database.prepare<[AccountId]>('DELETE FROM deviceRequests WHERE accountId = ?');
  const endConnections = database.prepare<[number, AccountId]>(
    `UPDATE keys SET accessChangedAt = coalesce(accessChangedAt, ?) WHERE accountId = ? AND deviceId IS NOT NULL`,
  );

  const byUsername = (username: string): AccountRow => {
    const row = selectByName.get(username);
    if (row === undefined) throw new AccountError(`There is no account named ${username}.`);
    return row;
  };

  /** Ends every session of the account, and every connection in progress. */
  const endSignIns = (id: AccountId): void => {
    for (const end of [endSessions, endCodes, endRequests]) end.run(id);
  };

  return {
    /** Throws `AccountError` when the name breaks the rules or is taken (case-insensitive). */
    add: ({ username, plan, passwordHash }: NewAccount): AccountRow => {
      if (!USERNAME.test(username)) {
        throw new AccountError(
          'An account name is 1 to 64 letters, digits, dots, hyphens or underscores and starts and ends with a letter or digit.',
        );
      }
      const id = random.uuid() as AccountId;
      const createdAt = clock.now();
      const planUntil = plan === 'free' ? null : createdAt + NO_END_MS;
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
    /**
     * Sets a plan until `until` (null: without an end), or removes it, including a trial, immediately. `planUntil` of
     * an account that ever had a plan is set.
     */
    setPlan: (username: string, plan: PlanCode, until: number | null): AccountRow => {
      const { id, planUntil } = byUsername(username);
      const now = clock.now();
      const ended = planUntil === null ? null : Math.min(planUntil, now);
      updatePlan.run({ id, plan, now, planUntil: plan === 'free' ? ended : (until ?? now + NO_END_MS) });
      return byUsername(username);
    },
    /** Ends sessions and the keys of connections (ACCOUNT_ACCESS_CHANGED); other keys stay valid. */
    setPassword: database.transaction((username: string, passwordHash: string): AccountRow => {
      const { id } = byUsername(username);
      updatePassword.run(passwordHash, id);
      endSignIns(id);
      endConnections.run(clock.now(), id);
      return byUsername(username);
    }).immediate,
    setProfile: (id: AccountId, profile: Profile): void => {
      updateProfile.run({ ...profile, id });
    },
    byId: (id: AccountId): AccountRow | undefined => selectById.get(id),
    byUsername,
    /** For a sign-in: an unknown account is not an error. */
    find: (username: string): AccountRow | undefined => selectByName.get(username),
    /**
     * From now on every key of the account gets ACCOUNT_BANNED, and its items, albums and profile are closed to others,
     * including live viewer grants. The account cannot sign in or connect a device. Idempotent.
     */
    ban: (username: string): AccountRow => {
      updateBanned.run(clock.now(), byUsername(username).id);
      return byUsername(username);
    },
    /**
     * Keys, items, albums, profile and grants are restored to their state without the ban; users sign in again. No
     * effect without a ban.
     */
    unban: database.transaction((username: string): AccountRow => {
      const { id, bannedAt } = byUsername(username);
      if (bannedAt !== null) endSignIns(id);
      clearBanned.run(id);
      return byUsername(username);
    }).immediate,
  };
};
