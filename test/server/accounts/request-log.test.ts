/** The request log (API document, "Limits": the latest 100 entries from 30 days; API decisions 3), on a real server. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RequestLog } from '../../../src/api/account.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY = 86_400_000;
const clock = movableClock();
const config = { limits: { requestsPerMinute: 10_000 } };
const data = temporaryFolder('request-log');
let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ clock, config, data });
});
afterAll(() => service.stop());

const requests = async (user: User): Promise<RequestLog['items']> =>
  (await ask<RequestLog>(service.url, { path: '/api/v1/requests', key: user.apiKey })).body.items;
const call = (user: User, path: string, method: 'GET' | 'DELETE' = 'GET') =>
  ask(service.url, { path, method, key: user.apiKey });

it('has every request with a key, newest first: method, path without its query, status, key name and time', async () => {
  const user = await service.user();
  await call(user, '/api/v1/content?q=my+secret');
  clock.advance(1_000);
  await call(user, '/api/v1/content/none', 'DELETE');
  expect(await requests(user)).toEqual([
    {
      method: 'DELETE',
      path: '/api/v1/content/none',
      status: 404,
      keyName: 'API key',
      time: new Date(clock.now()).toISOString(),
    },
    {
      method: 'GET',
      path: '/api/v1/content',
      status: 200,
      keyName: 'API key',
      time: new Date(clock.now() - 1_000).toISOString(),
    },
  ]);
});

it('has the requests of all keys of the account, refused ones too, and of no other account', async () => {
  const user = await service.user();
  const lesser = await service.key(user, { scopes: ['content:read'] });
  await call(lesser, '/api/v1/account');
  expect(await requests(await service.user())).toEqual([]);
  expect(await requests(user)).toEqual([expect.objectContaining({ path: '/api/v1/account', status: 403 })]);
});

it('keeps the latest 100 of 30 days, through a restart', async () => {
  const user = await service.user();
  for (let count = 0; count < 130; count += 1) await call(user, `/api/v1/content/item-${count}`);
  const before = await requests(user);
  expect(before).toHaveLength(100);
  expect(before[0]?.path).toBe('/api/v1/content/item-129');
  await service.stop();
  const sql = 'SELECT path FROM requestLog WHERE accountId = ?';
  expect(await queryData(data, sql, user.accountId)).toHaveLength(100);
  service = await startServer({ clock, config, data });
  expect((await requests(user)).slice(1)).toEqual(before.slice(0, 99));
  clock.advance(30 * DAY);
  expect((await requests(user)).every(({ path }) => path === '/api/v1/requests')).toBe(true);
});

it('holds no key', async () => {
  const user = await service.user();
  await call(user, `/api/v1/content?key=${user.apiKey}`);
  expect(JSON.stringify(await requests(user))).not.toContain('lsk_');
});
