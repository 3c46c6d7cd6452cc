/**
 * The page shows the user's published items, through the host and with the account's key, which the page never gets.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ItemId } from '../../src/api/ids.ts';
import { mediaKeyOf } from '../../src/ipc/protocol/page-key.ts';
import { createBrowserHostServer } from '../../src/web/browser-host-server.ts';
import { createPagePresence } from '../../src/web/page-presence.ts';
import { image } from '../support/media/media.ts';
import { openTestHost } from '../support/open-host.ts';
import { PATIENCE_MS, soon } from '../support/poll-timeouts.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('web-media');
const key = 'the-key-of-this-run-of-Linkshot';
let service: RunningServer;
let app: Awaited<ReturnType<typeof createBrowserHostServer>>;
let origin = '';
let bytes: Buffer;
let id: ItemId;

beforeAll(async () => {
  service = await startServer();
  const host = await openTestHost(join(root, 'profile'));
  app = await createBrowserHostServer({
    ...host,
    presence: createPagePresence(),
    rendererDir: root,
    key,
    log: () => {},
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const signal = soon();
  const { apiKey } = await service.user();
  await host.engine.connection.connect({ server: service.url, key: apiKey, keep: 'session' }, signal);
  const path = await image('png');
  bytes = readFileSync(path);
  const share = { visibility: 'private' } as const;
  const added = await host.engine.queue.add([{ source: { owner: 'user', path }, name: 'shot.png', share }]);
  id = (added.ok && added.value[0]) as ItemId;
  await host.engine.queue.waitFor({ id, patienceMs: PATIENCE_MS }, signal);
});
afterAll(async () => {
  await app.close();
  await service.stop();
});

const WITH_KEY = `?key=${mediaKeyOf(key)}`;
const get = (path: string, headers: Record<string, string> = {}, query = WITH_KEY) =>
  fetch(`${origin}${path}${query}`, { headers });

it('as a picture, whole or by range, that nothing keeps and that can do nothing', async () => {
  const whole = await get(`/media/${id}`);
  expect(whole.status).toBe(200);
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
  const headers = Object.fromEntries(whole.headers);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(bytes.length),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  const part = await get(`/media/${id}`, { range: 'bytes=5-14' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-14/${bytes.length}`]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(5, 15));
});

it('and to no other requester: not without the key, not from another site, and only for items', async () => {
  expect((await get(`/media/${id}`, {}, '')).status).toBe(401);
  expect((await get(`/%6dedia/${id}`, {}, '')).status).toBe(401);
  expect((await get(`/media/${id}`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  for (const path of ['/media/..%2fqueue.sqlite', '/media/00000000-0000-4000-8000-000000000000', `/media/${id}/x`])
    expect((await get(path)).status, path).toBe(404);
});
