/** Limits count networks and not addresses: a line with IPv6 has 2^64 addresses, and is one guest. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { networksOf as networksOfRequest } from '../../../src/server/limits/address-networks.ts';
import { createBudgets } from '../../../src/server/limits/request-budgets.ts';
import { createSuspectNetworks } from '../../../src/server/limits/suspect-networks.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { formBrowser, PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';

const DAY_MS = 24 * 3_600_000;
const networksOf = (from: { readonly ip: string | undefined }) => networksOfRequest(from, DEFAULT_CONFIG.limits);

const spelled = (ip: string) => networksOf({ ip }).map(({ network, factor }) => [network, factor]);
const address = (high: string, index: number) => `${high}:${index.toString(16)}:1:2:3:4`;

describe('An address', () => {
  it('of IPv4 counts for itself, also written as IPv6', () => {
    for (const ip of [
      '203.0.113.9',
      '::ffff:203.0.113.9',
      '::ffff:cb00:7109',
      '::FFFF:203.0.113.9',
      '203.0.113.9:4711',
    ])
      expect(spelled(ip), ip).toEqual([['203.0.113.9', 1]]);
  });
  it('of IPv6 counts for its /64, and for its /56 with ten times the limit', () => {
    for (const ip of [
      '2001:db8:1:2a7::1',
      '2001:0DB8:0001:02a7:ffff::',
      '[2001:db8:1:2a7::1]:443',
      '2001:db8:1:2a7::1%eth0',
    ])
      expect(spelled(ip), ip).toEqual([
        ['2001:db8:1:2a7::/64', 1],
        ['2001:db8:1:200::/56', 10],
      ]);
    expect(spelled('::1')).toEqual([
      ['0:0:0:0::/64', 1],
      ['0:0:0:0::/56', 10],
    ]);
    expect(spelled('64:ff9b::192.0.2.1')[0]).toEqual(['64:ff9b:0:0::/64', 1]);
  });
  it('that is invalid counts as one network, whatever it contains', () => {
    for (const ip of ['', 'unknown', '1.2.3', ':::', 'x'.repeat(1_000), '_hidden'])
      expect(spelled(ip)).toEqual([['unknown', 1]]);
  });
  it('of a client that has gone is one network too', () => {
    expect(networksOf({ ip: undefined })).toEqual(networksOf({ ip: 'nothing' }));
  });

  it('counts the same in every spelling', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const long = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const plain = groups
          .map((group) => group.toString(16))
          .join(':')
          .toUpperCase();
        expect(spelled(long)).toEqual(spelled(plain));
        const sibling = [...groups.slice(0, 4), ...groups.slice(4).map((group) => group ^ 1)];
        const mapped = groups.slice(0, 5).every((group) => group === 0);
        if (!mapped) expect(spelled(sibling.map((group) => group.toString(16)).join(':'))).toEqual(spelled(long));
      }),
      { seed: 20_261_122 },
    );
  });
  it('of IPv6 has the multiple of limits.widerNetworkFactor for its /56', () => {
    const factors = (ip: string) => networksOfRequest({ ip }, { widerNetworkFactor: 3 }).map(({ factor }) => factor);
    expect(factors('2001:db8::1')).toEqual([1, 3]);
    expect(factors('203.0.113.9')).toEqual([1]);
  });
  it('of a request is read in one module only', () => {
    const folder = resolve(import.meta.dirname, '../../../src/server');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !/limits.address-networks\.ts$/.test(name),
    );
    const reading = files.filter((name) =>
      /\b(?:request|req|requester)\.ips?\b|\{[^{}]*\bips?\b[^{}]*\}\s*=\s*request\b|remoteAddress/.test(
        readFileSync(join(folder, name), 'utf8'),
      ),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(reading).toEqual([]);
  });
});

describe('Behind a proxy that names the address of the guest', () => {
  let server: RunningServer;
  let owner: User;
  beforeAll(async () => {
    server = await startServer({
      config: { web: { trustProxy: true }, limits: { guestRequestsPerMinute: 1_000, wrongPasswordsPer15Minutes: 3 } },
    });
    owner = await server.user();
  });
  afterAll(() => server.stop());

  const guess = async (id: string, ip: string): Promise<number> =>
    (
      await ask(server.url, {
        method: 'POST',
        path: `/api/share/${id}/open`,
        headers: { 'x-forwarded-for': ip },
        body: { password: 'wrong password' },
      })
    ).status;
  const many = async (count: number, one: (index: number) => Promise<number>): Promise<readonly number[]> => {
    const seen: number[] = [];
    for (let index = 0; index < count; index++) seen.push(await one(index));
    return seen;
  };
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  it('wrong passwords of one /64 are 429 like those of one address', async () => {
    const { id } = await publish(server, owner, { password: PASSWORD });
    const seen = await many(6, (index) => guess(id, `2001:db8:1:1:${index}::9`));
    expect(seen).toEqual([...times(3, 403), ...times(3, 429)]);
    expect(await guess(id, '2001:db8:1:2::9')).toBe(403);
  });
  it('wrong passwords of one /56 are 429 after ten times as many', async () => {
    const { id } = await publish(server, owner, { password: PASSWORD });
    const seen = await many(33, (index) => guess(id, address('2001:db8:2', index)));
    expect(seen).toEqual([...times(30, 403), ...times(3, 429)]);
  });
  it('wrong sign-ins of one /64 are 429 like those of one address', async () => {
    const { username } = await userWithPassword(server);
    const seen = await many(5, async (index) => {
      const visitor = formBrowser(server, { 'x-forwarded-for': `2001:db8:3:1::${index + 1}` });
      return (await visitor.signIn(username, 'wrong password')).status;
    });
    expect(seen).toEqual([...times(3, 401), ...times(2, 429)]);
    const elsewhere = formBrowser(server, { 'x-forwarded-for': '2001:db8:4:1::1' });
    expect((await elsewhere.signIn(username)).status).toBe(303);
  });
  it('requests of guests and starts of device codes draw from the budget of their /64, and of their /56', async () => {
    const small = await startServer({ config: { web: { trustProxy: true }, limits: { guestRequestsPerMinute: 2 } } });
    try {
      const from = (ip: string) => async () =>
        (
          await ask(small.url, {
            method: 'POST',
            path: '/api/v1/device-auth/start',
            headers: { 'x-forwarded-for': ip },
            body: { deviceName: 'Laptop', deviceId: 'device', platform: 'linux' },
          })
        ).status;
      expect([await from('2001:db8::1')(), await from('2001:db8::2')(), await from('2001:db8::3')()]).toEqual([
        200, 200, 429,
      ]);
      const seen = await many(25, (index) => from(address('2001:db8:9', index))());
      expect(seen).toEqual([...times(20, 200), ...times(5, 429)]);
    } finally {
      await small.stop();
    }
  });
});

describe('The memory for counters', () => {
  it('keeps no more windows of guests than it may, however many networks ask', () => {
    const clock = movableClock();
    const budgets = createBudgets({ ...DEFAULT_CONFIG.limits, rememberedNetworks: 100 }, clock);
    for (let index = 0; index < 1_000; index++)
      for (const { network, factor } of networksOf({ ip: `2001:db8:${index.toString(16)}::1` }))
        budgets.take('guest', network, factor);
    expect(budgets.size()).toBeLessThanOrEqual(100);
    clock.advance(60_000);
    const [{ network }] = networksOf({ ip: '203.0.113.9' });
    expect(budgets.take('guest', network).remaining).toBe(599);
    expect(budgets.size()).toBe(1);
  });
  it('keeps no more networks with a wrong guess than limits.rememberedNetworks', () => {
    const suspicion = createSuspectNetworks(movableClock(), 100);
    const from = (index: number) => networksOf({ ip: `203.0.${Math.floor(index / 250)}.${index % 250}` });
    for (let index = 0; index < 1_000; index++) suspicion.begin(from(index)).end('wrong');
    expect(suspicion.size()).toBe(100);
    expect(suspicion.begin(from(999)).lane).toBe('suspect');
    expect(suspicion.begin(from(0)).lane).toBe('clean');
  });
  it('forgets wrong guesses when their time is over', () => {
    const clock = movableClock();
    const suspicion = createSuspectNetworks(clock, 100);
    const networks = networksOf({ ip: '203.0.113.9' });
    suspicion.begin(networks).end('wrong');
    expect(suspicion.begin(networks).lane).toBe('suspect');
    clock.advance(120_000);
    const other = suspicion.begin(networksOf({ ip: '203.0.113.10' }));
    other.end('wrong');
    expect(suspicion.size()).toBe(2);
  });
  it('forgets wrong guesses when the clock is set back', () => {
    const clock = movableClock();
    const suspicion = createSuspectNetworks(clock, 100);
    const networks = networksOf({ ip: '203.0.113.9' });
    suspicion.begin(networks).end('wrong');
    clock.advance(-DAY_MS);
    expect(suspicion.begin(networks).lane).toBe('clean');
  });
});
