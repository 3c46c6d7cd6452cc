/**
 * Resources that all test files of a run share, created on first use: a browser for each worker, each build of the
 * window once, and a PostgreSQL cluster. Files request them by HTTP from their own processes; a crashed browser is restarted for the next file.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BrowserServer, chromium } from 'playwright-core';
import { startRunPostgres } from '../engines/run-postgres.ts';
import { HEADLESS, RUN_ADDRESS } from './chromium.ts';

const BUILDER = fileURLToPath(new URL('../window/renderer-build-process.ts', import.meta.url));

/** Each name is created once; errors and closed results are not cached. */
const onceEach = <T>(make: (name: string, forget: () => void) => Promise<T>) => {
  const made = new Map<string, Promise<T>>();
  const get = (name: string): Promise<T> => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const forget = (): void => void made.delete(name);
    const making = make(name, forget);
    made.set(name, making);
    making.catch(forget);
    return making;
  };
  return { get, all: () => [...made.values()] };
};

const browsers = onceEach<BrowserServer>(async (_, forget) => {
  const server = await chromium.launchServer({ ...HEADLESS, host: '127.0.0.1' });
  server.on('close', forget);
  return server;
});

/** In a separate process: the build needs another environment than the tests. */
const windows = onceEach(async (which) => {
  const { stdout } = await promisify(execFile)(process.execPath, [BUILDER, which]);
  return stdout.trim();
});

let cluster: ReturnType<typeof startRunPostgres> | undefined;

const answer = async (path: string, isEnd: boolean): Promise<string> => {
  const [, what, name = ''] = path.split('/');
  if (what === 'browser') return (await browsers.get(name)).wsEndpoint();
  if (what === 'window') return windows.get(name);
  if (what === 'postgres' || what === 'pgbouncer') {
    cluster ??= startRunPostgres();
    const { database, behindPgBouncer, forget } = await cluster;
    if (!isEnd) return await (what === 'postgres' ? database : behindPgBouncer)(name);
    await forget(name);
    return '';
  }
  throw new Error(`The run has no ${path}.`);
};

/** Vitest calls it before the first file; it calls the result after the last. */
export default async (): Promise<() => Promise<void>> => {
  const server = createServer((request, response) => {
    answer(request.url ?? '', request.method === 'DELETE').then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  // A request may meet a connection that ends at this moment.
  server.keepAliveTimeout = 3_600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[RUN_ADDRESS] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    await (await cluster?.catch(() => undefined))?.remove();
    await Promise.allSettled(browsers.all().map(async (browser) => (await browser).close()));
  };
};
