/** The cookie that proves what a browser has opened (decisions 6): HttpOnly, SameSite=Lax, 128 random bits. */
// Parses the cookies of requests; the content module registers it.
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Random } from '../clock-and-random.ts';
import { VIEWER_BYTES, type Viewer, viewerOf } from './grants.ts';

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
