/** API keys (decisions 4): 256 random bits, shown once when made, kept only as their SHA-256. */
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { SCOPES, type Scope } from '../../contract/account.ts';
import type { AccountId } from '../../contract/ids.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Clock, Random } from '../system.ts';
import { AccountError } from './accounts.ts';

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
  readonly createdAt: number;
}

export interface NewKey {
  readonly accountId: AccountId;
  readonly scopes: readonly Scope[];
  readonly name?: string;
  /** Milliseconds since 1970; may lie in the past. Null or omitted: the key does not expire. */
  readonly expiresAt?: number | null;
}

const KEY_PREFIX = 'lsk_';
const KEY_BYTES = 32;

export type Keys = ReturnType<typeof createKeys>;

export const createKeys = (deps: {
  readonly database: Database.Database;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { database, clock, random } = deps;
  const insert = database.prepare(
    `INSERT INTO keys (id, accountId, hash, name, scopes, expiresAt, createdAt)
     VALUES (@id, @accountId, @hash, @name, @scopes, @expiresAt, @createdAt)`,
  );
  const selectByHash = database.prepare<[Buffer], KeyRow>(
    `SELECT id, accountId, name, scopes, expiresAt, revokedAt, client, deviceName, createdAt FROM keys WHERE hash = ?`,
  );
  const updateRevoked = database.prepare<[number, string]>(
    'UPDATE keys SET revokedAt = coalesce(revokedAt, ?) WHERE id = ?',
  );

  return {
    /** Makes a key. This is the only time it can be read. Throws `AccountError` when a field breaks the rules. */
    add: ({ accountId, scopes, name = 'API key', expiresAt = null }: NewKey): { id: string; apiKey: string } => {
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
        createdAt: clock.now(),
      });
      return { id, apiKey };
    },
    find: (apiKey: string): KeyRow | undefined => selectByHash.get(hashOf(apiKey)),
    /** Throws `AccountError` for an unknown id. Repeating it changes nothing. */
    revoke: (id: string): void => {
      if (updateRevoked.run(clock.now(), id).changes === 0)
        throw new AccountError(`There is no key with the id ${id}.`);
    },
  };
};

const hashOf = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();

export const scopesOf = (key: KeyRow): readonly Scope[] => key.scopes.split(' ') as Scope[];
