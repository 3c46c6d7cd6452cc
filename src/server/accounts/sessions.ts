/** Sessions of the account's pages: 256 random bits in a cookie, of which only the SHA-256 is stored, for 30 days. */
import { createHash } from 'node:crypto';
import type {} from '@fastify/cookie';
import type Database from 'better-sqlite3';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock, Random } from '../clock-and-random.ts';

const TOKEN_BYTES = 32;
/** A use is recorded at most this often, because a write costs more than a page. */
const RECORD_USE_MS = 3_600_000;
const ID_CHARACTERS = 32;

interface Session {
  readonly accountId: AccountId;
  /** Wrongly typed device codes. */
  readonly wrongCodes: number;
  readonly usedAt: number | null;
}

/** Where a sign-in came from, as its owner will recognise it. */
export interface SignInOrigin {
  /** Browser and system, such as `Firefox · Linux`; null: unknown. */
  readonly browser: string | null;
  readonly ip: string;
}

/** A session as its account's owner sees it. Times are milliseconds since 1970; null in sessions of older versions. */
export interface ListedSession {
  /** The beginning of its hash, which opens nothing. */
  readonly id: string;
  readonly browser: string | null;
  readonly ip: string | null;
  readonly createdAt: number;
  readonly usedAt: number | null;
}

export type Sessions = ReturnType<typeof createSessions>;

export const createSessions = (deps: {
  readonly database: Database.Database;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { database, clock, random } = deps;
  const insert = database.prepare<
    SignInOrigin & { hash: Buffer; accountId: AccountId; now: number; expiresAt: number }
  >(
    `INSERT INTO sessions (hash, accountId, browser, ip, createdAt, usedAt, expiresAt)
     VALUES (@hash, @accountId, @browser, @ip, @now, @now, @expiresAt)`,
  );
  const select = database.prepare<[Buffer, number], Session>(
    'SELECT accountId, wrongCodes, usedAt FROM sessions WHERE hash = ? AND expiresAt > ?',
  );
  const updateUsed = database.prepare<[number, Buffer]>('UPDATE sessions SET usedAt = ? WHERE hash = ?');
  const ID = `substr(lower(hex(hash)), 1, ${ID_CHARACTERS})`;
  const selectAll = database.prepare<[AccountId, number], ListedSession>(
    `SELECT ${ID} AS id, browser, ip, createdAt, usedAt FROM sessions WHERE accountId = ? AND expiresAt > ?
     ORDER BY coalesce(usedAt, createdAt) DESC, createdAt DESC`,
  );
  const removeOne = database.prepare<[AccountId, string]>(`DELETE FROM sessions WHERE accountId = ? AND ${ID} = ?`);
  const removeOthers = database.prepare<[AccountId, string]>(`DELETE FROM sessions WHERE accountId = ? AND ${ID} <> ?`);
  const addWrongCode = database.prepare<[Buffer], { wrongCodes: number }>(
    'UPDATE sessions SET wrongCodes = wrongCodes + 1 WHERE hash = ? RETURNING wrongCodes',
  );
  const remove = database.prepare<[Buffer]>('DELETE FROM sessions WHERE hash = ?');
  const removeEnded = database.prepare<[number]>('DELETE FROM sessions WHERE expiresAt <= ?');

  const recordUse = (hash: Buffer, now: number): void => {
    try {
      updateUsed.run(now, hash);
    } catch {
      // A full disk must not close pages that only read.
    }
  };

  return {
    /** The token for the cookie; a new one for every sign-in, which prevents session fixation. */
    start: (accountId: AccountId, from: SignInOrigin): string => {
      const token = random.bytes(TOKEN_BYTES).toString('base64url');
      const now = clock.now();
      insert.run({ ...from, hash: hashOf(token), accountId, now, expiresAt: now + LIMITS.sessionMs });
      return token;
    },
    /** Records the use. */
    find: (token: string): Session | undefined => {
      const [hash, now] = [hashOf(token), clock.now()];
      const session = select.get(hash, now);
      if (session !== undefined && now - (session.usedAt ?? 0) >= RECORD_USE_MS) recordUse(hash, now);
      return session;
    },
    /** The last used first. */
    list: (accountId: AccountId): readonly ListedSession[] => selectAll.all(accountId, clock.now()),
    idOf: (token: string): string => hashOf(token).toString('hex').slice(0, ID_CHARACTERS),
    /** False: the account has no such session. */
    endOwn: (accountId: AccountId, id: string): boolean => removeOne.run(accountId, id).changes > 0,
    /** Ends all sessions of the account except the one with this id. Returns their number. */
    endOthers: (accountId: AccountId, id: string): number => removeOthers.run(accountId, id).changes,
    end: (token: string): void => {
      remove.run(hashOf(token));
    },
    /** Counts a wrong code; the sixth ends the session (API decisions 4). */
    countWrongCode: (token: string): 'goes-on' | 'ended' => {
      const counted = addWrongCode.get(hashOf(token));
      if (counted !== undefined && counted.wrongCodes <= LIMITS.wrongUserCodes) return 'goes-on';
      remove.run(hashOf(token));
      return 'ended';
    },
    sweep: (): void => {
      removeEnded.run(clock.now());
    },
  };
};

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const NAME = 'session';
const VALUE = /^[0-9A-Za-z_-]{43}$/;

const cookieName = (origin: string): string => (origin.startsWith('https:') ? `__Host-${NAME}` : NAME);

/** The token of the request's cookie, if it has the right form. Works before any plugin has read the cookies. */
export const readSessionToken = ({ headers }: Pick<FastifyRequest, 'headers'>, origin: string): string | null => {
  const start = `${cookieName(origin)}=`;
  for (const cookie of headers.cookie?.split(';') ?? []) {
    const text = cookie.trim();
    if (text.startsWith(start) && VALUE.test(text.slice(start.length))) return text.slice(start.length);
  }
  return null;
};

const attributes = (origin: string) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: origin.startsWith('https:') }) as const;

/** The session cookie: HttpOnly, SameSite=Lax, and over https bound to this host alone (`__Host-`). */
export const setSessionCookie = (reply: FastifyReply, token: string, origin: string): void => {
  reply.setCookie(cookieName(origin), token, { ...attributes(origin), maxAge: LIMITS.sessionMs / 1_000 });
};

export const clearSessionCookie = (reply: FastifyReply, origin: string): void => {
  reply.clearCookie(cookieName(origin), attributes(origin));
};
