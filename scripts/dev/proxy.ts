/**
 * Configures Vite's proxy for `npm run dev`: it passes requests for the host's routes on to the host. Vite itself
 * serves the files of the page.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ProxyOptions } from 'vite';

/** The host's routes (`src/web/browser-host-server.ts`). */
const ROUTES = ['/bridge', '/spool', '/thumbnails', '/captures', '/recordings', '/media'];

/**
 * The host answers only its own page. A request of the page gets the host's own address as its Origin; that of any other
 * site keeps it, and is refused.
 */
export const proxyTo = (host: string, page: string): Record<string, ProxyOptions> => {
  const options: ProxyOptions = {
    target: host,
    changeOrigin: true,
    ws: true,
    configure(proxy) {
      for (const event of ['proxyReq', 'proxyReqWs'] as const)
        proxy.on(event, (outgoing: ClientRequest, incoming: IncomingMessage) => {
          if (incoming.headers.origin === page) outgoing.setHeader('origin', host);
        });
    },
  };
  return Object.fromEntries(ROUTES.map((route) => [`^${route}(/|$|\\?)`, options]));
};
