/** The session cookie: HttpOnly, SameSite=Lax, and over https bound to this host alone (`__Host-`). */
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '../../api/limits.ts';

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

export const setSessionCookie = (reply: FastifyReply, token: string, origin: string): void => {
  reply.setCookie(cookieName(origin), token, { ...attributes(origin), maxAge: LIMITS.sessionMs / 1_000 });
};

export const clearSessionCookie = (reply: FastifyReply, origin: string): void => {
  reply.clearCookie(cookieName(origin), attributes(origin));
};
