/**
 * Records which items a browser has opened, so that it may read an item again until the grant expires or the access to
 * the item changes. A cookie of 128 random bits identifies the browser; only its SHA-256 is stored. Responses to opens at
 * the same time overwrite each other's cookie, so an item has a cookie of its own too.
 */
import { createHash } from 'node:crypto';
// Parses the cookies of requests; the content module registers it.
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Brand, ContentId } from '../../api/ids.ts';
import type { Random } from '../clock-and-random.ts';
import type { Sql } from '../database/database-interface.ts';
import { join, sql } from '../database/sql-template.ts';

/** SHA-256 of a viewer cookie. */
export type Viewer = Buffer & Brand<'Viewer'>;

const VIEWER_BYTES = 16;

export const viewerOf = (cookie: string): Viewer => createHash('sha256').update(cookie).digest() as Viewer;

export interface Grant {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export const grantStore = (records: Sql) => ({
  give: async (viewer: Viewer, item: { id: ContentId; accessVersion: number }, expiresAt: number): Promise<void> => {
    await records.run(
      sql`INSERT INTO "grants" ("viewer", "contentId", "accessVersion", "expiresAt")
        VALUES (${viewer}, ${item.id}, ${item.accessVersion}, ${expiresAt}) ON CONFLICT ("viewer", "contentId")
        DO UPDATE SET "accessVersion" = excluded."accessVersion", "expiresAt" = excluded."expiresAt"`,
    );
  },
  /** The grant of any of the viewers that is valid at `now`; of several, the one that lasts longest. */
  live: async (
    viewers: readonly Viewer[],
    item: { id: ContentId; accessVersion: number },
    now: number,
  ): Promise<Grant | undefined> =>
    viewers.length === 0
      ? undefined
      : await records.get<Grant>(
          sql`SELECT "expiresAt" FROM "grants" WHERE "viewer" IN (${join(viewers)}) AND "contentId" = ${item.id}
            AND "accessVersion" = ${item.accessVersion} AND "expiresAt" > ${now} ORDER BY "expiresAt" DESC LIMIT 1`,
        ),
  /** Whether this server issued the cookie; a planted value is not accepted. */
  isKnown: async (viewer: Viewer): Promise<boolean> =>
    (await records.get(sql`SELECT 1 AS "known" FROM "grants" WHERE "viewer" = ${viewer} LIMIT 1`)) !== undefined,
  removeAll: async (id: ContentId): Promise<void> => {
    await records.run(sql`DELETE FROM "grants" WHERE "contentId" = ${id}`);
  },
  sweep: async (now: number): Promise<void> => {
    await records.run(sql`DELETE FROM "grants" WHERE "expiresAt" <= ${now}`);
  },
});

// The cookies that prove what a browser has opened (API decisions 6): HttpOnly, SameSite=Lax, 128 random bits.

const NAME = 'viewer';
const TOKEN = /^[0-9A-Za-z_-]{22}$/;
/** Above, only an open that makes a new token sets a cookie of its item: browsers and proxies limit their size. */
const ITEM_COOKIES_MAX = 20;

/** Browsers keep `__Host-` cookies for https only; plain http is for a try-out on one's own machine. */
const browserCookie = (origin: string): string => (origin.startsWith('https:') ? `__Host-${NAME}` : NAME);
const itemCookie = (origin: string, id: string): string => `${browserCookie(origin)}_${id}`;

const tokenIn = (request: FastifyRequest, name: string): string | null => {
  const token = request.cookies[name];
  return token !== undefined && TOKEN.test(token) ? token : null;
};

/** The browser's token, if it has the right form. */
export const readViewerToken = (request: FastifyRequest, origin: string): string | null =>
  tokenIn(request, browserCookie(origin));

export const newViewerToken = (random: Random): string => random.bytes(VIEWER_BYTES).toString('base64url');

/** Whose grants for the item the request may use. */
export const viewersOfRequest = (request: FastifyRequest, origin: string, id: ContentId): readonly Viewer[] =>
  [readViewerToken(request, origin), tokenIn(request, itemCookie(origin, id))]
    .filter((token) => token !== null)
    .map(viewerOf);

/** A grant that was given, for the cookies of the response. */
export interface GivenGrant {
  readonly token: string;
  readonly id: ContentId;
  readonly seconds: number;
}

/** `browserSeconds`: how long the browser keeps its token, at least as long as any grant. */
export const setViewerCookies = (
  request: FastifyRequest,
  reply: FastifyReply,
  { token, id, seconds }: GivenGrant,
  { origin, browserSeconds }: { readonly origin: string; readonly browserSeconds: number },
): void => {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: origin.startsWith('https:') } as const;
  reply.setCookie(browserCookie(origin), token, { ...attributes, maxAge: Math.ceil(browserSeconds) });
  const isNew = token !== readViewerToken(request, origin);
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(itemCookie(origin, '')));
  if (isNew || others.length < ITEM_COOKIES_MAX)
    reply.setCookie(itemCookie(origin, id), token, { ...attributes, maxAge: Math.ceil(seconds) });
};
