/**
 * The store of API keys (API decisions 4): creates, finds, lists and revokes them, and locks their rows in
 * transactions. A key has 256 random bits, is shown once when it is created, and is stored only as its SHA-256. The
 * first use of a device's key revokes the older keys of the device. An account has a limited number of valid keys.
 */
import { hash } from 'node:crypto';
import { SCOPES, type Scope } from '../../api/account.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock, Random } from '../clock-and-random.ts';
import type { ServerDatabase, Sql, Transaction } from '../database/database-interface.ts';
import { join, raw, sql } from '../database/sql-template.ts';
import { AccountError, type AccountRow, accountStore } from './accounts.ts';

/** Times are milliseconds since 1970-01-01 UTC; `scopes` is separated by spaces. */
export interface KeyRow {
  readonly id: string;
  readonly accountId: AccountId;
  readonly name: string;
  readonly scopes: string;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly client: 'windows' | null;
  readonly deviceName: string | null;
  /** Of a key that a connection created (API decisions 4); null for other keys. */
  readonly deviceId: string | null;
  readonly firstUsedAt: number | null;
  /** When the account's password was changed after the connection was made. */
  readonly accessChangedAt: number | null;
  readonly createdAt: number;
}

/** The device of a connection. */
export interface Device {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly client: 'windows' | null;
}

export interface NewKey {
  readonly accountId: AccountId;
  readonly scopes: readonly Scope[];
  readonly name?: string;
  /** Milliseconds since 1970; may be in the past. Null or omitted: the key does not expire. */
  readonly expiresAt?: number | null;
  readonly device?: Device;
  /** The key of the same device that this one renews. */
  readonly renews?: string;
}

type KeyKind = 'device' | 'by-hand';

/** The account has `LIMITS.keysMax` valid keys that were made by hand. */
export class TooManyKeysError extends AccountError {}

export interface KeyAndAccount {
  readonly key: KeyRow;
  readonly account: AccountRow;
}

const KEY_PREFIX = 'lsk_';
const KEY_BYTES = 32;
const COLUMN_NAMES = [
  'id',
  'accountId',
  'name',
  'scopes',
  'expiresAt',
  'revokedAt',
  'client',
  'deviceName',
  'deviceId',
  'firstUsedAt',
  'accessChangedAt',
  'createdAt',
] as const satisfies readonly (keyof KeyRow)[];
const COLUMNS = raw(COLUMN_NAMES.map((name) => `"${name}"`).join(', '));
/** Beside the columns of the account, of which some have the same names. */
const PREFIX = 'key.';
const PREFIXED = raw(COLUMN_NAMES.map((name) => `"keys"."${name}" AS "${PREFIX}${name}"`).join(', '));

type JoinedRow = AccountRow & Readonly<Record<string, unknown>>;

const keyOf = (row: JoinedRow): KeyRow =>
  Object.fromEntries(COLUMN_NAMES.map((name) => [name, row[`${PREFIX}${name}`]])) as unknown as KeyRow;

export type ApiKeys = ReturnType<typeof createApiKeys>;

