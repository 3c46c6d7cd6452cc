/** Sessions of the account's pages: 256 random bits in a cookie, of which only the SHA-256 is stored, for 30 days. */
import { createHash } from 'node:crypto';
import type {} from '@fastify/cookie';
import type Database from 'better-sqlite3';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock, Random } from '../clock-and-random.ts';

const TOKEN_BYTES = 32;

interface Session {
  readonly accountId: AccountId;
  /** Wrongly typed device codes. */
  readonly wrongCodes: number;
}

export type Sessions = ReturnType<typeof createSessions>;

export const createSessions = (deps: {
  readonly database: Database.Database;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { database, clock, random } = deps;
  const insert = database.prepare<[Buffer, AccountId, number, number]>(
    'INSERT INTO sessions (hash, accountId, createdAt, expiresAt) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare<[Buffer, number], Session>(
    'SELECT accountId, wrongCodes FROM sessions WHERE hash = ? AND expiresAt > ?',
  );
  const addWrongCode = database.prepare<[Buffer], { wrongCodes: number }>(
    'UPDATE sessions SET wrongCodes = wrongCodes + 1 WHERE hash = ? RETURNING wrongCodes',
  );
  const remove = database.prepare<[Buffer]>('DELETE FROM sessions WHERE hash = ?');
  const removeEnded = database.prepare<[number]>('DELETE FROM sessions WHERE expiresAt <= ?');

  return {
    /** The token for the cookie; a new one for every sign-in, which prevents session fixation. */
    start: (accountId: AccountId): string => {
      const token = random.bytes(TOKEN_BYTES).toString('base64url');
      const now = clock.now();
      insert.run(hashOf(token), accountId, now, now + LIMITS.sessionMs);
      return token;
    },
    find: (token: string): Session | undefined => select.get(hashOf(token), clock.now()),
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
