/** The request log (API document, "Limits": the latest 100 entries from 30 days; API decisions 3), on a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestLog } from '../../../src/api/account.ts';
import type { AccountId } from '../../../src/api/ids.ts';
import { createRequestLog } from '../../../src/server/accounts/request-log.ts';
import { sql } from '../../../src/server/database/sql-template.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { recordsInMemory } from '../../support/server/local-objects.ts';
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
  const query = 'SELECT path FROM requestLog WHERE accountId = ?';
  expect(await queryData(data, query, user.accountId)).toHaveLength(100);
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

it('does not keep a stop from its end while the database is away: the last entries are lost, and a line says so', async () => {
  const lines: unknown[] = [];
  const away = { ...recordsInMemory(), transaction: () => Promise.reject(new Error('connect ECONNREFUSED')) };
  const log = createRequestLog({ records: away, clock, log: (...line) => void lines.push(line) });
  const entry = { method: 'GET', path: '/', status: 200, keyName: 'a key', time: clock.now() };
  log.record('an account' as AccountId, entry);
  await log.close();
  expect(lines).toEqual([
    ['The last entries of the request log are lost: Error: connect ECONNREFUSED', { level: 'warn' }],
  ]);
});

describe('with entries of several nodes, which write them late,', () => {
  const account = 'an account' as AccountId;
  const MINUTE = 60_000;

  /** Two nodes on records that have the account, and what one of them has of the log. */
  const twoNodes = async () => {
    const [records, nodeClock] = [recordsInMemory(), movableClock()];
    await records.run(sql`PRAGMA foreign_keys = OFF`);
    const open = () => createRequestLog({ records, clock: nodeClock, log: () => {} });
    const [late, other] = [open(), open()];
    const begin = nodeClock.now();
    const record = (node: typeof late, from: number, count: number): void => {
      for (let at = from; at < from + count; at += 1) {
        const entry = { method: 'GET', path: `/${at}`, status: 200, keyName: 'a key', time: begin + at * 1_000 };
        node.record(account, entry);
      }
    };
    const paths = async (node: typeof late) => (await node.latest(account)).map(({ path }) => path);
    return { late, other, record, paths, clock: nodeClock };
  };
  /** Newest first. */
  const pathsFrom = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `/${from + count - 1 - at}`);

  it('the latest 100 stay when a node that was cut off writes older ones', async () => {
    const { late, other, record, paths, clock } = await twoNodes();
    record(late, 0, 100);
    record(other, 100, 100);
    clock.advance(5 * MINUTE);
    await other.close();
    await late.close();
    expect(await paths(other)).toEqual(pathsFrom(100, 100));
  });

  it('those that a node has not written yet are in their place by time', async () => {
    const { late, other, record, paths, clock } = await twoNodes();
    record(late, 0, 2);
    record(other, 2, 2);
    record(late, 4, 1);
    clock.advance(MINUTE);
    await other.close();
    expect(await paths(late)).toEqual(pathsFrom(0, 5));
    await late.close();
    expect(await paths(other)).toEqual(pathsFrom(0, 5));
  });

  it('new ones are kept and come first after the clock was set back', async () => {
    const { late, other, record, paths, clock } = await twoNodes();
    record(late, 3_600, 100);
    await late.close();
    record(other, 0, 2);
    clock.advance(2_000);
    await other.close();
    const kept = await paths(other);
    expect(kept).toHaveLength(100);
    expect(kept.slice(0, 2)).toEqual(pathsFrom(0, 2));
  });
});