export const createApiKeys = (deps: {
  readonly records: ServerDatabase;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { records, clock, random } = deps;
  // The sub-select keeps SQLite (built with STAT4) from planning the join again for every bound hash.
  const constant = (hash: Buffer) => (records.dialect.name === 'sqlite' ? sql`(SELECT ${hash})` : sql`${hash}`);

  const validOf = (accountId: AccountId, kind: KeyKind) =>
    sql`"accountId" = ${accountId} AND "deviceId" ${raw(kind === 'device' ? 'IS NOT NULL' : 'IS NULL')}
      AND "revokedAt" IS NULL AND "accessChangedAt" IS NULL
      AND ("expiresAt" IS NULL OR "expiresAt" > ${clock.now()})`;

  const requirePlace = async (tx: Sql, accountId: AccountId): Promise<void> => {
    const row = await tx.get<{ count: number }>(
      sql`SELECT count(*) AS "count" FROM "keys" WHERE ${validOf(accountId, 'by-hand')}`,
    );
    if (row !== undefined && row.count >= LIMITS.keysMax)
      throw new TooManyKeysError(`An account has at most ${LIMITS.keysMax} keys; revoke one first.`);
  };

  /** Revokes keys of devices beyond the limit, but none of `kept`: first those that were never used, the oldest first. */
  const makePlace = async (tx: Sql, accountId: AccountId, kept: readonly string[], limit: number): Promise<void> => {
    const valid = validOf(accountId, 'device');
    await tx.run(
      sql`UPDATE "keys" SET "revokedAt" = ${clock.now()} WHERE ${valid} AND "id" NOT IN (
          SELECT "id" FROM "keys" WHERE ${valid}
          ORDER BY "id" IN (${join([...kept])}) DESC, "firstUsedAt" IS NOT NULL DESC, "seq" DESC
          LIMIT ${raw(String(limit))})`,
    );
  };

  const insert = async (
    tx: Sql,
    { accountId, scopes, name = 'API key', expiresAt = null, device, renews }: NewKey,
  ): Promise<{ id: string; apiKey: string }> => {
    const granted = SCOPES.filter((scope) => scopes.includes(scope));
    if (granted.length === 0 || granted.length !== new Set(scopes).size) {
      throw new AccountError(`The scopes of a key are one or more of ${SCOPES.join(', ')}.`);
    }
    const length = [...name].length;
    if (length < 1 || length > LIMITS.keyNameMaxCharacters) {
      throw new AccountError(`The name of a key has 1 to ${LIMITS.keyNameMaxCharacters} characters.`);
    }
    const id = random.uuid();
    const apiKey = `${KEY_PREFIX}${random.bytes(KEY_BYTES).toString('base64url')}`;
    const { client = null, deviceName = null, deviceId = null } = device ?? {};
    await accountStore(tx).lock(accountId);
    if (device === undefined) await requirePlace(tx, accountId);
    await tx.run(
      sql`INSERT INTO "keys"
          ("id", "accountId", "hash", "name", "scopes", "expiresAt", "client", "deviceName", "deviceId", "createdAt")
        VALUES (${id}, ${accountId}, ${hashOf(apiKey)}, ${name}, ${granted.join(' ')}, ${expiresAt}, ${client},
          ${deviceName}, ${deviceId}, ${clock.now()})`,
    );
    if (device !== undefined) {
      const { deviceKeysMax } = LIMITS;
      if (renews === undefined) await makePlace(tx, accountId, [id], deviceKeysMax);
      else await makePlace(tx, accountId, [id, renews], 2 * deviceKeysMax);
    }
    return { id, apiKey };
  };

  return {
    /**
     * Creates a key. Only this call returns it in full. Throws `AccountError` when a field breaks the rules, and
     * `TooManyKeysError`. A key of a device is never refused: beyond the limit it takes the place of an older one. For the
     * time of a renewal a device may have two.
     */
    add: (key: NewKey, within?: Transaction): Promise<{ id: string; apiKey: string }> =>
      within === undefined ? records.transaction((tx) => insert(tx, key)) : insert(within, key),
    /** The key and its account in their current state, valid or not. */
    find: async (apiKey: string): Promise<KeyAndAccount | undefined> => {
      const row = await records.get<JoinedRow>(
        sql`SELECT "accounts".*, ${PREFIXED} FROM "keys" CROSS JOIN "accounts"
          WHERE "keys"."hash" = ${constant(hashOf(apiKey))} AND "accounts"."id" = "keys"."accountId"`,
      );
      return row && { key: keyOf(row), account: row };
    },
    byId: (id: string, within: Sql = records): Promise<KeyRow | undefined> =>
      within.get<KeyRow>(sql`SELECT ${COLUMNS} FROM "keys" WHERE "id" = ${id}`),
    /** For a transaction that decides by it: it is not revoked meanwhile. */
    lock: (id: string, tx: Sql): Promise<KeyRow | undefined> =>
      tx.get<KeyRow>(sql`SELECT ${COLUMNS} FROM "keys" WHERE "id" = ${id} ${tx.dialect.forUpdate}`),
    /** Valid keys, newest first. */
    live: (accountId: AccountId, kind: KeyKind): Promise<readonly KeyRow[]> =>
      records.all<KeyRow>(
        sql`SELECT ${COLUMNS} FROM "keys" WHERE ${validOf(accountId, kind)} ORDER BY "seq" DESC
          LIMIT ${raw(String(kind === 'device' ? 2 * LIMITS.deviceKeysMax : LIMITS.keysMax))}`,
      ),
    /** Older keys of the same device end when a new one is first used, so that a lost response locks no device out. */
    recordFirstUse: ({ id, accountId, deviceId }: KeyRow): Promise<void> =>
      records.transaction(async (tx) => {
        const now = clock.now();
        const used = await tx.run(
          sql`UPDATE "keys" SET "firstUsedAt" = ${now} WHERE "id" = ${id} AND "firstUsedAt" IS NULL`,
        );
        if (used === 0) return;
        await tx.run(
          sql`UPDATE "keys" SET "revokedAt" = ${now}
            WHERE "accountId" = ${accountId} AND "deviceId" = ${deviceId} AND "revokedAt" IS NULL
              AND "seq" < (SELECT "seq" FROM "keys" WHERE "id" = ${id})`,
        );
      }),
    /**
     * Also ends connections in progress of the key's device, which would get another key afterwards. False: the account has no
     * such key. Idempotent.
     */
    revokeOwn: (accountId: AccountId, id: string): Promise<boolean> =>
      records.transaction(async (tx) => {
        const accounts = accountStore(tx);
        await accounts.lock(accountId);
        const key = await tx.get<Pick<KeyRow, 'deviceId'>>(
          sql`UPDATE "keys" SET "revokedAt" = coalesce("revokedAt", ${clock.now()})
            WHERE "id" = ${id} AND "accountId" = ${accountId} RETURNING "deviceId"`,
        );
        const deviceId = key?.deviceId ?? null;
        if (deviceId !== null) await accounts.endUnfinishedConnections(accountId, deviceId);
        return key !== undefined;
      }),
    /** Also ends connections in progress, of which a device would get a key afterwards. */
    revokeDevices: (accountId: AccountId): Promise<void> =>
      records.transaction(async (tx) => {
        const accounts = accountStore(tx);
        await accounts.lock(accountId);
        await accounts.endUnfinishedConnections(accountId);
        await tx.run(sql`UPDATE "keys" SET "revokedAt" = ${clock.now()} WHERE ${validOf(accountId, 'device')}`);
      }),
    /** Throws `AccountError` for an unknown id. Idempotent. */
    revoke: async (id: string): Promise<void> => {
      const revoked = await records.run(
        sql`UPDATE "keys" SET "revokedAt" = coalesce("revokedAt", ${clock.now()}) WHERE "id" = ${id}`,
      );
      if (revoked === 0) throw new AccountError(`There is no key with the id ${id}.`);
    },
  };
};

const hashOf = (apiKey: string): Buffer => hash('sha256', apiKey, 'buffer');

export const scopesOf = (key: KeyRow): readonly Scope[] => key.scopes.split(' ') as Scope[];
