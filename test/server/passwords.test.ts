import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSignIn } from '../../src/server/accounts/sign-in.ts';
import { systemRandom } from '../../src/server/clock-and-random.ts';
import { DEFAULT_CONFIG } from '../../src/server/config/config.ts';
import { parseConfig } from '../../src/server/config/read-config.ts';
import { sql } from '../../src/server/database/sql-template.ts';
import { networksOf as networksOfRequest } from '../../src/server/limits/address-networks.ts';
import { attemptCounter, EVERYWHERE } from '../../src/server/limits/attempt-counter.ts';
import { createPasswordTries } from '../../src/server/limits/password-tries.ts';
import { createPasswords } from '../../src/server/passwords.ts';
import { ProblemError } from '../../src/server/problem-details.ts';
import { openRecordsOf } from '../support/engines/engines.ts';
import { movableClock } from '../support/movable-clock.ts';
import { browser, publish } from '../support/server/items.ts';
import { recordsInMemory } from '../support/server/local-objects.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';
import { formBrowser, userWithPassword } from '../support/server/signed-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const networksOf = (from: { readonly ip: string }) => networksOfRequest(from, DEFAULT_CONFIG.limits);

const PASSWORD = 'correct horse battery';
const ACTIVE = new AbortController().signal;
const started: RunningServer[] = [];
afterAll(() => Promise.all(started.map((server) => server.stop())));

describe('Password hashes', () => {
  it('are Argon2id of at least 19 MiB and two passes, salted', async () => {
    const passwords = createPasswords();
    const [first, second] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await passwords.verify(first, PASSWORD)).toBe(true);
    expect(await passwords.verify(first, `${PASSWORD}!`)).toBe(false);
  });
  it('are computed a few at a time, and one too many is refused with a request to retry', async () => {
    const passwords = createPasswords({ atOnce: 1, waitingMax: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash(PASSWORD)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    for (const outcome of outcomes.slice(3)) {
      expect(outcome).toMatchObject({ reason: expect.any(ProblemError) });
      expect(outcome).toMatchObject({ reason: { code: 'UPLOAD_SERVER_BUSY', status: 503 } });
    }
    expect(await passwords.hash(PASSWORD)).toMatch(/^\$argon2id/);
  });
});

describe('A flood of wrong guesses', () => {
  const from = (index: number) => networksOf({ ip: `203.0.113.${index}` });

  it('leaves a place to a network that has not guessed wrong lately, also while all others wait', async () => {
    const passwords = createPasswords({ atOnce: 2, waitingMax: 8 });
    const hashed = await passwords.hash(PASSWORD);
    await passwords.guess(hashed, 'wrong password', from(1));
    const flood = Promise.allSettled(Array.from({ length: 30 }, () => passwords.guess(hashed, 'wrong', from(1))));
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, (_, index) => passwords.guess(hashed, PASSWORD, from(10 + index))),
    );
    expect(outcomes).toEqual([true, true, true, true]);
    const refused = (await flood).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(30 - 8 - 1);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: 'UPLOAD_SERVER_BUSY' } });
  });
  it('that comes all at once is behind others from its second guess on', async () => {
    const passwords = createPasswords({ atOnce: 2, waitingMax: 8 });
    const hashed = await passwords.hash(PASSWORD);
    const flood = Promise.allSettled(Array.from({ length: 40 }, () => passwords.guess(hashed, 'wrong', from(2))));
    expect(await passwords.guess(hashed, PASSWORD, from(3))).toBe(true);
    expect((await flood).filter(({ status }) => status === 'rejected')).toHaveLength(40 - 8 - 2);
  });
  it('from ninety connections of one network does not keep anyone else out of their account', async () => {
    const server = await startServer({
      config: { web: { trustProxy: true }, limits: { guestRequestsPerMinute: 10_000 } },
    });
    started.push(server);
    const alice = await userWithPassword(server);
    const attack = Array.from({ length: 90 }, async (_, index) => {
      const visitor = formBrowser(server, { 'x-forwarded-for': `2001:db8:1:1::${index + 1}` });
      return (await visitor.signIn(`made-up-${index}`, 'wrong password')).status;
    });
    const seen: number[] = [];
    for (let turn = 0; turn < 12; turn++)
      seen.push((await formBrowser(server, { 'x-forwarded-for': '203.0.113.7' }).signIn(alice.username)).status);
    expect(seen).toEqual(Array.from({ length: 12 }, () => 303));
    expect([...new Set(await Promise.all(attack))].every((status) => status === 401 || status === 503)).toBe(true);
  });
});

