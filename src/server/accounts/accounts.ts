/**
 * The store of accounts: adds, finds, bans and unbans them, changes their plan and password, and saves what users edit
 * about themselves. Transactions lock an account's row here. A new password ends the account's sessions and the keys of
 * its connected devices.
 */
import type { AccountId } from '../../api/ids.ts';
import { NO_END_MS } from '../../api/never-expires.ts';
import type { Clock, Random } from '../clock-and-random.ts';
import type { ServerDatabase, Sql } from '../database/database-interface.ts';
import { empty, type Query, sql } from '../database/sql-template.ts';

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

/** An account as it was when its user was identified. */
export type SeenAccount = Pick<AccountRow, 'id' | 'passwordHash'>;

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

/** The rows of accounts, also within a transaction. */
export const accountStore = (records: Sql) => {
  const { forUpdate } = records.dialect;

  const find = (username: string): Promise<AccountRow | undefined> =>
    records.get<AccountRow>(sql`SELECT * FROM "accounts" WHERE ${isNamed(records, username)}`);

  const lock = (id: AccountId): Promise<AccountRow | undefined> =>
    records.get<AccountRow>(sql`SELECT * FROM "accounts" WHERE "id" = ${id} ${forUpdate}`);

  const endUnfinishedConnections = async (id: AccountId, deviceId?: string): Promise<void> => {
    const ofDevice = deviceId === undefined ? empty : sql`AND "deviceId" = ${deviceId}`;
    await records.run(sql`DELETE FROM "connectCodes" WHERE "accountId" = ${id} ${ofDevice}`);
    await records.run(sql`DELETE FROM "deviceRequests" WHERE "accountId" = ${id} ${ofDevice}`);
  };

  const named = (username: string, row: AccountRow | undefined): AccountRow => {
    if (row === undefined) throw new AccountError(`There is no account named ${username}.`);
    return row;
  };

  return {
    byId: (id: AccountId): Promise<AccountRow | undefined> =>
      records.get<AccountRow>(sql`SELECT * FROM "accounts" WHERE "id" = ${id}`),
    /** The same for a transaction that decides by it: no other one changes the account meanwhile. */
    lock,
    /**
     * Locks the account that was read before and acts for its user only while that is still allowed: undefined when its
     * password was changed or it was banned since.
     */
    lockAsSeen: async ({ id, passwordHash }: SeenAccount): Promise<AccountRow | undefined> => {
      const now = await lock(id);
      return now !== undefined && now.passwordHash === passwordHash && now.bannedAt === null ? now : undefined;
    },
    /** For a sign-in: an unknown account is not an error. */
    find,
    /** Throws `AccountError` for an unknown name. */
    byUsername: async (username: string): Promise<AccountRow> => named(username, await find(username)),
    lockByUsername: async (username: string): Promise<AccountRow> =>
      named(
        username,
        await records.get<AccountRow>(sql`SELECT * FROM "accounts" WHERE ${isNamed(records, username)} ${forUpdate}`),
      ),
    /** Ends every session of the account, and every connection in progress. */
    endSignIns: async (id: AccountId): Promise<void> => {
      await records.run(sql`DELETE FROM "sessions" WHERE "accountId" = ${id}`);
      await endUnfinishedConnections(id);
    },
    /**
     * Ends connections that the user has approved and that have no key yet: all, or those of one device. The account is
     * locked.
     */
    endUnfinishedConnections,
  };
};

/** Names have ASCII letters only, so no engine's idea of other letters matters. */
export const lowerCaseName = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Condition, with an index: the account has the name, in either case. */
export const isNamed = ({ dialect }: Pick<Sql, 'dialect'>, username: string): Query =>
  sql`${dialect.lower(sql`"username"`)} = ${lowerCaseName(username)}`;

export type Accounts = ReturnType<typeof createAccounts>;

