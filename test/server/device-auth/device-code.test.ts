/** The connection by a typed code, and the lifetime of its key (API decisions 4; RFC 8628), on a real server. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/api/account.ts';
import type { ConnectedDevice, DeviceAuth, RenewedKey } from '../../../src/api/device-auth.ts';
import { createApiKeys } from '../../../src/server/accounts/api-keys.ts';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { createDeviceRequests } from '../../../src/server/device-auth/device-requests.ts';
import { openRecordsOf } from '../../support/engines/engines.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const clock = movableClock();
let service: RunningServer;
let records: ServerDatabase;
let user: User;
beforeAll(async () => {
  service = await startServer({
    clock,
    config: { limits: { guestRequestsPerMinute: 10_000, requestsPerMinute: 10_000 } },
  });
  records = await openRecordsOf(service.data);
});
beforeEach(async () => {
  user = await service.user();
});
afterAll(async () => {
  await records.close();
  await service.stop();
});

const start = async (more: Record<string, unknown> = {}): Promise<DeviceAuth> => {
  const body = { deviceName: 'Kitchen PC', deviceId: 'device-1', platform: 'windows', ...more };
  return (await ask<DeviceAuth>(service.url, { method: 'POST', path: '/api/v1/device-auth/start', body })).body;
};
const poll = (deviceCode: string) =>
  ask<ConnectedDevice>(service.url, {
    method: 'POST',
    path: '/api/v1/device-auth/token',
    body: { grantType: 'device_code', deviceCode },
  });
/** What the page does for a signed-in user. */
const decide = async (userCode: string, decision: 'approved' | 'denied', by = user): Promise<boolean> => {
  const seen = await service.server.accounts.byUsername(by.username);
  const requests = createDeviceRequests({ records, sharedClock: clock, random: systemRandom });
  return (await requests.decide(userCode, decision, seen)) === 'decided';
};
const account = (key: string) => ask(service.url, { path: '/api/v1/account', key });
const renew = (key: string) => ask<RenewedKey>(service.url, { method: 'POST', path: '/api/v1/device-auth/renew', key });

const connect = async (more: Record<string, unknown> = {}, by = user): Promise<ConnectedDevice> => {
  const { deviceCode, userCode } = await start(more);
  await decide(userCode, 'approved', by);
  return (await poll(deviceCode)).body;
};

/** The keys of that many devices, none of them used; they may be renewed. */
const devices = async (count: number): Promise<string[]> => {
  const keys: string[] = [];
  while (keys.length < count) {
    const deviceId = `of-many-${keys.length}`;
    const { apiKey } = await service.server.keys.add({
      accountId: user.accountId,
      scopes: SCOPES,
      expiresAt: clock.now() + 10 * DAY,
      device: { deviceId, deviceName: deviceId, client: null },
    });
    keys.push(apiKey);
  }
  return keys;
};
/** Without using it. */
const isValid = async (apiKey: string): Promise<boolean> =>
  (await createApiKeys({ records, clock, random: systemRandom }).find(apiKey))?.key.revokedAt === null;

describe('a device that asks for a code', () => {
  it('comes with the address where the user enters it, its lifetime and how often to poll', async () => {
    const { deviceCode, userCode, ...rest } = await start();
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(deviceCode).toMatch(/^[\w-]{43}$/);
    expect(rest).toEqual({
      verificationUri: `${service.url}/connect/device`,
      verificationUriComplete: `${service.url}/connect/device?code=${userCode}`,
      expiresIn: 900,
      interval: 5,
    });
  });

  it('must contain its name, id and platform', async () => {
    for (const body of [
      {},
      { deviceName: ' ', deviceId: 'a', platform: 'linux' },
      { deviceName: 'a', platform: 'x' },
    ]) {
      const answer = await ask(service.url, { method: 'POST', path: '/api/v1/device-auth/start', body });
      expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
    }
  });
});

