/** The browser host answers only the user's own page, opened with the key of this run. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { Sha256 } from '../../src/api/ids.ts';
import { LIMITS } from '../../src/api/limits.ts';
import type { HostConnectionState } from '../../src/ipc/client/transport.ts';
import { createWebSocketTransport } from '../../src/ipc/client/websocket-transport.ts';
import type { AppEvent } from '../../src/ipc/protocol/command-table.ts';
import { KEY_HEADER, KEY_PROTOCOL_PREFIX, mediaKeyOf, PAGE_PROTOCOL } from '../../src/ipc/protocol/page-key.ts';
import { COMMAND_BYTES } from '../../src/ipc/protocol/preload-api.ts';
import { createBrowserHostServer } from '../../src/web/browser-host-server.ts';
import { createPagePresence } from '../../src/web/page-presence.ts';
import { type OpenedHost, openTestHost } from '../support/open-host.ts';
import { seededBytes } from '../support/seeded-random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('web');
const rendererDir = join(root, 'renderer');
const key = 'the-key-of-this-run-of-Linkshot';
let host: OpenedHost;
let app: Awaited<ReturnType<typeof createBrowserHostServer>>;
let origin = '';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** `fetch` sets Host and Origin by itself; an attacker's browser may send any. */
const ask = (
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: Uint8Array } = {},
) =>
  new Promise<Reply>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** Sends a raw head and resolves with the whole response. */