export const createAccounts = (deps: {
  readonly records: ServerDatabase;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { records, clock, random } = deps;
  const accounts = accountStore(records);

  /** Changes the account in a transaction; resolves with it as it is then. Throws `AccountError` for an unknown name. */
  const change = (username: string, work: (tx: Sql, account: AccountRow) => Promise<unknown>): Promise<AccountRow> =>
    records.transaction(async (tx) => {
      const own = accountStore(tx);
      await work(tx, await own.lockByUsername(username));
      return await own.byUsername(username);
    });

  const replacePassword = async (tx: Sql, id: AccountId, passwordHash: string): Promise<void> => {
    await tx.run(sql`UPDATE "accounts" SET "passwordHash" = ${passwordHash} WHERE "id" = ${id}`);
    await accountStore(tx).endSignIns(id);
    await tx.run(
      sql`UPDATE "keys" SET "accessChangedAt" = coalesce("accessChangedAt", ${clock.now()})
        WHERE "accountId" = ${id} AND "deviceId" IS NOT NULL`,
    );
  };

  return {
    byId: accounts.byId,
    byUsername: accounts.byUsername,
    find: accounts.find,
    /** Throws `AccountError` when the name breaks the rules or is taken (case-insensitive). */
    add: async ({ username, plan, passwordHash }: NewAccount): Promise<AccountRow> => {
      if (!USERNAME.test(username)) {
        throw new AccountError(
          'An account name is 1 to 64 letters, digits, dots, hyphens or underscores and starts and ends with a letter or digit.',
        );
      }
      const id = random.uuid() as AccountId;
      const createdAt = clock.now();
      const planUntil = plan === 'free' ? null : createdAt + NO_END_MS;
      try {
        await records.run(
          sql`INSERT INTO "accounts" ("id", "username", "name", "plan", "planUntil", "passwordHash", "createdAt")
            VALUES (${id}, ${username}, ${username}, ${plan}, ${planUntil}, ${passwordHash}, ${createdAt})`,
        );
      } catch (error) {
        if (records.dialect.kindOf(error) !== 'unique') throw error;
        throw new AccountError(`An account named ${username} exists already.`);
      }
      return await accounts.byUsername(username);
    },
    /**
     * Sets a plan until `until` (null: without an end), or removes it, including a trial, immediately. `planUntil` of
     * an account that ever had a plan is set.
     */
    setPlan: (username: string, plan: PlanCode, until: number | null): Promise<AccountRow> =>
      change(username, async (tx, { id, planUntil, trialEndsAt }) => {
        const now = clock.now();
        const ended = planUntil === null ? null : Math.min(planUntil, now);
        const ends = plan === 'free' ? ended : (until ?? now + NO_END_MS);
        const trialEnds = plan === 'free' && trialEndsAt !== null ? Math.min(trialEndsAt, now) : trialEndsAt;
        await tx.run(
          sql`UPDATE "accounts" SET "plan" = ${plan}, "planUntil" = ${ends}, "trialEndsAt" = ${trialEnds}
            WHERE "id" = ${id}`,
        );
      }),
    /** Ends sessions and the keys of connections (ACCOUNT_ACCESS_CHANGED); other keys stay valid. */
    setPassword: (username: string, passwordHash: string): Promise<AccountRow> =>
      change(username, (tx, { id }) => replacePassword(tx, id, passwordHash)),
    /** The same for a user who has given the password of `seen`. Null: it was changed since, or the account was banned. */
    changePassword: (seen: SeenAccount, passwordHash: string): Promise<AccountRow | null> =>
      records.transaction(async (tx) => {
        const own = accountStore(tx);
        if ((await own.lockAsSeen(seen)) === undefined) return null;
        await replacePassword(tx, seen.id, passwordHash);
        return (await own.byId(seen.id)) ?? null;
      }),
    setProfile: async (id: AccountId, profile: Profile): Promise<void> => {
      await records.run(
        sql`UPDATE "accounts" SET "name" = ${profile.name}, "bio" = ${profile.bio}, "palette" = ${profile.palette},
            "copyLink" = ${profile.copyLink}, "privateByDefault" = ${profile.privateByDefault},
            "unlistedPreviews" = ${profile.unlistedPreviews}, "previewAuthor" = ${profile.previewAuthor},
            "captureHotkey" = ${profile.captureHotkey} WHERE "id" = ${id}`,
      );
    },
    /**
     * From now on every key of the account gets ACCOUNT_BANNED, and its items, albums and profile are closed to others,
     * including live viewer grants. The account cannot sign in or connect a device. Idempotent.
     */
    ban: (username: string): Promise<AccountRow> =>
      change(username, (tx, { id }) =>
        tx.run(sql`UPDATE "accounts" SET "bannedAt" = coalesce("bannedAt", ${clock.now()}) WHERE "id" = ${id}`),
      ),
    /**
     * Keys, items, albums, profile and grants are restored to their state without the ban; users sign in again. No
     * effect without a ban.
     */
    unban: (username: string): Promise<AccountRow> =>
      change(username, async (tx, { id, bannedAt }) => {
        if (bannedAt !== null) await accountStore(tx).endSignIns(id);
        await tx.run(sql`UPDATE "accounts" SET "bannedAt" = NULL WHERE "id" = ${id}`);
      }),
  };
};
