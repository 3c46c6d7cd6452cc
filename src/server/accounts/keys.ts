/** API keys (API decisions 4): 256 random bits, shown once when created, stored only as their SHA-256. */
import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { SCOPES, type Scope } from '../../api/account.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock, Random } from '../clock-and-random.ts';
import { AccountError, type AccountRow } from './accounts.ts';

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
}

export interface KeyAndAccount {
  readonly key: KeyRow;
  readonly account: AccountRow;
}

const KEY_PREFIX = 'lsk_';
const KEY_BYTES = 32;
const COLUMNS = `id, accountId, name, scopes, expiresAt, revokedAt, client, deviceName, deviceId, firstUsedAt,
  accessChangedAt, createdAt`;

export type Keys = ReturnType<typeof createKeys>;

export const createKeys = (deps: {
  readonly database: Database.Database;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { database, clock, random } = deps;
  const insert = database.prepare(
    `INSERT INTO keys (id, accountId, hash, name, scopes, expiresAt, client, deviceName, deviceId, createdAt)
     VALUES (@id, @accountId, @hash, @name, @scopes, @expiresAt, @client, @deviceName, @deviceId, @createdAt)`,
  );
  // The sub-select keeps SQLite (built with STAT4) from planning the join again for every bound hash.
  const selectByHash = database
    .prepare<[Buffer], { keys: KeyRow; accounts: AccountRow }>(
      `SELECT keys.*, accounts.* FROM keys CROSS JOIN accounts ON accounts.id = keys.accountId
       WHERE keys.hash = (SELECT ?)`,
    )
    .expand();
  const updateRevoked = database.prepare<[number, string]>(
    'UPDATE keys SET revokedAt = coalesce(revokedAt, ?) WHERE id = ?',
  );
  const selectById = database.prepare<[string], KeyRow>(`SELECT ${COLUMNS} FROM keys WHERE id = ?`);
  const selectLive = database.prepare<{ accountId: AccountId; now: number }, KeyRow>(
    `SELECT ${COLUMNS} FROM keys WHERE accountId = @accountId AND revokedAt IS NULL AND accessChangedAt IS NULL
       AND (expiresAt IS NULL OR expiresAt > @now) ORDER BY rowid DESC`,
  );
  const updateRevokedOwn = database.prepare<[number, string, AccountId]>(
    'UPDATE keys SET revokedAt = coalesce(revokedAt, ?) WHERE id = ? AND accountId = ?',
  );
  const updateUsed = database.prepare<{ id: string; now: number }>(
    'UPDATE keys SET firstUsedAt = @now WHERE id = @id AND firstUsedAt IS NULL',
  );
  const revokeOlder = database.prepare<{ id: string; accountId: AccountId; deviceId: string | null; now: number }>(
    `UPDATE keys SET revokedAt = @now WHERE accountId = @accountId AND deviceId = @deviceId AND revokedAt IS NULL
       AND rowid < (SELECT rowid FROM keys WHERE id = @id)`,
  );

  return {
    /** Creates a key. Only this call returns it in full. Throws `AccountError` when a field breaks the rules. */
    add: ({
      accountId,
      scopes,
      name = 'API key',
      expiresAt = null,
      device,
    }: NewKey): { id: string; apiKey: string } => {
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
      insert.run({
        id,
        accountId,
        hash: hashOf(apiKey),
        name,
        scopes: granted.join(' '),
        expiresAt,
        client: device?.client ?? null,
        deviceName: device?.deviceName ?? null,
        deviceId: device?.deviceId ?? null,
        createdAt: clock.now(),
      });
      return { id, apiKey };
    },
    /** The key and its account in their current state, valid or not. */
    find: (apiKey: string): KeyAndAccount | undefined => {
      const row = selectByHash.get(hashOf(apiKey));
      return row && { key: row.keys, account: row.accounts };
    },
    byId: (id: string): KeyRow | undefined => selectById.get(id),
    /** Valid keys, newest first. */
    live: (accountId: AccountId): readonly KeyRow[] => selectLive.all({ accountId, now: clock.now() }),
    /** Older keys of the same device end when a new one is first used, so that a lost response locks no device out. */
    recordFirstUse: database.transaction(({ id, accountId, deviceId }: KeyRow): void => {
      const now = clock.now();
      if (updateUsed.run({ id, now }).changes > 0) revokeOlder.run({ id, accountId, deviceId, now });
    }).immediate,
    /** False: the account has no such key. Idempotent. */
    revokeOwn: (accountId: AccountId, id: string): boolean =>
      updateRevokedOwn.run(clock.now(), id, accountId).changes > 0,
    /** Throws `AccountError` for an unknown id. Idempotent. */
    revoke: (id: string): void => {
      if (updateRevoked.run(clock.now(), id).changes === 0)
        throw new AccountError(`There is no key with the id ${id}.`);
    },
  };
};

const hashOf = (apiKey: string): Buffer => hash('sha256', apiKey, 'buffer');

export const scopesOf = (key: KeyRow): readonly Scope[] => key.scopes.split(' ') as Scope[];
