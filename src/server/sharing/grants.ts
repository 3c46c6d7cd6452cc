/**
 * Records which items a browser has opened, so that it may read them. A browser is known by a cookie of 128 random bits, of
 * which only the SHA-256 is stored. A grant is for one item in one accessVersion: any change of access ends it.
 */
import { createHash } from 'node:crypto';
// Parses the cookies of requests; the content module registers it.
import type {} from '@fastify/cookie';
import type Database from 'better-sqlite3';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Brand, ContentId } from '../../api/ids.ts';
import type { Random } from '../clock-and-random.ts';

/** SHA-256 of a viewer cookie. */
export type Viewer = Buffer & Brand<'Viewer'>;

const VIEWER_BYTES = 16;

export const viewerOf = (cookie: string): Viewer => createHash('sha256').update(cookie).digest() as Viewer;

export interface Grant {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export const createGrants = (database: Database.Database) => {
  const put = database.prepare<[Viewer, ContentId, number, number]>(
    `INSERT INTO grants (viewer, contentId, accessVersion, expiresAt) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET accessVersion = excluded.accessVersion, expiresAt = excluded.expiresAt`,
  );
  const select = database.prepare<[Viewer, ContentId, number, number], Grant>(
    'SELECT expiresAt FROM grants WHERE viewer = ? AND contentId = ? AND accessVersion = ? AND expiresAt > ?',
  );
  const selectViewer = database.prepare<[Viewer], unknown>('SELECT 1 FROM grants WHERE viewer = ? LIMIT 1');
  const removeByContent = database.prepare<[ContentId]>('DELETE FROM grants WHERE contentId = ?');
  const removeEnded = database.prepare<[number]>('DELETE FROM grants WHERE expiresAt <= ?');

  return {
    give: (viewer: Viewer, item: { id: ContentId; accessVersion: number }, expiresAt: number): void => {
      put.run(viewer, item.id, item.accessVersion, expiresAt);
    },
    /** The grant that is valid at `now`. */
    live: (viewer: Viewer, item: { id: ContentId; accessVersion: number }, now: number): Grant | undefined =>
      select.get(viewer, item.id, item.accessVersion, now),
    /** Whether this server issued the cookie; a planted value is not accepted. */
    isKnown: (viewer: Viewer): boolean => selectViewer.get(viewer) !== undefined,
    removeAll: (id: ContentId): void => {
      removeByContent.run(id);
    },
    sweep: (now: number): void => {
      removeEnded.run(now);
    },
  };
};

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
