/**
 * Connecting a device in the browser (API decisions 4) against the real server: approval, typed code, and every way it
 * can end.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { err, failure } from '../../../src/api/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { addFile, fastClock, openEngine, until } from '../../support/engine.ts';
import { image } from '../../support/media/media.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { type FormBrowser, formBrowser, userWithPassword } from '../../support/server/signed-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('account-authorize');
let service: RunningServer;
let user: User;
let visitor: FormBrowser;
let engine: Engine;
let opened: string[];
let profile: string;
let turn = 0;

beforeAll(async () => {
  service = await startServer({ clock: fastClock, config: { limits: { guestRequestsPerMinute: 10_000 } } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  profile = join(root, `profile-${turn++}`);
  user = await userWithPassword(service);
  visitor = formBrowser(service);
  await visitor.signIn(user.username);
  ({ engine, opened } = await openEngine(profile));
});

const authorize = (open: 'browser' | 'nothing' = 'browser', server = service.url) =>
  engine.connection.authorize({ server, open }, soon());

/** The code that a user would read in the window. */
const shownCode = (): string => {
  const { authorization } = engine.state();
  if (authorization?.state !== 'waiting') throw new Error('No code is shown.');
  return authorization.userCode;
};

/** The page that was opened, as its form goes back. */
const pageFields = (): Record<string, string> => Object.fromEntries(new URL(opened[0] ?? '').searchParams);

const decide = async (decision: 'approve' | 'deny'): Promise<string> =>
  (await visitor.post('/connect', { ...pageFields(), decision })).headers['location'] ?? '';

/** What the browser shows when it is led back to the app. */
const follow = async (address: string, headers: Record<string, string> = {}) => {
  const reply = await request(address, { headers });
  return { status: reply.statusCode, body: await reply.body.text(), headers: reply.headers };
};

/** The reply of a service that has started a connection with its pages at `origin`. */
const startedAt = (origin: string) => ({
  ...{ deviceCode: 'd', userCode: 'BBBB-CCCC', expiresIn: 900, interval: 5 },
  ...{
    verificationUri: `${origin}/connect/device`,
    verificationUriComplete: `${origin}/connect/device?code=BBBB-CCCC`,
  },
});

type Reply = (status: number, body: unknown) => void;

