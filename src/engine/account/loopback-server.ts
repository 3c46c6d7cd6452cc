/**
 * Receives the browser's approval response on this machine (RFC 8252, 7.3) and answers with a page about the outcome.
 * The port on 127.0.0.1 is open only while an approval is pending, and a response without the `state` of that approval
 * is rejected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  let isClosing = false;
  const answering = new Set<ServerResponse>();

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
    answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      endConnections();
    });
    answer(request, response).catch(() => response.destroy());
  });
  /** Browsers open spare connections without a request, which `server.close` waits for. */
  const endConnections = () => {
    if (isClosing && answering.size === 0) server.closeAllConnections();
  };
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(0, '127.0.0.1', () => {
      host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      resolve({
        redirectUri: `http://${host}${PATH}`,
        // A response that is being written still completes.
        close() {
          isClosing = true;
          server.close();
          endConnections();
        },
      });
    });
  });
};

// The page that the browser shows after an approval: the outcome and what to do next.

type Ending = 'connected' | 'refused' | 'failed';

const TEXTS = {
  en: {
    connected: ['Linkshot is connected', 'You can close this page and go back to Linkshot.'],
    refused: ['Linkshot wasn’t connected', 'You denied the connection. You can close this page.'],
    failed: ['Linkshot couldn’t be connected', 'Go back to Linkshot to see why. You can close this page.'],
  },
  ru: {
    connected: ['Linkshot подключён', 'Эту страницу можно закрыть и вернуться в Linkshot.'],
    refused: ['Linkshot не подключён', 'Вы отклонили подключение. Эту страницу можно закрыть.'],
    failed: [
      'Не удалось подключить Linkshot',
      'Вернитесь в Linkshot: там указана причина. Эту страницу можно закрыть.',
    ],
  },
} as const;

const STYLE =
  'html{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}' +
  'body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.375rem;margin:0 0 .5rem}p{margin:0}';

/** `acceptLanguage`: the request header; its first language is used. */
const endingPage = (ending: Ending, acceptLanguage: string): string => {
  const language = /^\s*ru\b/i.test(acceptLanguage) ? 'ru' : 'en';
  const [title, text] = TEXTS[language][ending];
  return (
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style><h1>${title}</h1><p>${text}</p></html>`
  );
};
