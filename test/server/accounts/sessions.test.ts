/**
 * Sign-in: the session, its cookie, guessing, other sites, and access to own items (API decisions 6, row 4), on a real
 * server.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAccounts } from '../../../src/server/accounts/accounts.ts';
import { createSessions } from '../../../src/server/accounts/sessions.ts';
import { createSignIn } from '../../../src/server/accounts/sign-in.ts';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { sql } from '../../../src/server/database/sql-template.ts';
import { networksOf as networksOfRequest } from '../../../src/server/limits/address-networks.ts';
import { attemptCounter, EVERYWHERE } from '../../../src/server/limits/attempt-counter.ts';
import { createPasswords } from '../../../src/server/passwords.ts';
import { openRecordsOf } from '../../support/engines/engines.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { publish } from '../../support/server/items.ts';
import { recordsInMemory } from '../../support/server/local-objects.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type FormBrowser, formBrowser, PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const networksOf = (from: { readonly ip: string }) => networksOfRequest(from, DEFAULT_CONFIG.limits);

const ACTIVE = new AbortController().signal;
const DAY = 86_400_000;
const MINUTE = 60_000;
const clock = movableClock();
const limits = { guestRequestsPerMinute: 100_000, requestsPerMinute: 10_000 };
let service: RunningServer;
let user: User;
let visitor: FormBrowser;
let place = 0;
beforeAll(async () => {
  service = await startServer({ clock, config: { limits, web: { trustProxy: true } } });
});
beforeEach(async () => {
  place += 1;
  user = await userWithPassword(service);
  visitor = formBrowser(service, { 'x-forwarded-for': `10.2.${place}.1` });
});
afterAll(() => service.stop());

describe('signing in', () => {
  it('with name and password starts a session of 256 random bits, kept only as a hash', async () => {
    const answer = await visitor.signIn(user.username.toUpperCase());
    expect([answer.status, answer.headers['location']]).toEqual([303, '/account']);
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const [row] = await queryData<{ hash: Buffer }>(
      service.data,
      'SELECT hash FROM sessions WHERE accountId = ?',
      user.accountId,
    );
    expect(row?.hash).toHaveLength(32);
    expect((await visitor.get('/account')).status).toBe(200);
  });

  it('over https the cookie is Secure and bound to the host', async () => {
    const secure = await startServer({ config: { web: { origin: 'https://share.example.org' } } });
    try {
      const { username } = await userWithPassword(secure);
      const answer = await formBrowser(secure).signIn(username);
      expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-session=[\w-]{43}; .*Secure/);
    } finally {
      await secure.stop();
    }
  });

  it('with a wrong password, a wrong name or no password at all gets the same answer', async () => {
    const bare = await service.user();
    const answers = [
      await visitor.signIn(user.username, 'wrong password'),
      await visitor.signIn(user.username, ''),
      await visitor.signIn('nobody'),
      await visitor.signIn(bare.username),
      await visitor.signIn(''),
    ];
    const pages = answers.map(({ status, body }) => [status, body.replace(/value="(person-\d+|nobody|)"/, 'value=""')]);
    expect(new Set(pages.map(([status]) => status))).toEqual(new Set([401]));
    expect(pages[0]?.[1]).toContain('Incorrect user name or password');
    expect(answers.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true);
  });

  it('is 429 after ten wrong ones of one address for one account in 15 minutes, also with the right password', async () => {
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await visitor.signIn(user.username, `wrong password ${tries}`)).status).toBe(401);
    }
    const refused = await visitor.signIn(user.username);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
    const other = await userWithPassword(service);
    expect((await visitor.signIn(other.username)).status).toBe(303);
    expect((await formBrowser(service, { 'x-forwarded-for': '10.3.0.1' }).signIn(user.username)).status).toBe(303);
    clock.advance(15 * MINUTE);
    expect((await visitor.signIn(user.username)).status).toBe(303);
  });

  it('is not refused for a day where the clock was set back by a day', async () => {
    for (let tries = 0; tries < 10; tries += 1) await visitor.signIn(user.username, `wrong password ${tries}`);
    expect((await visitor.signIn(user.username)).status).toBe(429);
    clock.advance(-DAY);
    expect((await visitor.signIn(user.username)).status).toBe(303);
    clock.advance(DAY);
  });

  it('is 429 after a hundred wrong ones of one address for all accounts', async () => {
    const guess = (name: string) => visitor.signIn(name, 'short');
    for (let tries = 0; tries < 100; tries += 1) expect((await guess(`guess-${tries}`)).status).toBe(401);
    expect((await guess('guess-100')).status).toBe(429);
  });

  it('is 503 with Retry-After when too many passwords are being checked, and such a try is not counted', async () => {
    // The place is taken for a moment only: these records answer at once.
    const records = recordsInMemory();
    const passwords = createPasswords({ atOnce: 1, waitingMax: 0 });
    const deps = { records, clock, config: DEFAULT_CONFIG, random: systemRandom };
    const { check } = createSignIn(deps, passwords);
    const other = passwords.hash('the one place is taken');
    for (let tries = 0; tries < 20; tries += 1) {
      await expect(check('ada', PASSWORD, networksOf({ ip: '10.9.0.1' }), ACTIVE)).rejects.toMatchObject({
        code: 'UPLOAD_SERVER_BUSY',
        status: 503,
        more: { retryAfterMs: expect.any(Number) },
      });
    }
    await other;
    expect(await check('ada', PASSWORD, networksOf({ ip: '10.9.0.1' }), ACTIVE)).toBeNull();
  });

  it('is remembered in no more rows than limits.rememberedNetworks, the newest ones', async () => {
    const records = recordsInMemory();
    const config = { ...DEFAULT_CONFIG, limits: { ...DEFAULT_CONFIG.limits, rememberedNetworks: 3 } };
    const { sweep } = createSignIn({ records, clock, config, random: systemRandom }, createPasswords());
    const tries = attemptCounter(records, clock, 'wrongSignIns');
    for (let index = 0; index < 10; index += 1) {
      clock.advance(1);
      await tries.countAlways(`name-${index}`, EVERYWHERE);
    }
    await sweep();
    const rows = await records.all<{ readonly username: string }>(sql`SELECT "username" FROM "wrongSignIns"`);
    expect(rows.map(({ username }) => username).toSorted()).toEqual(['name-7', 'name-8', 'name-9']);
  });

  it('with a password that is changed while it is checked is wrong', async () => {
    const records = await openRecordsOf(temporaryFolder('overtaken-sign-in'));
    const passwords = createPasswords();
    const deps = { records, clock, config: DEFAULT_CONFIG, random: systemRandom };
    const accounts = createAccounts(deps);
    const [before, after] = [await passwords.hash(PASSWORD), await passwords.hash('another password')];
    await accounts.add({ username: 'ada', plan: 'free', passwordHash: before });
    const { check } = createSignIn(deps, {
      ...passwords,
      guess: async (...asked) => {
        const fits = await passwords.guess(...asked);
        await accounts.setPassword('ada', after);
        return fits;
      },
    });
    expect(await check('ada', PASSWORD, networksOf({ ip: '10.9.0.1' }), ACTIVE)).toBeNull();
    expect(await check('ada', 'another password', networksOf({ ip: '10.9.0.1' }), ACTIVE)).toMatchObject({
      username: 'ada',
    });
    await records.close();
  });

  it('leads back to where one came from, and never to another site', async () => {
    const asked = await visitor.get('/connect/device?code=AB');
    expect(asked.headers['location']).toBe('/sign-in?next=%2Fconnect%2Fdevice%3Fcode%3DAB');
    expect((await visitor.signIn(user.username, undefined, '/connect/device?code=AB')).headers['location']).toBe(
      '/connect/device?code=AB',
    );
    for (const next of [
      `/${'x'.repeat(5_000)}`,
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/a\nb',
      '',
    ]) {
      expect((await visitor.signIn(user.username, undefined, next)).headers['location']).toBe('/account');
    }
    // A signed-in user is redirected immediately.
    expect((await visitor.get('/sign-in?next=/connect/device')).headers['location']).toBe('/connect/device');
    expect((await visitor.get('/sign-in?next=/a&next=/b')).headers['location']).toBe('/account');
  });
});

describe('a session', () => {
  it('ends by signing out, for the browser and on the server', async () => {
    await visitor.signIn(user.username);
    const cookie = visitor.cookie();
    const out = await visitor.post('/sign-out');
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([
      303,
      expect.stringMatching(/^session=;.*Expires=Thu, 01 Jan 1970/),
    ]);
    expect((await visitor.send({ path: '/account', headers: { cookie } })).status).toBe(303);
  });

  it('ends after 30 days', async () => {
    await visitor.signIn(user.username);
    clock.advance(30 * DAY - 1);
    expect((await visitor.get('/account')).status).toBe(200);
    clock.advance(1);
    expect((await visitor.get('/account')).status).toBe(303);
  });

  it('ends when the account has 100 others that were used since', async () => {
    const records = await openRecordsOf(service.data);
    onTestFinished(() => records.close());
    const sessions = createSessions({ records, clock, random: systemRandom });
    const account = await service.server.accounts.byUsername(user.username);
    const start = async (): Promise<string> => {
      clock.advance(1_000);
      return (await sessions.start(account, { browser: null, ip: '10.0.0.1' })) ?? '';
    };
    const [used, unused] = [await start(), await start()];
    clock.advance(2 * 3_600_000);
    expect(await sessions.find(used)).toBeDefined();
    for (let count = 0; count < 99; count += 1) await start();
    expect(await sessions.list(account.id)).toHaveLength(100);
    expect(await sessions.find(used)).toBeDefined();
    expect(await sessions.find(unused)).toBeUndefined();
  });

  it('ends when the password is changed', async () => {
    await visitor.signIn(user.username);
    await service.server.accounts.setPassword(user.username, 'another hash');
    expect((await visitor.get('/account')).headers['location']).toMatch(/^\/sign-in/);
  });

  it('of a banned account is 401, and so is signing in', async () => {
    await visitor.signIn(user.username);
    await service.server.accounts.ban(user.username);
    const page = await visitor.get('/account');
    expect([page.status, page.body]).toEqual([401, expect.stringContaining('This account is banned')]);
    expect((await visitor.signIn(user.username)).status).toBe(401);
  });

  it('does not authenticate at the API, which requires a key', async () => {
    await visitor.signIn(user.username);
    const answer = await visitor.send({ path: '/api/v1/account' });
    expect([answer.status, answer.problem.code]).toEqual([401, 'AUTH_REQUIRED']);
  });

  it('makes its owner see private and used-up items on page, media and open, without a view', async () => {
    const hidden = await publish(service, user, { visibility: 'private' });
    const once = await publish(service, user, { oneTime: true });
    for (const { id } of [hidden, once]) {
      expect((await visitor.page(id)).status).toBe(id === hidden.id ? 404 : 200);
    }
    await visitor.signIn(user.username);
    const cookie = visitor.cookie();
    await formBrowser(service).open(once.id);
    for (const { id } of [hidden, once]) {
      expect((await visitor.page(id)).status).toBe(200);
      expect((await visitor.media(id)).status).toBe(200);
      const opened = await visitor.open(id);
      expect([opened.status, opened.body.views]).toEqual([200, id === once.id ? 1 : 0]);
    }
    expect(visitor.cookie()).toBe(cookie);
    const stranger = formBrowser(service);
    await stranger.signIn((await userWithPassword(service)).username);
    for (const { id } of [hidden, once]) expect((await stranger.page(id)).status).toBe(404);
  });
});

describe('a form that another site sends', () => {
  it('is 403 without an effect, whatever headers the browser sends', async () => {
    await visitor.signIn(user.username);
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ];
    for (const headers of foreign) {
      const paths = ['/account/keys', '/account/profile', '/sign-in', '/sign-out', '/connect/device/decide'];
      for (const path of [...paths, '/account/password', '/account/sessions/end-others', '/account/items/delete']) {
        const answer = await visitor.post(path, { keyName: 'x', scope: 'account:read', lifetime: 'never' }, headers);
        expect([path, answer.status]).toEqual([path, 403]);
      }
    }
    const old = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' };
    expect((await visitor.send({ method: 'POST', path: '/sign-out', headers: old })).status).toBe(403);
    expect(await queryData(service.data, 'SELECT id FROM keys WHERE accountId = ?', user.accountId)).toHaveLength(1);
    expect((await visitor.get('/account')).status).toBe(200);
  });
});
