/**
 * The store of the sessions on the account's pages, and the session cookie. A session lasts at most 30 days; too many
 * wrong device codes end it, and so do too many newer ones. Its token has 256 random bits and is stored only as its
 * SHA-256.
 */
import { createHash } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import type { Clock, Random } from '../clock-and-random.ts';
import type { ServerDatabase } from '../database/database-interface.ts';
import { raw, sql } from '../database/sql-template.ts';
import { accountStore, type SeenAccount } from './accounts.ts';

const TOKEN_BYTES = 32;
/** A use is recorded at most this often, because a write costs more than a page. */
const RECORD_USE_MS = 3_600_000;
/** Enough to tell sessions apart, too little to open one. */
const ID_BYTES = 16;
const LAST_USED_FIRST = raw('coalesce("usedAt", "createdAt") DESC, "createdAt" DESC');
const MOST = raw(String(LIMITS.sessionsMax));

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
  readonly records: ServerDatabase;
  readonly clock: Clock;
  readonly random: Random;
}) => {
  const { records, clock, random } = deps;

  const recordUse = async (hash: Buffer, now: number): Promise<void> => {
    try {
      await records.run(sql`UPDATE "sessions" SET "usedAt" = ${now} WHERE "hash" = ${hash}`);
    } catch {
      // A full disk must not close pages that only read.
    }
  };

  const remove = (hash: Buffer): Promise<number> => records.run(sql`DELETE FROM "sessions" WHERE "hash" = ${hash}`);

  return {
    /**
     * The token for the cookie; a new one for every sign-in, which prevents session fixation. Null: the password of
     * `account` was changed since it was checked, or the account was banned. Ends the sessions that were not used for
     * longest, so that `LIMITS.sessionsMax` are left.
     */
    start: (account: SeenAccount, { browser, ip }: SignInOrigin): Promise<string | null> =>
      records.transaction(async (tx) => {
        if ((await accountStore(tx).lockAsSeen(account)) === undefined) return null;
        const token = random.bytes(TOKEN_BYTES).toString('base64url');
        const [hash, now] = [hashOf(token), clock.now()];
        await tx.run(
          sql`INSERT INTO "sessions" ("hash", "accountId", "browser", "ip", "createdAt", "usedAt", "expiresAt")
            VALUES (${hash}, ${account.id}, ${browser}, ${ip}, ${now}, ${now}, ${now + LIMITS.sessionMs})`,
        );
        await tx.run(
          sql`DELETE FROM "sessions" WHERE "accountId" = ${account.id} AND "hash" NOT IN (
              SELECT "hash" FROM "sessions" WHERE "accountId" = ${account.id}
              ORDER BY "hash" = ${hash} DESC, ${LAST_USED_FIRST} LIMIT ${MOST})`,
        );
        return token;
      }),
    /** Records the use. */
    find: async (token: string): Promise<Session | undefined> => {
      const [hash, now] = [hashOf(token), clock.now()];
      const session = await records.get<Session>(
        sql`SELECT "accountId", "wrongCodes", "usedAt" FROM "sessions" WHERE "hash" = ${hash} AND "expiresAt" > ${now}`,
      );
      if (session !== undefined && ageMs(session.usedAt ?? 0, now) >= RECORD_USE_MS) await recordUse(hash, now);
      return session;
    },
    /** The last used first. */
    list: async (accountId: AccountId): Promise<readonly ListedSession[]> => {
      const rows = await records.all<Omit<ListedSession, 'id'> & { readonly hash: Buffer }>(
        sql`SELECT "hash", "browser", "ip", "createdAt", "usedAt" FROM "sessions"
          WHERE "accountId" = ${accountId} AND "expiresAt" > ${clock.now()}
          ORDER BY ${LAST_USED_FIRST} LIMIT ${MOST}`,
      );
      return rows.map(({ hash, ...session }) => ({ id: idOfHash(hash), ...session }));
    },
    idOf: (token: string): string => idOfHash(hashOf(token)),
    /** False: the account has no such session. */
    endOwn: async (accountId: AccountId, id: string): Promise<boolean> =>
      (await records.run(
        sql`DELETE FROM "sessions" WHERE "accountId" = ${accountId} AND substr("hash", 1, ${ID_BYTES}) = ${startOf(id)}`,
      )) > 0,
    /** Ends all sessions of the account except the one with this id. Resolves with their number. */
    endOthers: (accountId: AccountId, id: string): Promise<number> =>
      records.run(
        sql`DELETE FROM "sessions" WHERE "accountId" = ${accountId} AND substr("hash", 1, ${ID_BYTES}) <> ${startOf(id)}`,
      ),
    end: async (token: string): Promise<void> => {
      await remove(hashOf(token));
    },
    /** Counts a wrong code; the sixth ends the session (API decisions 4). */
    countWrongCode: async (token: string): Promise<'goes-on' | 'ended'> => {
      const hash = hashOf(token);
      const counted = await records.get<{ wrongCodes: number }>(
        sql`UPDATE "sessions" SET "wrongCodes" = "wrongCodes" + 1 WHERE "hash" = ${hash} RETURNING "wrongCodes"`,
      );
      if (counted !== undefined && counted.wrongCodes <= LIMITS.wrongUserCodes) return 'goes-on';
      await remove(hash);
      return 'ended';
    },
    sweep: async (): Promise<void> => {
      await records.run(sql`DELETE FROM "sessions" WHERE "expiresAt" <= ${clock.now()}`);
    },
  };
};

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const idOfHash = (hash: Buffer): string => hash.toString('hex', 0, ID_BYTES);
/** The bytes that `idOfHash` has made; fewer, which fit no session, for any other text. */
const startOf = (id: string): Buffer => Buffer.from(id, 'hex');

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
