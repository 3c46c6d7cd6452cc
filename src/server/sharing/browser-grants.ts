/**
 * Records which items a browser has opened, so that it may read an item again until the grant expires or the access to
 * the item changes. A cookie of 128 random bits identifies the browser; only its SHA-256 is stored.
 */
import { createHash } from 'node:crypto';
// Parses the cookies of requests; the content module registers it.
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Brand, ContentId } from '../../api/ids.ts';
import type { Random } from '../clock-and-random.ts';
import type { Sql } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';

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
  /** The grant that is valid at `now`. */
  live: (viewer: Viewer, item: { id: ContentId; accessVersion: number }, now: number): Promise<Grant | undefined> =>
    records.get<Grant>(
      sql`SELECT "expiresAt" FROM "grants" WHERE "viewer" = ${viewer} AND "contentId" = ${item.id}
        AND "accessVersion" = ${item.accessVersion} AND "expiresAt" > ${now}`,
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

// The cookie that proves what a browser has opened (API decisions 6): HttpOnly, SameSite=Lax, 128 random bits.

const NAME = 'viewer';
const TOKEN = /^[0-9A-Za-z_-]{22}$/;

/** Browsers keep `__Host-` cookies for https only; plain http is for a try-out on one's own machine. */
const cookieName = (origin: string): string => (origin.startsWith('https:') ? `__Host-${NAME}` : NAME);

/** The token of the request's cookie, if it has the right form. */
export const readViewerToken = (request: FastifyRequest, origin: string): string | null => {
  const token = request.cookies[cookieName(origin)];
  return token !== undefined && TOKEN.test(token) ? token : null;
};

export const newViewerToken = (random: Random): string => random.bytes(VIEWER_BYTES).toString('base64url');

export const viewerOfRequest = (request: FastifyRequest, origin: string): Viewer | null => {
  const token = readViewerToken(request, origin);
  return token === null ? null : viewerOf(token);
};

export const setViewerCookie = (
  reply: FastifyReply,
  token: string,
  { origin, maxAgeSeconds }: { readonly origin: string; readonly maxAgeSeconds: number },
): void => {
  const secure = origin.startsWith('https:');
  const maxAge = Math.ceil(maxAgeSeconds);
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge } as const;
  reply.setCookie(cookieName(origin), token, attributes);
};
