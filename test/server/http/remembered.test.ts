/** The server's caches are never older than its database, whichever process has written to it. */
import { Client } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import type { Content } from '../../../src/api/content.ts';
import type { Problem } from '../../../src/api/errors.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { type RunningServer, serverCommand, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { changeData } from '../../support/server/stored-bytes.ts';

const DAY = 86_400_000;
const clock = movableClock();
let server: RunningServer;
let user: User;
/** One connection, as an app keeps it: its cached key ends with it. */
let connection: Client;

beforeAll(async () => {
  server = await startServer({ clock, config: { limits: { requestsPerMinute: 1_000 } } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  connection = new Client(server.url, { pipelining: 1, keepAliveTimeout: 60_000, keepAliveMaxTimeout: 60_000 });
  user = await server.user();
});
afterEach(() => connection.close());

/** A write of another process, without its startup time: over a separate connection to the database. */
const writeBeside = (sql: string, ...values: unknown[]): Promise<void> => changeData(server.data, sql, ...values);
const command = (...args: string[]) => serverCommand(...args, '--data', server.data);

const get = async <T>(path: string, key = user.apiKey) => {
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, body } = await connection.request({ method: 'GET', path: `/api/v1${path}`, headers });
  return { status: statusCode, body: (await body.json()) as T & Problem };
};
const account = (key?: string) => get<Account>('/account', key);
const note = async (fields: Record<string, unknown> = {}): Promise<Content> => {
  const body = { text: 'often read', format: 'plain', ...fields };
  return (await ask<Content>(server.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body })).body;
};

describe('the very next request on a connection that is kept', () => {
  it('is refused after its key was revoked, by this process or by a command line', async () => {
    for (const revoke of [
      () => server.server.keys.revoke(user.keyId),
      () => command('key', 'revoke', user.keyId),
      () => writeBeside('UPDATE keys SET revokedAt = 1 WHERE id = ?', user.keyId),
    ]) {
      user = await server.user();
      for (let time = 0; time < 3; time += 1) expect((await account()).status).toBe(200);
      await revoke();
      expect((await account()).body.code).toBe('API_KEY_REVOKED');
    }
  });

  it('is refused after its account was banned, and after its time has come', async () => {
    expect((await account()).status).toBe(200);
    await command('account', 'ban', user.username);
    expect((await account()).body.code).toBe('ACCOUNT_BANNED');
    const brief = (await server.key(await server.user(), { expiresAt: clock.now() + 1_000 })).apiKey;
    expect((await account(brief)).status).toBe(200);
    clock.advance(1_000);
    expect((await account(brief)).body.code).toBe('API_KEY_EXPIRED');
  });

  it('is authenticated by its own key, whatever key was used on the connection before', async () => {
    const other = await server.user();
    for (const one of [user, other, user, other]) {
      expect((await account(one.apiKey)).body.user.username).toBe(one.username);
    }
    expect((await account(`${user.apiKey}x`)).body.code).toBe('API_KEY_INVALID');
    expect((await account()).status).toBe(200);
  });

  it('sees a new plan, the storage used, and what only time changes', async () => {
    expect((await account()).body.user.plan).toBeNull();
    await command('account', 'plan', user.username, 'pro', '--until', new Date(clock.now() + DAY).toISOString());
    expect((await account()).body.user.plan).toMatchObject({ code: 'pro' });
    const before = (await account()).body.user.storageUsed;
    await note();
    expect((await account()).body.user.storageUsed).toBe(before + 'often read'.length);
    clock.advance(DAY);
    expect((await account()).body.user.plan).toBeNull();
  });

  it('sees the days that are left of a trial, to the millisecond', async () => {
    const trial = async () => (await account()).body.entitlements.trial;
    expect(await trial()).toMatchObject({ state: 'available' });
    await ask(server.url, { method: 'POST', path: '/api/billing/trial', key: user.apiKey });
    expect(await trial()).toMatchObject({ state: 'active', daysLeft: 14, notice: null });
    clock.advance(DAY - 1);
    expect(await trial()).toMatchObject({ daysLeft: 14 });
    clock.advance(1);
    expect(await trial()).toMatchObject({ daysLeft: 13 });
    clock.advance(11 * DAY);
    expect(await trial()).toMatchObject({ daysLeft: 2, notice: 'ending' });
    clock.advance(2 * DAY);
    expect(await trial()).toMatchObject({ state: 'ended', notice: 'ended' });
    clock.advance(14 * DAY);
    expect(await trial()).toMatchObject({ state: 'ended', notice: 'ended' });
    clock.advance(1);
    expect(await trial()).toMatchObject({ state: 'ended', notice: null });
  });

  it('returns the current state of an item: changed, held by a moderator, expired, deleted', async () => {
    const { id } = await note({ ttl: 'day', visibility: 'public' });
    const read = (key?: string) => get<Content>(`/content/${id}`, key);
    expect((await read()).body.title).toBe((await read()).body.title);
    const change = { method: 'PATCH', path: `/api/v1/content/${id}`, key: user.apiKey } as const;
    await ask(server.url, { ...change, body: { title: 'Another title' } });
    expect((await read()).body.title).toBe('Another title');
    const stranger = (await server.user()).apiKey;
    expect((await read(stranger)).status).toBe(200);
    await command('content', 'hold', id, 'review');
    expect((await read()).body.moderationHold).toBe('review');
    expect((await read(stranger)).status).toBe(404);
    clock.advance(DAY);
    expect((await read()).status).toBe(410);
    await ask(server.url, { method: 'DELETE', path: `/api/v1/content/${id}`, key: user.apiKey });
    expect((await read()).status).toBe(404);
  });
});