/** A service with scripted replies; status 0 breaks the connection. */
const startScripted = async (answer: (path: string, reply: Reply) => void): Promise<{ readonly url: string }> => {
  const server = createServer((asked, response) => {
    answer(asked.url ?? '', (status, body) => {
      if (status === 0) return void response.destroy();
      response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe('an approval in the browser', () => {
  it('connects the account that approved, without showing a key, and the browser confirms it', async () => {
    const started = await authorize();
    expect(started).toMatchObject({ ok: true, value: { state: 'waiting', server: service.url, browser: 'opened' } });
    const address = new URL(opened[0] ?? '');
    expect(address.origin).toBe(service.url);
    expect(pageFields()).toMatchObject({ client_id: 'desktop', device_name: 'Test computer', platform: 'linux' });
    const page = await follow(await decide('approve'));
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.body).toContain('Linkshot is connected');
    expect(await engine.connection.authorized({}, soon())).toMatchObject({ ok: true, value: { state: 'connected' } });
    expect(engine.state()).toMatchObject({
      authorization: null,
      connection: {
        state: 'connected',
        account: { user: { id: user.accountId }, credential: { deviceName: 'Test computer' } },
      },
    });
    const id = await addFile(engine, await image('png'));
    expect(await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon())).toMatchObject({ ok: true });
  });

  it('opens its page once more when it is asked to, and none where nothing waits', async () => {
    expect(await engine.connection.reopenAuthorize()).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    await authorize('nothing');
    expect(engine.state().authorization).toMatchObject({ browser: 'not-opened' });
    expect(await engine.connection.reopenAuthorize()).toMatchObject({ ok: true });
    expect(engine.state().authorization).toMatchObject({ browser: 'opened' });
    await follow(await decide('approve'));
    expect(await engine.connection.authorized({}, soon())).toMatchObject({ ok: true });
  });

  it('that is refused connects nothing, and the app and the browser report it', async () => {
    await authorize();
    const ended = engine.connection.authorized({}, soon());
    const page = await follow(await decide('deny'), { 'accept-language': 'ru,en;q=0.5' });
    expect(page.body).toContain('Linkshot не подключён');
    expect(await ended).toMatchObject({ ok: false, error: { code: 'ACCESS_DENIED' } });
    expect(engine.state()).toMatchObject({
      connection: { state: 'none' },
      authorization: { state: 'failed', failure: { code: 'ACCESS_DENIED' } },
    });
  });

  it('that the service cannot decide is not called a refusal by the user', async () => {
    await authorize();
    const ended = engine.connection.authorized({}, soon());
    const answer = new URL(await decide('deny'));
    answer.searchParams.set('error', 'temporarily_unavailable');
    await follow(answer.href);
    expect(await ended).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  });

  it('is believed only with the state of this flow, at its own address, once', async () => {
    await authorize();
    const { redirect_uri } = pageFields();
    for (const wrong of ['?code=x', '?code=x&state=', '?code=x&state=other', '?error=access_denied&state=other']) {
      expect((await follow(`${redirect_uri}${wrong}`)).status).toBe(404);
    }
    const answer = await decide('approve');
    expect((await follow(answer, { host: 'evil.example' })).status).toBe(404);
    expect(engine.state().authorization).toMatchObject({ state: 'waiting' });
    expect((await follow(answer)).body).toContain('Linkshot is connected');
    await expect(follow(answer)).rejects.toThrow();
  });

  it('leaves no connection of the browser open, not even a spare one without a request', async () => {
    await authorize();
    const { port, hostname } = new URL(pageFields()['redirect_uri'] ?? '');
    const spare = connect(Number(port), hostname).resume();
    await once(spare, 'connect');
    const closed = once(spare, 'close');
    expect((await follow(await decide('approve'))).body).toContain('Linkshot is connected');
    await engine.connection.authorized({}, soon());
    await closed;
  });

  it('with a code that another program has spent fails, and nothing is connected', async () => {
    await authorize();
    const ended = engine.connection.authorized({}, soon());
    const answer = await decide('approve');
    await ask(service.url, {
      method: 'POST',
      path: '/api/v1/device-auth/token',
      body: {
        grantType: 'authorization_code',
        code: new URL(answer).searchParams.get('code'),
        codeVerifier: 'v'.repeat(43),
        redirectUri: pageFields()['redirect_uri'],
      },
    });
    expect((await follow(answer)).body).toContain('couldn’t be connected');
    expect(await ended).toMatchObject({ ok: false, error: { code: 'EXPIRED_TOKEN' } });
    expect(engine.state().connection).toEqual({ state: 'none' });
  });
});

describe('a typed code', () => {
  const type = (decision: 'approve' | 'deny') =>
    visitor.post('/connect/device/decide', { code: shownCode().toLowerCase(), decision });

  it('connects where no browser could be opened, and is shown with the address to type it at', async () => {
    await engine.close();
    const refuses = { open: () => Promise.resolve(err(failure('APP_FAILED', 'There is no browser here.'))) };
    ({ engine } = await openEngine(profile, { opener: refuses }));
    expect(await authorize()).toMatchObject({
      ok: true,
      value: {
        browser: 'not-opened',
        address: `${service.url}/connect/device`,
        userCode: expect.stringMatching(/^\w{4}-\w{4}$/),
      },
    });
    const ended = engine.connection.authorized({}, soon());
    await type('approve');
    expect(await ended).toMatchObject({
      ok: true,
      value: { state: 'connected', account: { user: { id: user.accountId } } },
    });
    expect(engine.state().authorization).toBeNull();
  });

  it('opens nothing when that is not wanted', async () => {
    await authorize('nothing');
    expect(opened).toEqual([]);
  });

  it('that is refused ends the waiting', async () => {
    await authorize('nothing');
    const ended = engine.connection.authorized({}, soon());
    await type('deny');
    expect(await ended).toMatchObject({ ok: false, error: { code: 'ACCESS_DENIED' } });
  });

  it('that is never entered expires, and another try brings another code', async () => {
    await engine.close();
    // A quarter of an hour passes between two polls.
    let skipped = 0;
    const clock = { ...fastClock, monotonic: () => fastClock.monotonic() + skipped };
    ({ engine, opened } = await openEngine(profile, { clock }));
    await authorize('nothing');
    const code = shownCode();
    const ended = engine.connection.authorized({}, soon());
    skipped = 15 * 60_000;
    expect(await ended).toMatchObject({ ok: false, error: { code: 'EXPIRED_TOKEN' } });
    expect(engine.state().authorization).toMatchObject({ state: 'failed', failure: { code: 'EXPIRED_TOKEN' } });
    await authorize('nothing');
    expect(shownCode()).not.toBe(code);
  });
});

it('stops when it is cancelled, closes the port and leaves nothing behind', async () => {
  await authorize();
  const ended = engine.connection.authorized({}, soon());
  const answer = await decide('approve');
  engine.connection.cancelAuthorize();
  expect(await ended).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  expect(engine.state()).toMatchObject({ authorization: null, connection: { state: 'none' } });
  await expect(follow(answer)).rejects.toThrow();
});

it('takes the place of an earlier one that still waits', async () => {
  await authorize();
  const first = engine.connection.authorized({}, soon());
  const code = shownCode();
  await authorize('nothing');
  expect(await first).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  expect(shownCode()).not.toBe(code);
});

it('beside a connection that works leaves that one in use until it is approved, and then both are there', async () => {
  const other = await service.user();
  await engine.connection.connect({ server: service.url, key: other.apiKey, keep: 'store' }, soon());
  await authorize();
  expect(engine.state().connection).toMatchObject({ state: 'connected', account: { user: { id: other.accountId } } });
  await follow(await decide('approve'));
  expect(engine.state().connection).toMatchObject({ account: { user: { id: user.accountId } } });
  expect(engine.state().accounts.map(({ isActive }) => isActive)).toEqual([false, true]);
});

it('again with the same account replaces its key: there is one entry, and the older key has ended', async () => {
  await engine.close();
  const kept: string[] = [];
  const secrets = createMemoryKeyStore();
  const set: typeof secrets.set = (name, secret) => {
    kept.push(secret);
    return secrets.set(name, secret);
  };
  ({ engine, opened } = await openEngine(profile, { secrets: { ...secrets, set } }));
  for (let time = 0; time < 2; time++) {
    opened.length = 0;
    await authorize();
    await follow(await decide('approve'));
  }
  await engine.connection.refresh({}, soon());
  expect(engine.state().accounts).toMatchObject([{ isActive: true, connection: { state: 'connected' } }]);
  const statuses = kept.map(async (key) => (await ask(service.url, { path: '/api/v1/account', key })).status);
  expect(await Promise.all(statuses)).toEqual([401, 200]);
});

it('is found again by the next start, with the key from the store', async () => {
  await engine.close();
  const secrets = createMemoryKeyStore();
  ({ engine, opened } = await openEngine(profile, { secrets }));
  await authorize();
  await follow(await decide('approve'));
  await engine.close();
  ({ engine } = await openEngine(profile, { secrets }));
  await until(() => engine.state().connection.state === 'connected');
});

describe('polling', () => {
  it('keeps the interval that the service asks for, increases it on request, and survives a broken connection', async () => {
    const pending = { code: 'AUTHORIZATION_PENDING', status: 400, title: '', detail: '', type: 'x', requestId: 'r' };
    const answers = [
      pending,
      { ...pending, code: 'SLOW_DOWN' },
      pending,
      'break',
      { ...pending, code: 'ACCESS_DENIED' },
    ];
    const polls: number[] = [];
    const scripted = await startScripted((path, reply) => {
      if (path.endsWith('/start')) return reply(200, startedAt(scripted.url));
      polls.push(fastClock.monotonic());
      const answer = answers[polls.length - 1];
      return typeof answer === 'object' ? reply(400, answer) : reply(0, null);
    });
    await authorize('nothing', scripted.url);
    expect(await engine.connection.authorized({}, soon())).toMatchObject({
      ok: false,
      error: { code: 'ACCESS_DENIED' },
    });
    const pauses = polls.slice(1).map((at, index) => (at - (polls[index] ?? 0)) / 1_000);
    expect(pauses).toHaveLength(4);
    for (const [index, least] of [5, 10, 10, 10].entries()) expect(pauses[index]).toBeGreaterThan(least - 0.1);
  });
});

it('opens /connect of the web origin, wherever the service lets the code be typed', async () => {
  let typedAt = '';
  const scripted = await startScripted((_, reply) =>
    reply(200, {
      ...startedAt(scripted.url),
      verificationUri: `${scripted.url}${typedAt}`,
      verificationUriComplete: `${scripted.url}${typedAt}#BBBB-CCCC`,
    }),
  );
  const pages = {
    '/connect/device': '/connect',
    '/connect/device/': '/connect',
    '/connect/device?lang=en#code': '/connect',
    '/connect': '/connect',
    '/device': '/connect',
    '/activate?lang=en': '/connect',
    '': '/connect',
    '/base/connect/device': '/base/connect',
    '//evil.example/connect/device': '//evil.example/connect',
  };
  for (typedAt of Object.keys(pages)) expect(await authorize('browser', scripted.url)).toMatchObject({ ok: true });
  const addresses = opened.map((address) => new URL(address));
  expect(addresses.map(({ pathname }) => pathname)).toEqual(Object.values(pages));
  for (const { origin, hash, searchParams } of addresses)
    expect([origin, hash, searchParams.has('state'), searchParams.has('lang')]).toEqual([
      scripted.url,
      '',
      true,
      false,
    ]);
});

describe('a service that names a page elsewhere', () => {
  it('gets no browser opened, neither another host nor another scheme', async () => {
    let page = '';
    const liar = await startScripted((_, reply) => reply(200, startedAt(page)));
    for (page of ['https://evil.example', 'http://share.example.org', 'file:///etc/passwd', 'javascript:alert(1)']) {
      expect(await authorize('browser', liar.url)).toMatchObject({ ok: false, error: { code: 'NOT_THE_SERVICE' } });
    }
    expect(opened).toEqual([]);
  });

  it('is not asked at all where its own address is not safe', async () => {
    expect(await authorize('browser', 'http://share.example.org')).toMatchObject({
      ok: false,
      error: { code: 'INSECURE_ADDRESS' },
    });
  });
});

it('returns the cause when the service cannot be reached', async () => {
  expect(await authorize('browser', 'http://127.0.0.1:1')).toMatchObject({
    ok: false,
    error: { code: 'CONNECTION_REFUSED' },
  });
  expect(engine.state().authorization).toBeNull();
});