describe('Wrong passwords from everywhere', () => {
  const limits = { wrongPasswordsPerItemPer15Minutes: 20, guestRequestsPerMinute: 10_000 };

  it('slow an item down for other visitors, with 429 and seconds to wait, and never its owner or a visitor who has opened it', async () => {
    const clock = movableClock();
    const server = await startServer({ clock, config: { web: { trustProxy: true }, limits } });
    started.push(server);
    const owner = await server.user();
    const item = await publish(server, owner, { password: PASSWORD });
    const other = await publish(server, owner, { password: PASSWORD });
    const viewer = browser(server);
    await viewer.open(item.id, PASSWORD);
    const open = (network: number, password: string, id = item.id) =>
      ask(server.url, {
        method: 'POST',
        path: `/api/share/${id}/open`,
        headers: { 'x-forwarded-for': `203.0.113.${network}` },
        body: { password },
      });
    for (let network = 0; network < 20; network++) expect((await open(network, 'wrong password')).status).toBe(403);
    const refused = await open(100, PASSWORD);
    expect([refused.status, refused.problem.code]).toEqual([429, 'RATE_LIMITED']);
    // 15 minutes through 20.
    expect(Number(refused.headers['retry-after'])).toBe(45);
    expect((await open(101, PASSWORD, other.id)).status).toBe(200);
    expect([(await viewer.open(item.id)).status, (await viewer.media(item.id)).status]).toEqual([200, 200]);
    const path = `/api/share/${item.id}/open`;
    expect((await ask(server.url, { method: 'POST', path, key: owner.apiKey })).status).toBe(200);
    clock.advance(45_000);
    expect((await open(102, 'wrong password')).status).toBe(403);
    expect((await open(103, PASSWORD)).status).toBe(429);
    clock.advance(45_000);
    expect((await open(103, PASSWORD)).status).toBe(200);
    clock.advance(15 * 60_000);
    for (let network = 0; network < 20; network++) expect((await open(network, 'wrong password')).status).toBe(403);
  });
  it('delay the sign-ins of a name increasingly, and refuse none of them', async () => {
    const server = await startServer();
    started.push(server);
    const alice = await userWithPassword(server);
    const records = await openRecordsOf(server.data);
    const waited: number[] = [];
    try {
      const config = parseConfig({ limits: { wrongSignInsPerNamePer15Minutes: 8 } });
      const deps = { records, clock: movableClock(), config, random: systemRandom };
      const { check } = createSignIn(deps, createPasswords(), async (ms) => void waited.push(ms));
      for (let network = 0; network < 20; network++)
        expect(
          await check(alice.username, 'wrong password', networksOf({ ip: `198.51.100.${network}` }), ACTIVE),
        ).toBeNull();
      expect(waited).toEqual([1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 8, 8].map((seconds) => seconds * 1_000));
      const found = await check(alice.username, PASSWORD, networksOf({ ip: '203.0.113.9' }), ACTIVE);
      expect(found?.id).toBe(alice.accountId);
      expect(waited).toHaveLength(13);
      await check('somebody-else', 'wrong password', networksOf({ ip: '203.0.113.9' }), ACTIVE);
      expect(waited).toHaveLength(13);
    } finally {
      await records.close();
    }
  });
});

describe('Tries at the same time', () => {
  it('with the right password are all let in, to an item and to an account', async () => {
    const server = await startServer({ config: { limits: { guestRequestsPerMinute: 10_000 } } });
    started.push(server);
    const owner = await userWithPassword(server);
    const { id } = await publish(server, owner, { password: PASSWORD });
    const opened = await Promise.all(Array.from({ length: 30 }, () => browser(server).open(id, PASSWORD)));
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    const signedIn = await Promise.all(Array.from({ length: 15 }, () => formBrowser(server).signIn(owner.username)));
    expect(signedIn.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 303));
  });

  const [{ network }] = networksOf({ ip: '203.0.113.7' });
  const tooMany = { code: 'RATE_LIMITED', more: { retryAfterMs: 15 * 60_000 } };
  const busy = { code: 'UPLOAD_SERVER_BUSY', more: { retryAfterMs: 1_000 } };

  /** Tries at one secret, whose checks the test ends; `begun` names those that are or were checked. */
  const triesOf = (limit: number, deps = { records: recordsInMemory(), clock: movableClock() }) => {
    const tries = createPasswordTries(deps, 'wrongSignIns');
    const begun: string[] = [];
    const start = (name: string, signal = ACTIVE) => {
      const [begins, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<'right' | null>()];
      const answer = tries.attempt(
        'one line',
        (counter) => counter.count('ada', network, limit, 'Too many'),
        () => {
          begun.push(name);
          begins.resolve();
          return ends.promise;
        },
        signal,
      );
      return { answer, begins: begins.promise, end: ends.resolve };
    };
    return { deps, begun, start };
  };

  it('wait where only those that are being checked fill the limit, and are refused once enough were wrong', async () => {
    const { begun, start } = triesOf(2);
    const [first, second, third, fourth] = [start('first'), start('second'), start('third'), start('fourth')];
    await second.begins;
    first.end('right');
    await third.begins;
    third.end(null);
    second.end(null);
    await expect(fourth.answer).rejects.toMatchObject(tooMany);
    expect(await Promise.all([first.answer, second.answer, third.answer])).toEqual(['right', null, null]);
    expect(begun).toEqual(['first', 'second', 'third']);
  });
  it('begin in order', async () => {
    const { begun, start } = triesOf(1);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const one of names.map((name) => start(name))) {
      await one.begins;
      one.end('right');
    }
    expect(begun).toEqual(names);
  });
  it('wait in a bounded number, others being 503, and no longer than their requests', async () => {
    const { begun, start } = triesOf(1);
    const first = start('first');
    await first.begins;
    const left = new AbortController();
    const leaving = start('leaving', left.signal);
    const waiting = Array.from({ length: 63 }, (_, index) => start(`waiting ${index}`));
    await expect(start('one too many').answer).rejects.toMatchObject(busy);
    left.abort();
    await expect(leaving.answer).rejects.toMatchObject(busy);
    for (const { end } of waiting) end('right');
    first.end('right');
    await Promise.all(waiting.map(({ answer }) => answer));
    expect(begun).toHaveLength(64);
  });
  it('at another server, also one that has died, count as wrong until their window ends', async () => {
    const { deps, start: startThere } = triesOf(1);
    await startThere('never ends').begins;
    const { start } = triesOf(1, deps);
    await expect(start('refused').answer).rejects.toMatchObject(tooMany);
    deps.clock.advance(15 * 60_000);
    const later = start('later');
    later.end('right');
    expect(await later.answer).toBe('right');
  });
});

