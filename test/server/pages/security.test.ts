/** Password, sessions and devices on the web, over HTTP as a browser without scripts sends it. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectedDevice, DeviceAuth } from '../../../src/api/device-auth.ts';
import { LIMITS } from '../../../src/api/limits.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { type FormBrowser, formBrowser, PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';
import { queryData } from '../../support/server/stored-bytes.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEW_PASSWORD = 'another horse battery';
const clock = movableClock();
let service: RunningServer;
let user: User;
let visitor: FormBrowser;
beforeAll(async () => {
  service = await startServer({ clock, config: { limits: { guestRequestsPerMinute: 100_000 } } });
});
beforeEach(async () => {
  user = await userWithPassword(service);
  visitor = await signedIn(FIREFOX);
});
afterAll(() => service.stop());

const signedIn = async (agent: string, password = PASSWORD): Promise<FormBrowser> => {
  const one = formBrowser(service, { 'user-agent': agent });
  expect((await one.signIn(user.username, password)).status).toBe(303);
  return one;
};
const isSignedIn = async (one: FormBrowser): Promise<boolean> => (await one.get('/account')).status === 200;
const sessionIds = async (): Promise<string[]> =>
  [...(await visitor.get('/account/security')).body.matchAll(/\/account\/sessions\/([0-9a-f]{32})\/end/g)].map(
    ([, id]) => id ?? '',
  );
const device = async (deviceId: string) => {
  const { id, apiKey } = await service.server.keys.add({
    accountId: user.accountId,
    scopes: ['content:read', 'account:read'],
    name: `Linkshot on ${deviceId}`,
    device: { deviceId, deviceName: deviceId, client: null },
  });
  return { id, apiKey };
};
const codeOf = async (apiKey: string): Promise<string | number> => {
  const answer = await ask(service.url, { path: '/api/v1/account', key: apiKey });
  return answer.status === 200 ? 200 : answer.problem.code;
};

const connect = (body: Record<string, string>) =>
  ask<ConnectedDevice>(service.url, { method: 'POST', path: '/api/v1/device-auth/token', body });
/** What a device sends after its typed code was approved. */
const approvedByCode = async (by: FormBrowser, deviceId = 'device-1'): Promise<Record<string, string>> => {
  const body = { deviceName: 'Kitchen PC', deviceId, platform: 'linux' };
  const started = await ask<DeviceAuth>(service.url, { method: 'POST', path: '/api/v1/device-auth/start', body });
  const { deviceCode, userCode } = started.body;
  expect((await by.post('/connect/device/decide', { code: userCode, decision: 'approve' })).status).toBe(303);
  return { grantType: 'device_code', deviceCode };
};
/** What an app on the same device sends after it was approved. */
const approvedHere = async (by: FormBrowser, deviceId = 'device-2'): Promise<Record<string, string>> => {
  const [codeVerifier, redirectUri] = ['v'.repeat(43), 'http://127.0.0.1:48123/callback'];
  const { headers } = await by.post('/connect', {
    client_id: 'desktop',
    device_name: 'Laptop',
    device_id: deviceId,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    redirect_uri: redirectUri,
    decision: 'approve',
  });
  const code = new URL(headers['location'] ?? '').searchParams.get('code') ?? '';
  return { grantType: 'authorization_code', code, codeVerifier, redirectUri };
};