describe('a poll', () => {
  it('is AUTHORIZATION_PENDING until it is approved, then returns the key once, then EXPIRED_TOKEN', async () => {
    const { deviceCode, userCode } = await start();
    expect((await poll(deviceCode)).problem).toMatchObject({ status: 400, code: 'AUTHORIZATION_PENDING' });
    expect(await decide(userCode.toLowerCase().replace('-', ' '), 'approved')).toBe(true);
    clock.advance(5 * SECOND);
    const { status, headers, body } = await poll(deviceCode);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body.credential).toEqual({
      id: expect.any(String),
      name: 'Linkshot · Kitchen PC',
      scopes: [...SCOPES],
      expiresAt: new Date(clock.now() + 365 * DAY).toISOString(),
      client: 'windows',
      deviceName: 'Kitchen PC',
    });
    expect(body.account.user.id).toBe(user.accountId);
    expect((await account(body.apiKey)).status).toBe(200);
    clock.advance(5 * SECOND);
    expect((await poll(deviceCode)).problem).toMatchObject({ status: 400, code: 'EXPIRED_TOKEN' });
  });

  it('is not too fast where the clock is set back meanwhile', async () => {
    const { deviceCode } = await start();
    await poll(deviceCode);
    clock.advance(-3_600 * SECOND);
    expect((await poll(deviceCode)).problem).toMatchObject({ code: 'AUTHORIZATION_PENDING' });
    clock.advance(3_600 * SECOND);
  });

  it('that comes too fast is SLOW_DOWN and adds five seconds to the pause', async () => {
    const { deviceCode } = await start();
    await poll(deviceCode);
    clock.advance(4 * SECOND);
    expect((await poll(deviceCode)).problem).toMatchObject({ code: 'SLOW_DOWN', params: { interval: 10 } });
    clock.advance(9 * SECOND);
    expect((await poll(deviceCode)).problem).toMatchObject({ code: 'SLOW_DOWN', params: { interval: 15 } });
    clock.advance(15 * SECOND);
    const patient = await poll(deviceCode);
    expect(patient.problem.code).toBe('AUTHORIZATION_PENDING');
    expect(patient.headers['retry-after']).toBe('15');
  });

  it('that comes in time is never SLOW_DOWN, whichever nodes it goes to and however their clocks differ', async () => {
    const nodes = [0, -2 * SECOND, 3 * SECOND].map((ahead) => {
      const deps = { records, clock: { now: () => clock.now() + ahead }, sharedClock: clock, random: systemRandom };
      return createDeviceRequests(deps);
    });
    const { deviceCode } = await start();
    for (let polls = 0; polls < 9; polls += 1) {
      const answer = nodes[polls % nodes.length]?.poll(deviceCode, async () => 'connected');
      await expect(answer).rejects.toMatchObject({ code: 'AUTHORIZATION_PENDING' });
      clock.advance(5 * SECOND);
    }
  });

  it('of a refused request is ACCESS_DENIED, and of an unknown one EXPIRED_TOKEN', async () => {
    const { deviceCode, userCode } = await start();
    await decide(userCode, 'denied');
    expect((await poll(deviceCode)).problem).toMatchObject({ status: 400, code: 'ACCESS_DENIED' });
    expect((await poll('unknown')).problem.code).toBe('EXPIRED_TOKEN');
  });

  it('after 15 minutes is EXPIRED_TOKEN, and the code cannot be approved any more', async () => {
    const { deviceCode, userCode } = await start();
    // The shared clock may be corrected meanwhile.
    clock.advance(15 * 60 * SECOND + SECOND);
    expect(await decide(userCode, 'approved')).toBe(false);
    expect((await poll(deviceCode)).problem.code).toBe('EXPIRED_TOKEN');
  });

  it('gives no key to an account that was banned after it approved', async () => {
    const { deviceCode, userCode } = await start();
    await decide(userCode, 'approved');
    await service.server.accounts.ban(user.username);
    expect((await poll(deviceCode)).problem.code).toBe('ACCESS_DENIED');
  });
});

