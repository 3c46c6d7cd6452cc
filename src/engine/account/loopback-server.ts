/**
 * Receives the browser's approval response on this machine (RFC 8252, 7.3). The port on 127.0.0.1 is open only while an
 * approval is pending, and responses without this flow's `state` are rejected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Ending, endingPage } from './loopback-page.ts';

/** The redirect parameters from the service. */
export type Answer = { readonly code: string } | { readonly error: string };

export interface Loopback {
  readonly redirectUri: string;
  close(): void;
}

const PATH = '/callback';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/**
 * The first valid response is passed to `handle`, and its outcome is shown in the browser. Null where no port is
 * available.
 */
export const openLoopback = async (
  state: string,
  handle: (answer: Answer) => Promise<Ending>,
): Promise<Loopback | null> => {
  // Imported here because few runs connect, and a static import would load Node's own WebSocket and fetch in every run.
  const { createServer } = await import('node:http');
  let host = '';
  let isHandled = false;

  const endingOf = ({ method, url, headers }: IncomingMessage): Promise<Ending> | null => {
    const address = URL.parse(url ?? '', `http://${host}`);
    const parameters = address?.searchParams;
    const code = parameters?.get('code');
    const error = parameters?.get('error');
    const isOurs = method === 'GET' && headers.host === host && address?.pathname === PATH;
    if (!isOurs || parameters?.get('state') !== state || (!code && !error) || isHandled) return null;
    isHandled = true;
    return handle(code ? { code } : { error: error ?? '' });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const ending = endingOf(request);
    if (ending === null) return response.writeHead(404, { 'cache-control': 'no-store', connection: 'close' }).end();
    const page = endingPage(await ending, request.headers['accept-language'] ?? '');
    return response.writeHead(200, HEADERS).end(page);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(0, '127.0.0.1', () => {
      host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      resolve({
        redirectUri: `http://${host}${PATH}`,
        // A response that is being written still completes.
        close: () => void server.close(),
      });
    });
  });
};
