/** The window at the address of a proxy, for a phone: only that address is added, and the key is needed there as well. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { KEY_FRAGMENT, KEY_PROTOCOL_PREFIX, PAGE_PROTOCOL } from '../../src/ipc/protocol/page-key.ts';
import { type BrowserHost, startBrowserHost } from '../../src/web/start-browser-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ORIGIN = 'https://linkshot.example.org';
const HOST = 'linkshot.example.org';
const root = temporaryFolder('behind-proxy');
const profileDir = join(root, 'profile');
const rendererDir = join(root, 'renderer');
let host: BrowserHost;
let port: number;

beforeAll(async () => {
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
  const started = await startBrowserHost({
    ...{
      profileDir,
      rendererDir,
      port: 0,
      service: 'profile',
      origin: ORIGIN,
      secrets: async () => createMemoryKeyStore(),
    },
    opener: { open: async () => ({ ok: true, value: undefined }) },
    environment: { PATH: process.env['PATH'] },
    log: () => {},
  });
  if (!started.ok) throw new Error(started.error.detail);
  host = started.value;
  port = Number(readFileSync(join(profileDir, 'browser-port'), 'utf8'));
});
afterAll(() => host?.close());

/** As a proxy passes a request on. */
const status = (headers: Readonly<Record<string, string>>, method = 'GET', path = '/'): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });

const socket = (headers: Readonly<Record<string, string>>, key: string): Promise<string> =>
  new Promise((resolve) => {
    const one = new WebSocket(`ws://127.0.0.1:${port}/bridge`, [PAGE_PROTOCOL, KEY_PROTOCOL_PREFIX + key], { headers });
    one.on('open', () => one.send('{}'));
    one.on('close', (code) => resolve(`closed ${code}`));
    one.on('unexpected-response', (_, reply) => resolve(`refused ${reply.statusCode}`));
    one.on('error', () => {});
  });

it('is printed, and answers like the one on this computer', async () => {
  expect(host.address).toMatch(new RegExp(`^${ORIGIN}/${KEY_FRAGMENT}[0-9a-f]{128}$`));
  expect(await status({ host: HOST })).toBe(200);
  expect(await status({ host: `127.0.0.1:${port}` })).toBe(200);
});

it('refuses every other name, the pages of the other address, and requests without the key', async () => {
  expect(await status({ host: 'evil.example' })).toBe(403);
  expect(await status({ host: `${HOST}:8443` })).toBe(403);
  expect(await status({ host: HOST, origin: `http://127.0.0.1:${port}` })).toBe(403);
  expect(await status({ host: `127.0.0.1:${port}`, origin: ORIGIN })).toBe(403);
  expect(await status({ host: HOST, origin: `http://${HOST}` })).toBe(403);
  expect(await status({ host: HOST, origin: ORIGIN, 'content-length': '0' }, 'PUT', '/spool/one?offset=0')).toBe(401);
});

it('serves the page of this run over a WebSocket, and no older one', async () => {
  const key = host.address.split(KEY_FRAGMENT)[1] ?? '';
  // 1008: it got through the guard, and `{}` is not a command.
  expect(await socket({ host: HOST, origin: ORIGIN }, key)).toBe('closed 1008');
  expect(await socket({ host: HOST, origin: ORIGIN }, 'older')).toBe('closed 4401');
  expect(await socket({ host: HOST, origin: 'https://evil.example' }, key)).toBe('refused 403');
});

it('lets the page copy, not the computer that the proxy leads to', async () => {
  const instance = await connectToInstance(profileDir);
  const state = await instance?.call('app.state', {});
  instance?.close();
  expect(state).toMatchObject({ ok: true, value: { capabilities: { clipboard: 'page' } } });
});