describe('the key of a connection', () => {
  it('has client null where the platform is not Windows, and a name of at most 100 characters', async () => {
    const { credential } = await connect({ platform: 'linux', deviceName: 'x'.repeat(128) });
    expect(credential).toMatchObject({ client: null, deviceName: 'x'.repeat(128) });
    expect([...credential.name]).toHaveLength(100);
  });

  it('revokes the older key of the same device when it is first used, and not before', async () => {
    const first = await connect();
    const elsewhere = await connect({ deviceId: 'device-2' });
    await account(first.apiKey);
    const second = await connect();
    expect((await account(first.apiKey)).status).toBe(200);
    expect((await account(second.apiKey)).status).toBe(200);
    expect((await account(first.apiKey)).problem).toMatchObject({ status: 401, code: 'API_KEY_REVOKED' });
    for (const key of [elsewhere.apiKey, user.apiKey]) expect((await account(key)).status).toBe(200);
  });

  it('never ends a key of another account, whatever device it claims to be', async () => {
    const mine = await connect();
    const theirs = await connect({}, await service.user());
    await account(theirs.apiKey);
    expect((await account(mine.apiKey)).status).toBe(200);
  });

  it('is renewed within 30 days of its end; the old one works until the new one is first used', async () => {
    const { apiKey, credential } = await connect();
    const early = await renew(apiKey);
    expect(early.problem).toMatchObject({ status: 409, code: 'RENEW_TOO_EARLY' });
    clock.advance(335 * DAY);
    const { status, body } = await renew(apiKey);
    expect(status).toBe(200);
    expect(body.credential).toMatchObject({
      name: credential.name,
      scopes: credential.scopes,
      client: 'windows',
      deviceName: 'Kitchen PC',
      expiresAt: new Date(clock.now() + 365 * DAY).toISOString(),
    });
    expect((await account(apiKey)).status).toBe(200);
    expect((await account(body.apiKey)).status).toBe(200);
    expect((await account(apiKey)).problem.code).toBe('API_KEY_REVOKED');
  });

  it('is renewed also when the account has 100 devices, and no key ends by that', async () => {
    const keys = await devices(100);
    for (const key of keys) expect((await account(key)).status).toBe(200);
    const [first = ''] = keys;
    const renewals = [await renew(first), await renew(first)];
    expect(renewals.map(({ status }) => status)).toEqual([200, 200]);
    for (const key of [...keys, ...renewals.map(({ body }) => body.apiKey)]) expect(await isValid(key)).toBe(true);
  });

  it('of the hundred-and-first device ends the oldest of those that were never used, or else the oldest', async () => {
    const keys = await devices(100);
    const valid = async () => (await Promise.all(keys.map(isValid))).flatMap((is, index) => (is ? [] : [index]));
    for (const index of [0, 2]) expect((await account(keys[index] ?? '')).status).toBe(200);
    await account((await connect()).apiKey);
    expect(await valid()).toEqual([1]);
    for (const key of keys.slice(3)) expect((await account(key)).status).toBe(200);
    const { apiKey } = await connect({ deviceId: 'another' });
    expect(await valid()).toEqual([0, 1]);
    expect((await account(keys[0] ?? '')).problem.code).toBe('API_KEY_REVOKED');
    expect((await account(apiKey)).status).toBe(200);
    expect((await account(user.apiKey)).status).toBe(200);
  });

  it('that has ended cannot be renewed, and a key made by hand never', async () => {
    const { apiKey } = await connect();
    expect((await renew(user.apiKey)).problem.code).toBe('INVALID_INPUT');
    clock.advance(365 * DAY);
    expect((await renew(apiKey)).problem.code).toBe('API_KEY_EXPIRED');
  });

  it('ends with ACCOUNT_ACCESS_CHANGED when the password is changed; keys made by hand stay', async () => {
    const { apiKey } = await connect();
    const { deviceCode, userCode } = await start();
    await decide(userCode, 'approved');
    await service.server.accounts.setPassword(user.username, 'hash');
    expect((await account(apiKey)).problem).toMatchObject({ status: 401, code: 'ACCOUNT_ACCESS_CHANGED' });
    expect((await account(user.apiKey)).status).toBe(200);
    expect((await poll(deviceCode)).problem.code).toBe('EXPIRED_TOKEN');
    expect((await account((await connect()).apiKey)).status).toBe(200);
  });
});
