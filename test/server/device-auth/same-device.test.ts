/**
 * The app's own connection: approval in the browser, loopback redirect, PKCE (API decisions 4; RFC 8252, RFC 7636), on
 * a real server.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectedDevice } from '../../../src/api/device-auth.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { type FormBrowser, formBrowser, userWithPassword } from '../../support/server/signed-in.ts';

const MINUTE = 60_000;
const REDIRECT = 'http://127.0.0.1:48123/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const REQUEST = {
  client_id: 'desktop',
  device_name: 'Laptop <b>',
  device_id: 'device-7',
  code_challenge: CHALLENGE,
  redirect_uri: REDIRECT,
  state: 'a&b=c',
};

const clock = movableClock();
let service: RunningServer;
let user: User;
let visitor: FormBrowser;
beforeAll(async () => {
  service = await startServer({ clock, config: { limits: { guestRequestsPerMinute: 10_000 } } });
});
beforeEach(async () => {
  user = await userWithPassword(service);
  visitor = formBrowser(service);
  await visitor.signIn(user.username);
});
afterAll(() => service.stop());

const pathOf = (more: Record<string, string> = {}): string =>
  `/connect?${new URLSearchParams({ ...REQUEST, ...more })}`;
const decide = (decision: string, more: Record<string, string> = {}) =>
  visitor.post('/connect', { ...REQUEST, ...more, decision });
const approve = async (more: Record<string, string> = {}): Promise<URL> =>
  new URL((await decide('approve', more)).headers['location'] ?? '');
const exchange = (code: string, more: Record<string, string> = {}) =>
  ask<ConnectedDevice>(service.url, {
    method: 'POST',
    path: '/api/v1/device-auth/token',
    body: { grantType: 'authorization_code', code, codeVerifier: VERIFIER, redirectUri: REDIRECT, ...more },
  });

describe('the approval page', () => {
  it('asks to sign in first, and then returns', async () => {
    const answer = await formBrowser(service).get(pathOf());
    expect([answer.status, answer.headers['location']]).toEqual([303, `/sign-in?next=${encodeURIComponent(pathOf())}`]);
  });

  it('shows the app, the device, the address and what it may do', async () => {
    const { status, body, headers } = await visitor.get(pathOf());
    expect(status).toBe(200);
    for (const text of ['Linkshot', 'Laptop &lt;b&gt;', '127.0.0.1', `@${user.username}`, 'Delete your items']) {
      expect(body).toContain(text);
    }
    expect(headers['content-security-policy']).toContain("form-action 'self' http://127.0.0.1:48123;");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('serves no other app, no other method and no redirect but http://127.0.0.1:PORT/', async () => {
    const wrong: readonly Record<string, string>[] = [
      { client_id: 'other' },
      { device_name: ' ' },
      { device_name: 'x'.repeat(129) },
      { device_id: '' },
      { code_challenge: VERIFIER.slice(1) },
      { code_challenge_method: 'plain' },
      { state: 'x'.repeat(513) },
      ...[
        'https://127.0.0.1:48123/callback',
        'http://localhost:48123/callback',
        'http://127.0.0.1/callback',
        'http://127.0.0.1:48123@evil.example/',
        'http://127.0.0.1:99999/callback',
        'http://127.0.0.1:48123',
        'http://127.0.0.1:48123/#x',
        'http://evil.example:48123/callback',
        'linkshot://callback',
        '',
      ].map((redirect_uri) => ({ redirect_uri })),
    ];
    for (const more of wrong) {
      expect([more, (await visitor.get(pathOf(more))).status]).toEqual([more, 400]);
      const sent = await decide('approve', more);
      expect([more, sent.status, sent.headers['location']]).toEqual([more, 400, undefined]);
    }
  });
});

describe('the answer', () => {
  it('of an approval takes a code and the state to the app, which exchanges it for a key', async () => {
    const address = await approve();
    expect(`${address.origin}${address.pathname}`).toBe(REDIRECT);
    expect(address.searchParams.get('state')).toBe('a&b=c');
    const { status, body, headers } = await exchange(address.searchParams.get('code') ?? '');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body.credential).toMatchObject({ name: 'Linkshot · Laptop <b>', deviceName: 'Laptop <b>', client: null });
    expect(body.account.user.username).toBe(user.username);
    expect((await ask(service.url, { path: '/api/v1/account', key: body.apiKey })).status).toBe(200);
  });

  it('of a refusal is an error and the state, and anything but an approval is a refusal', async () => {
    for (const decision of ['deny', '']) {
      const { headers } = await decide(decision);
      expect(headers['location']).toBe(`${REDIRECT}?error=access_denied&state=a%26b%3Dc`);
    }
  });

  it('names the client windows by the app, or else by the browser beside it', async () => {
    const byApp = await exchange((await approve({ platform: 'windows' })).searchParams.get('code') ?? '');
    expect(byApp.body.credential.client).toBe('windows');
    const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' };
    const sent = await visitor.post('/connect', { ...REQUEST, decision: 'approve' }, agent);
    const code = new URL(sent.headers['location'] ?? '').searchParams.get('code') ?? '';
    expect((await exchange(code)).body.credential.client).toBe('windows');
  });
});

describe('a code', () => {
  const newCode = async (): Promise<string> => (await approve()).searchParams.get('code') ?? '';

  it('is used once', async () => {
    const code = await newCode();
    expect((await exchange(code)).status).toBe(200);
    expect((await exchange(code)).problem).toMatchObject({ status: 400, code: 'EXPIRED_TOKEN' });
  });

  it('is good for two minutes', async () => {
    const [one, other] = [await newCode(), await newCode()];
    clock.advance(2 * MINUTE - 1);
    expect((await exchange(one)).status).toBe(200);
    clock.advance(1);
    expect((await exchange(other)).problem.code).toBe('EXPIRED_TOKEN');
  });

  it('without the right verifier or redirect gives nothing, and is spent by the try', async () => {
    for (const more of [
      { codeVerifier: 'w'.repeat(43) },
      { codeVerifier: CHALLENGE },
      { redirectUri: `${REDIRECT}2` },
    ]) {
      const code = await newCode();
      expect((await exchange(code, more)).problem).toMatchObject({ status: 400, code: 'ACCESS_DENIED' });
      expect((await exchange(code)).problem.code).toBe('EXPIRED_TOKEN');
    }
  });

  it('of a session whose password was changed is worth nothing', async () => {
    const code = await newCode();
    await service.server.accounts.setPassword(user.username, 'another hash');
    expect((await exchange(code)).problem.code).toBe('EXPIRED_TOKEN');
  });

  it('in a request of another kind is 400', async () => {
    const body = { grantType: 'password', username: 'x', password: 'y' };
    const answer = await ask(service.url, { method: 'POST', path: '/api/v1/device-auth/token', body });
    expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('a typed code', () => {
  const start = async () => {
    const body = { deviceName: 'TV', deviceId: 'tv-1', platform: 'linux' };
    return (
      await ask<{ deviceCode: string; userCode: string }>(service.url, {
        method: 'POST',
        path: '/api/v1/device-auth/start',
        body,
      })
    ).body;
  };
  const poll = (deviceCode: string) =>
    ask<ConnectedDevice>(service.url, {
      method: 'POST',
      path: '/api/v1/device-auth/token',
      body: { grantType: 'device_code', deviceCode },
    });

  it('shows the device and where it asks from, and connects it when approved', async () => {
    const { deviceCode, userCode } = await start();
    expect((await visitor.get(`/connect/device?code=${userCode}`)).body).toContain(`value="${userCode}"`);
    const page = await visitor.post('/connect/device', { code: userCode.toLowerCase() });
    for (const text of ['TV', '127.0.0.1', 'Share new items']) expect(page.body).toContain(text);
    const done = await visitor.post('/connect/device/decide', { code: userCode, decision: 'approve' });
    expect([done.status, done.headers['location']]).toEqual([303, '/connect/device/decide?done=connected']);
    expect((await poll(deviceCode)).body.credential).toMatchObject({ deviceName: 'TV', client: null });
  });

  it('returns the same to a second click, and an error to another decision or account', async () => {
    const { deviceCode, userCode } = await start();
    const decideAs = async (from: FormBrowser, decision: string) =>
      (await from.post('/connect/device/decide', { code: userCode, decision })).status;
    const stranger = formBrowser(service);
    await stranger.signIn((await userWithPassword(service)).username);
    expect([await decideAs(visitor, 'approve'), await decideAs(visitor, 'approve')]).toEqual([303, 303]);
    expect([await decideAs(visitor, 'deny'), await decideAs(stranger, 'approve')]).toEqual([400, 400]);
    expect((await poll(deviceCode)).body.account.user.username).toBe(user.username);
    expect(await decideAs(visitor, 'approve')).toBe(400);
  });

  it.each([
    ['approve', 'The device is connected'],
    ['deny', 'The connection was denied'],
  ])(
    'leads after its decision (%s) to a page that counts no wrong code when it is reloaded',
    async (decision, words) => {
      const { deviceCode, userCode } = await start();
      const decided = await visitor.post('/connect/device/decide', { code: userCode, decision });
      await poll(deviceCode);
      for (let reloads = 0; reloads < 7; reloads += 1) {
        const page = await visitor.get(decided.headers['location'] ?? '/connect/device/decide');
        expect([page.status, page.body]).toEqual([200, expect.stringContaining(words)]);
      }
      expect((await visitor.post('/connect/device', { code: (await start()).userCode })).status).toBe(200);
      expect((await visitor.get('/connect/device/decide')).headers['location']).toBe('/connect/device');
      const anyone = await formBrowser(service).get('/connect/device/decide?done=connected');
      expect(anyone.headers['location']).toMatch(/^\/sign-in/);
    },
  );

  it('connects nothing when refused', async () => {
    const { deviceCode, userCode } = await start();
    await visitor.post('/connect/device/decide', { code: userCode, decision: 'deny' });
    expect((await poll(deviceCode)).problem.code).toBe('ACCESS_DENIED');
  });

  it('that is wrong for the sixth time ends the session, which then can approve nothing', async () => {
    const { deviceCode, userCode } = await start();
    const wrong = { code: 'BBBB-BBBB' };
    for (let tries = 0; tries < 5; tries += 1) {
      const answer = await visitor.post('/connect/device', wrong);
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('This code isn’t valid')]);
    }
    const cookie = visitor.cookie();
    const sixth = await visitor.post('/connect/device/decide', { ...wrong, decision: 'approve' });
    expect([sixth.status, sixth.body]).toEqual([403, expect.stringContaining('Too many wrong codes')]);
    const dead = await visitor.post('/connect/device/decide', { code: userCode, decision: 'approve' }, { cookie });
    expect(dead.headers['location']).toMatch(/^\/sign-in/);
    expect((await poll(deviceCode)).problem.code).toBe('AUTHORIZATION_PENDING');
  });
});