const exchange = (head: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectSocket(Number(new URL(origin).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  });

const logged: string[] = [];
beforeAll(async () => {
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
  writeFileSync(join(rendererDir, 'assets/index-abc.js'), 'export {};');
  host = await openTestHost(join(root, 'profile'));
  app = await createBrowserHostServer({
    ...host,
    presence: createPagePresence(),
    rendererDir,
    key,
    log: (line) => logged.push(line),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

describe('the page', () => {
  it('is the same for everybody, and sets no cookie: browsers send those to every port of this computer', async () => {
    for (const path of ['/', '/assets/index-abc.js', `/?key=${key}`]) {
      const { status, headers, body } = await ask(path);
      expect([status, headers['set-cookie']]).toEqual([200, undefined]);
      expect(body).not.toContain(key);
    }
  });

  it('is not served to a name that was made to resolve to this computer', async () => {
    for (const name of ['evil.example', `evil.example:${new URL(origin).port}`, '127.0.0.1', 'localhost'])
      expect((await ask('/', { headers: { host: name } })).status).toBe(403);
  });

  it('refuses a request with two hosts, and an address that no host can be read from, and logs no address', async () => {
    logged.length = 0;
    const head = (line: string, ...more: readonly string[]) =>
      [`GET ${line} HTTP/1.1`, `Host: ${new URL(origin).host}`, ...more].join('\r\n');
    expect(await exchange(head('/', 'Host: evil.example'))).toMatch(/^HTTP\/1\.1 400 /);
    expect(await exchange(head('http://evil.example/'))).toMatch(/^HTTP\/1\.1 400 /);
    for (const target of ['//[', '//evil.example/', '//[?token=secret'])
      expect(await exchange(head(target)), target).toMatch(/^HTTP\/1\.1 403 /);
    expect(await exchange(head('/%zz'))).toMatch(/^HTTP\/1\.1 400 /);
    expect(logged).toEqual([]);
  });

  it('is not served into another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await ask('/assets/index-abc.js', { headers })).status).toBe(403);
    expect((await ask('/', { headers: { origin: 'http://127.0.0.1:1' } })).status).toBe(403);
  });

  it('carries a CSP without inline scripts, and the other headers, on every answer', async () => {
    for (const path of ['/', '/missing', '/assets/index-abc.js']) {
      const { headers } = await ask(path);
      const csp = String(headers['content-security-policy']);
      expect(csp).toMatch(/script-src 'self' 'wasm-unsafe-eval'(;|$)/);
      expect(csp).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    }
  });
});

describe('the WebSocket', () => {
  const connect = (headers: Record<string, string>, shown = key) =>
    new WebSocket(`${origin.replace('http', 'ws')}/bridge`, [PAGE_PROTOCOL, KEY_PROTOCOL_PREFIX + shown], { headers });
  const outcome = (socket: WebSocket) =>
    new Promise<string>((resolve) => {
      socket.on('message', () => {
        resolve('served');
        socket.close();
      });
      socket.on('close', (code) => resolve(`closed ${code}`));
      socket.on('unexpected-response', (_, reply) => resolve(`refused ${reply.statusCode}`));
      socket.on('error', () => {});
    });

  it('serves the own page', async () => {
    expect(await outcome(connect({ origin }))).toBe('served');
  });

  it('refuses other origins, no origin, and other hosts', async () => {
    expect(await outcome(connect({ origin: 'https://evil.example' }))).toBe('refused 403');
    expect(await outcome(connect({}))).toBe('refused 403');
    expect(await outcome(connect({ origin: 'http://evil.example', host: 'evil.example' }))).toBe('refused 403');
  });

  it('notifies a page of an earlier start that it is outdated, and connects it once it has the key', async () => {
    for (const wrong of ['older', mediaKeyOf(key), `${key}x`])
      expect(await outcome(connect({ origin }, wrong))).toBe('closed 4401');
    let own = 'older';
    const transport = createWebSocketTransport(() => connect({ origin }, own) as never);
    const link = await new Promise<HostConnectionState>((resolve) =>
      transport.onLink((now) => now !== 'down' && resolve(now)),
    );
    expect(link).toBe('refused');
    expect(await transport.call('app.state', {})).toMatchObject({ ok: false });
    own = key;
    transport.retry();
    expect(await transport.call('app.state', {})).toMatchObject({ ok: true });
    transport.close();
  });

  it('refuses owner commands from a page', async () => {
    const transport = createWebSocketTransport(() => connect({ origin }) as never);
    const added = await transport.call('queue.addPaths', { paths: ['/etc/passwd'] });
    expect(added).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
    expect(host.engine.state().queue.items).toEqual([]);
    transport.close();
  });

  it('reconnects when the connection drops, tells what may have changed, and answers the pending calls', async () => {
    const sockets: WebSocket[] = [];
    const transport = createWebSocketTransport(() => {
      const socket = connect({ origin });
      sockets.push(socket);
      return socket as never;
    });
    const links: HostConnectionState[] = [];
    const events: AppEvent[] = [];
    transport.onLink((link) => links.push(link));
    transport.on((event) => events.push(event));
    expect(await transport.call('app.state', {})).toMatchObject({ ok: true });
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['state']));
    const before = events.length;
    sockets[0]?.terminate();
    await expect.poll(() => links).toEqual(['down', 'up', 'down', 'up']);
    // Published items may have changed meanwhile.
    expect(new Set(events.slice(before).map(({ type }) => type))).toEqual(new Set(['state', 'library']));
    expect(await transport.call('app.state', {})).toMatchObject({ ok: true });
    transport.close();
  });

  it('stays open for a command larger than the host accepts, which is refused as too long without being sent', async () => {
    const transport = createWebSocketTransport(() => connect({ origin }) as never);
    expect(await transport.call('app.state', {})).toMatchObject({ ok: true });
    const links: HostConnectionState[] = [];
    transport.onLink((link) => links.push(link));
    // In UTF-8, where one of these characters takes two bytes.
    const text = 'я'.repeat(COMMAND_BYTES / 2);
    for (const command of ['note.add', 'note.guess'] as const)
      expect(await transport.call(command, { text })).toMatchObject({ ok: false, error: { code: 'NOTE_TOO_LONG' } });
    const searched = await transport.call('library.search', { text });
    expect(searched).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
    // The longest note fits, even with characters that JSON escapes.
    const longest = await transport.call('note.guess', { text: '\u0001'.repeat(2 * LIMITS.noteMaxCharacters) });
    expect(longest).toMatchObject({ ok: true });
    expect(links).toEqual(['up']);
    transport.close();
  });

  it('ends a connection that sends no valid commands', async () => {
    const socket = connect({ origin });
    socket.on('open', () => socket.send('hello'));
    const code = await new Promise<number>((resolve) => socket.on('close', resolve));
    expect(code).toBe(1008);
  });
});

describe('the spool', () => {
  const put = (path: string, body: Uint8Array, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'PUT',
      body,
      headers: { [KEY_HEADER]: key, origin, 'content-type': 'application/octet-stream', ...headers },
    });

  it('takes the slices of a dropped file, and the file enters the queue', async () => {
    const bytes = seededBytes('dropped', 300_000);
    const intake = await host.intake.open({ name: 'shot.png', size: bytes.length });
    if (!intake.ok) throw new Error(intake.error.detail);
    const { id } = intake.value;
    expect(JSON.parse((await put(`/spool/${id}?offset=0`, bytes.subarray(0, 200_000))).body)).toEqual({
      receivedBytes: 200_000,
    });
    await put(`/spool/${id}?offset=200000`, bytes.subarray(200_000));
    const sha256 = createHash('sha256').update(bytes).digest('hex') as string as Sha256;
    const finished = await host.intake.finish(id, sha256);
    if (!finished.ok) throw new Error(finished.error.detail);
    const signal = new AbortController().signal;
    const added = await host.dispatcher.dispatch('page', 'queue.add', { tokens: [finished.value.token] }, signal);
    expect(added).toMatchObject({ ok: true });
    expect(host.engine.state().queue.items).toMatchObject([
      { name: 'shot.png', size: 300_000, source: { owner: 'spool' } },
    ]);
  });

  it('refuses slices from other sites, without the key, and for files that were not announced', async () => {
    const path = '/spool/00000000-0000-4000-8000-000000000000?offset=0';
    expect((await put(path, Buffer.from('a'), { origin: 'https://evil.example' })).status).toBe(403);
    expect((await put(path, Buffer.from('a'), { [KEY_HEADER]: 'older' })).status).toBe(401);
    expect((await put(path, Buffer.from('a'))).status).toBe(409);
    expect((await put('/spool/..%2f..%2fetc?offset=0', Buffer.from('a'))).status).toBe(400);
  });

  it('refuses a slice that is too large, without taking it into memory', async () => {
    const path = '/spool/00000000-0000-4000-8000-000000000000?offset=0';
    const { status, body } = await put(path, Buffer.alloc(5 * 1024 * 1024)).catch(() => ({ status: 413, body: '{}' }));
    expect(status).toBe(413);
    expect(body).not.toContain('stack');
  });
});

describe('thumbnails', () => {
  it('are refused without the key of pictures, in however it is asked', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    for (const path of [
      `/thumbnails/${id}`,
      `/%74humbnails/${id}`,
      `/thumbnails/${id}?key=`,
      `/thumbnails/${id}?key=a&key=b`,
    ])
      expect((await ask(path)).status, path).toBe(401);
  });

  it('are 404 while there is no file, and for names that are not items', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', '..%2f..%2fqueue.sqlite'])
      expect((await ask(`/thumbnails/${id}?key=${mediaKeyOf(key)}`)).status).toBe(404);
  });
});
