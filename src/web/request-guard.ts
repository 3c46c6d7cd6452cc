/**
 * Decides which requests are answered by the browser host, the local web server that serves the app's page. Any web
 * page can send requests to 127.0.0.1, so a request must come from this page and use one of the page's own addresses. A
 * request that reads or changes data must also carry the key of this run, in a header or the URL instead of a cookie,
 * because a browser sends cookies to every port of a host.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { KEY_HEADER, KEY_PROTOCOL_PREFIX, mediaKeyOf } from '../ipc/protocol/page-key.ts';

/** `stranger`: the right page without the right key, e.g. one left open from an earlier start. */
export type Verdict = 'welcome' | 'stranger' | 'foreign';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: unknown, expected: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(expected));

/** Which key a route requires: none for the static files of the page. */
const ROUTES: Readonly<Record<string, 'none' | 'media'>> = {
  '/': 'none',
  '/*': 'none',
  '/thumbnails/:id': 'media',
  '/captures/:id/:what': 'media',
  '/recordings/:id': 'media',
  '/media/:id': 'media',
  '/media/:id/preview': 'media',
};

const protocolKey = (header: string | undefined): string | undefined =>
  header
    ?.split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(KEY_PROTOCOL_PREFIX))
    ?.slice(KEY_PROTOCOL_PREFIX.length);

/** `origins`: those at which the page may be opened. */
export const createRequestGuard = (
  key: string,
  origins: () => readonly string[],
): ((request: FastifyRequest) => Verdict) => {
  const changesSomething = ({ method, headers }: FastifyRequest): boolean =>
    (method !== 'GET' && method !== 'HEAD') || headers.upgrade !== undefined;

  const hasKey = (request: FastifyRequest): boolean => {
    const { headers, query, routeOptions } = request;
    const route = routeOptions.url;
    const asks = changesSomething(request) ? 'control' : route === undefined ? 'none' : (ROUTES[route] ?? 'control');
    if (asks === 'none') return true;
    if (asks === 'media') return isSame((query as { key?: unknown }).key, mediaKeyOf(key));
    const given = headers.upgrade === undefined ? headers[KEY_HEADER] : protocolKey(headers['sec-websocket-protocol']);
    return isSame(given, key);
  };

  return (request) => {
    const { headers } = request;
    const own = origins().find((origin) => new URL(origin).host === headers.host);
    if (own === undefined) return 'foreign';
    if (headers.origin === undefined ? changesSomething(request) : headers.origin !== own) return 'foreign';
    // `//[` names another host, or is unparsable.
    if (URL.parse(request.url, own)?.origin !== own) return 'foreign';
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign';
    return hasKey(request) ? 'welcome' : 'stranger';
  };
};