describe('The network of a try', () => {
  const [{ network }] = networksOf({ ip: '203.0.113.7' });

  it('is forgotten once its password was right, and stays counted beside others that are wrong or being checked', async () => {
    const records = await openRecordsOf(temporaryFolder('right-password'));
    onTestFinished(() => records.close());
    const tries = createPasswordTries({ records, clock: movableClock() }, 'wrongSignIns');
    const attempt = (check: () => Promise<'right' | null>) =>
      tries.attempt(
        'a line',
        async (counter) => {
          await counter.count('ada', network, 10, 'Too many');
          await counter.countSlowly('ada', EVERYWHERE, 10, 'Too many');
        },
        check,
        ACTIVE,
      );
    const counts = async () =>
      (await records.all<{ count: number }>(sql`SELECT "count" FROM "wrongSignIns"`)).map(({ count }) => count);
    await attempt(async () => 'right');
    expect(await counts()).toEqual([]);
    await attempt(async () => {
      await attempt(async () => 'right');
      expect(await counts()).toEqual([1, 1]);
      return null;
    });
    await attempt(async () => 'right');
    expect(await counts()).toEqual([1, 1]);
  });
});

describe('Wrong passwords that were counted while the clock was ahead', () => {
  const YEAR_MS = 365 * 86_400_000;
  const LIMIT = 10;

  it('end when it is right again', async () => {
    const records = recordsInMemory();
    let now = 2 * YEAR_MS;
    const counter = attemptCounter(records, { now: () => now }, 'wrongSignIns');
    for (let count = 0; count < LIMIT; count += 1) {
      await counter.count('one', EVERYWHERE, LIMIT);
      await counter.countSlowly('slow', EVERYWHERE, LIMIT);
      await counter.countAlways('always', EVERYWHERE);
    }
    await counter.countAlways('forgotten', EVERYWHERE);
    expect(await counter.count('one', EVERYWHERE, LIMIT)).toBeGreaterThan(0);
    expect(await counter.countSlowly('slow', EVERYWHERE, LIMIT)).toBeGreaterThan(0);
    now -= YEAR_MS;
    expect(await counter.count('one', EVERYWHERE, LIMIT)).toBe(0);
    expect(await counter.countSlowly('slow', EVERYWHERE, LIMIT)).toBe(0);
    expect(await counter.countAlways('always', EVERYWHERE)).toBe(0);
    await counter.sweep(LIMIT);
    const rows = await records.all(sql`SELECT "username" FROM "wrongSignIns" WHERE "startedAt" > ${now}`);
    expect(rows).toEqual([]);
    expect(await counter.countAlways('always', EVERYWHERE)).toBe(1);
  });
});

describe('Behind https', () => {
  it('the viewer cookies are Secure and bound to this host', async () => {
    const server = await startServer({ config: { web: { origin: 'https://share.example.org' } } });
    started.push(server);
    const item = await publish(server, await server.user(), { password: PASSWORD });
    expect(item.url).toBe(`https://share.example.org/s/${item.id}`);
    const guest = browser(server);
    const { headers } = await guest.open(item.id, PASSWORD);
    const cookie = (name: string) =>
      expect.stringMatching(`^${name}=[\\w-]{22}; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Lax$`);
    expect(headers['set-cookie']).toEqual([cookie('__Host-viewer'), cookie(`__Host-viewer_${item.id}`)]);
    expect((await guest.media(item.id)).status).toBe(200);
    const plain = guest.cookie().replaceAll('__Host-', '');
    expect((await browser(server).media(item.id, { cookie: plain })).status).toBe(403);
  });
});