describe('the password', () => {
  const form = { current: PASSWORD, wanted: NEW_PASSWORD, repeated: NEW_PASSWORD };

  it('is changed with the old one, which ends other sessions and the keys of devices, and no others', async () => {
    const other = await signedIn(FIREFOX);
    const phone = await device('Phone');
    const before = visitor.cookie();
    const answer = await visitor.post('/account/password', form);
    expect(answer.headers['location']).toBe('/account/security?done=password-changed#password');
    expect(visitor.cookie()).not.toBe(before);
    expect([await isSignedIn(visitor), await isSignedIn(other)]).toEqual([true, false]);
    expect([await codeOf(phone.apiKey), await codeOf(user.apiKey)]).toEqual(['ACCOUNT_ACCESS_CHANGED', 200]);
    expect((await visitor.get('/account/security?done=password-changed')).body).toContain('Password changed.');
    const fresh = formBrowser(service);
    expect((await fresh.signIn(user.username)).status).toBe(401);
    expect((await fresh.signIn(user.username, NEW_PASSWORD)).status).toBe(303);
  });

  it.each([
    [{ ...form, current: 'wrong horse battery' }, 'Incorrect current password.'],
    [{ ...form, wanted: 'short', repeated: 'short' }, 'Use 8 to 128 characters.'],
    [{ ...form, wanted: 'x'.repeat(129), repeated: 'x'.repeat(129) }, 'Use 8 to 128 characters.'],
    [{ ...form, wanted: 'éééé', repeated: 'éééé' }, 'Use 8 to 128 characters.'],
    [{ ...form, wanted: 'ﬁﬁﬁﬁ', repeated: 'ﬁﬁﬁﬁ' }, 'Use 8 to 128 characters.'],
    [{ ...form, repeated: `${NEW_PASSWORD}!` }, 'The new passwords don’t match.'],
    [{}, 'Use 8 to 128 characters.'],
  ])('stays after %o, and no password is shown', async (fields, words) => {
    const answer = await visitor.post('/account/password', fields);
    expect([answer.status, answer.body.includes(`role="alert">${words}`)]).toEqual([400, true]);
    expect(answer.body).not.toContain('horse');
    expect(await isSignedIn(await signedIn(FIREFOX))).toBe(true);
  });

  it('signs in also where another keyboard types it with fewer characters than it was set with', async () => {
    const wanted = 'tiếng1'.normalize('NFD');
    expect((await visitor.post('/account/password', { ...form, wanted, repeated: wanted })).status).toBe(303);
    expect(await isSignedIn(await signedIn(FIREFOX, 'tiếng1'.normalize('NFC')))).toBe(true);
  });

  it('is guessed as slowly as at the sign-in', async () => {
    const guess = () => visitor.post('/account/password', { ...form, current: 'wrong horse battery' });
    const answers: number[] = [];
    for (let count = 0; count < 11; count += 1) answers.push((await guess()).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    expect((await visitor.post('/account/password', form)).status).toBe(429);
    clock.advance(16 * 60_000);
    expect((await visitor.post('/account/password', form)).status).toBe(303);
  });
});

describe('the list of signed-in browsers', () => {
  it('names browser, address and times, and marks this one', async () => {
    clock.advance(86_400_000);
    await signedIn('curl/8.9');
    const { body } = await visitor.get('/account/security');
    expect(body).toContain('Firefox · Linux <span class="mark">this browser</span>');
    expect(body).toContain('Unknown browser');
    expect(body).toContain('127.0.0.1 · signed in');
    expect(await sessionIds()).toHaveLength(1);
    // The hash, of which the page shows a part, is not the token.
    expect(body).not.toContain(visitor.cookie().split('=')[1] ?? '');
  });

  it('records the use of a session once an hour', async () => {
    const usedAt = async () =>
      (
        await queryData<{ usedAt: number }>(
          service.data,
          'SELECT usedAt FROM sessions WHERE accountId = ?',
          user.accountId,
        )
      )[0]?.usedAt;
    const start = clock.now();
    clock.advance(1_800_000);
    await visitor.get('/account');
    expect(await usedAt()).toBe(start);
    clock.advance(1_800_000);
    await visitor.get('/account');
    expect(await usedAt()).toBe(clock.now());
  });

  it('signs one of them out, or all others, and none of another account', async () => {
    const [one, two] = [await signedIn(FIREFOX), await signedIn(FIREFOX)];
    const stranger = await userWithPassword(service);
    const foreign = formBrowser(service);
    await foreign.signIn(stranger.username);
    const [id = ''] = await sessionIds();
    expect((await foreign.post(`/account/sessions/${id}/end`)).status).toBe(404);
    expect((await visitor.post(`/account/sessions/${id}/end`)).headers['location']).toContain('done=session-ended');
    expect([await isSignedIn(one), await isSignedIn(two)].filter((is) => is)).toHaveLength(1);
    expect((await visitor.post(`/account/sessions/${id}/end`)).status).toBe(404);
    await visitor.post('/account/sessions/end-others');
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, false]);
    expect([await isSignedIn(visitor), await isSignedIn(foreign)]).toEqual([true, true]);
  });
});

