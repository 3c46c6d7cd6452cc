/**
 * Who may talk to the browser host. Any page of the web can send requests to 127.0.0.1, and any name can resolve to it,
 * so each request must name this very address as its Host, come from this page, and carry the token of this run.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** `stranger`: the right page without the right token, e.g. one left open from an earlier start. */
export type Verdict = 'welcome' | 'entering' | 'stranger' | 'foreign';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: string | undefined, expected: string): boolean =>
  given !== undefined && timingSafeEqual(digest(given), digest(expected));

/** Cookies do not know ports: the name keeps two hosts of one machine apart. */
export const cookieName = (port: number): string => `linkshot-${port}`;

export const createGuard = (token: string, port: () => number): ((request: FastifyRequest) => Verdict) => {
  const changesSomething = ({ method, headers }: FastifyRequest): boolean =>
    (method !== 'GET' && method !== 'HEAD') || headers.upgrade !== undefined;

  return (request) => {
    const { headers } = request;
    const host = `127.0.0.1:${port()}`;
    if (headers.host !== host) return 'foreign';
    if (headers.origin === undefined ? changesSomething(request) : headers.origin !== `http://${host}`)
      return 'foreign';
    // `//[` names another host, or none that can be read.
    const url = URL.parse(request.url, `http://${host}`);
    if (url?.host !== host) return 'foreign';
    if (request.method === 'GET' && url.pathname === '/' && url.searchParams.has('token'))
      return isSame(url.searchParams.get('token') ?? undefined, token) ? 'entering' : 'stranger';
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign';
    return isSame(request.cookies[cookieName(port())], token) ? 'welcome' : 'stranger';
  };
};