describe('connected devices', () => {
  it('are listed apart from keys, and disconnected one by one or together', async () => {
    const [laptop, phone, tablet] = [await device('Laptop'), await device('Phone'), await device('Tablet')];
    const { body } = await visitor.get('/account/security');
    const card = body.slice(body.indexOf('id="devices"'), body.indexOf('id="keys"'));
    expect([...card.matchAll(/<h3>([^<]*)/g)].map(([, name]) => name)).toEqual(['Tablet', 'Phone', 'Laptop']);
    expect(body.slice(body.indexOf('id="keys"'))).not.toContain('Laptop');
    await visitor.post(`/account/devices/${laptop.id}/disconnect`);
    expect([await codeOf(laptop.apiKey), await codeOf(phone.apiKey)]).toEqual(['API_KEY_REVOKED', 200]);
    await visitor.post('/account/devices/disconnect-all');
    expect([await codeOf(phone.apiKey), await codeOf(tablet.apiKey)]).toEqual(['API_KEY_REVOKED', 'API_KEY_REVOKED']);
    expect(await codeOf(user.apiKey)).toBe(200);
    const stranger = await service.user();
    expect((await visitor.post(`/account/devices/${stranger.keyId}/disconnect`)).status).toBe(404);
  });

  it('are disconnected together with those that were approved but have no key yet, in both ways of connecting', async () => {
    const other = formBrowser(service);
    await other.signIn((await userWithPassword(service)).username);
    const [own, foreign] = [await approvedByCode(visitor), await approvedByCode(other)];
    const redirected = await approvedHere(visitor);
    await visitor.post('/account/devices/disconnect-all');
    for (const body of [own, redirected]) {
      expect((await connect(body)).problem).toMatchObject({ status: 400, code: 'EXPIRED_TOKEN' });
    }
    expect((await connect(foreign)).status).toBe(200);
    expect((await connect(await approvedByCode(visitor))).status).toBe(200);
  });

  it('are disconnected one by one together with what was approved for the same device, and with nothing else', async () => {
    const other = formBrowser(service);
    await other.signIn((await userWithPassword(service)).username);
    const laptop = await device('Laptop');
    const ended = [await approvedByCode(visitor, 'Laptop'), await approvedHere(visitor, 'Laptop')];
    const kept = [
      await approvedByCode(visitor, 'Phone'),
      await approvedHere(visitor, 'Phone'),
      await approvedByCode(other, 'Laptop'),
    ];
    // A key that was made by hand has no device.
    await visitor.post(`/account/keys/${user.keyId}/revoke`);
    await visitor.post(`/account/devices/${laptop.id}/disconnect`);
    for (const body of ended) {
      expect((await connect(body)).problem).toMatchObject({ status: 400, code: 'EXPIRED_TOKEN' });
    }
    for (const body of kept) expect((await connect(body)).status).toBe(200);
    expect((await connect(await approvedByCode(visitor, 'Laptop'))).status).toBe(200);
  });
});

describe('API keys', () => {
  it('are at most 500, and the form says so, until one is revoked', async () => {
    const { accountId } = user;
    const add = () => service.server.keys.add({ accountId, scopes: ['content:read'] });
    const { id } = await add();
    for (let count = 2; count < LIMITS.keysMax; count += 1) await add();
    await device('Laptop');
    const form = { keyName: 'One more', scope: 'content:read', lifetime: 'never' };
    const refused = await visitor.post('/account/keys', form);
    expect([refused.status, refused.body.match(/role="alert">(You have 500 keys[^<]*)</)?.[1]]).toEqual([
      400,
      'You have 500 keys, which is the most an account can have. Revoke one that you no longer need.',
    ]);
    await expect(add()).rejects.toThrow('at most 500 keys');
    await visitor.post(`/account/keys/${id}/revoke`);
    expect((await visitor.post('/account/keys', form)).status).toBe(200);
    expect((await visitor.post('/account/keys', form)).status).toBe(400);
  });
});

describe('the storage', () => {
  it('is shown by kind', async () => {
    const body = { text: 'x'.repeat(2_048), format: 'plain' };
    for (let count = 0; count < 2; count += 1)
      await ask(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
    const page = (await visitor.get('/account')).body;
    expect(page).toContain('href="/account/items?type=PASTE">Notes</a></th><td>2 items</td><td>4\u00a0KB</td>');
    expect(page).not.toContain('Videos');
  });
});
