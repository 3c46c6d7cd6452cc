/**
 * Plans, the trial's five states and its notices, and the subscription (API document, "BillingTrial", "entitlements";
 * API decisions 3).
 */
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, type BillingTrial, Subscription } from '../../../src/api/account.ts';
import { trialNetworkOf } from '../../../src/server/limits/address-networks.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { change, publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

const DAY = 86_400_000;
const GIB = 1024 ** 3;
const clock = movableClock();
let service: RunningServer;
let place = 0;
/** Every test uses its own network. */
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startServer({
    clock,
    config: { web: { trustProxy: true }, limits: { requestsPerMinute: 10_000, guestRequestsPerMinute: 10_000 } },
  });
});
beforeEach(() => {
  place += 1;
  headers = { 'x-forwarded-for': `10.1.${place}.7` };
});
afterAll(() => service.stop());

const subscription = async (owner: User): Promise<Subscription> => {
  const answer = await ask<Subscription>(service.url, {
    path: '/api/billing/subscription',
    key: owner.apiKey,
    headers,
  });
  expect(Value.Errors(Subscription, answer.body)).toEqual([]);
  return answer.body;
};
const start = (owner: User, from = headers) =>
  ask<Subscription>(service.url, { method: 'POST', path: '/api/billing/trial', key: owner.apiKey, headers: from });
const account = async (owner: User): Promise<Account> =>
  (await ask<Account>(service.url, { path: '/api/v1/account', key: owner.apiKey, headers })).body;

const NOTHING: Partial<BillingTrial> = { startsAt: null, endsAt: null, daysLeft: null, reason: null, notice: null };

describe('the trial', () => {
  it('is available to an account that never had a plan', async () => {
    const { plan, trial, entitlements } = await subscription(await service.user());
    expect(plan).toBeNull();
    expect(trial).toEqual({
      ...NOTHING,
      state: 'available',
      planCode: 'pro',
      planName: { en: 'Pro', ru: 'Про' },
      days: 14,
      planQuota: true,
    });
    expect(entitlements).toMatchObject({ planUntil: null, features: [], trial });
  });

  it('is not started by a key that may only read', async () => {
    const owner = await service.user({ scopes: ['account:read', 'content:read'] });
    const { status, problem } = await start(owner);
    expect([status, problem.code, problem.params]).toEqual([403, 'SCOPE_MISSING', { scope: 'content:write' }]);
    expect((await subscription(owner)).trial.state).toBe('available');
  });

  it('when active gives the rights and the storage of its plan, everywhere they are shown', async () => {
    const owner = await service.user();
    const begun = clock.now();
    const { status, body } = await start(owner);
    expect(status).toBe(200);
    const ends = new Date(begun + 14 * DAY).toISOString();
    expect(body.trial).toMatchObject({
      state: 'active',
      startsAt: new Date(begun).toISOString(),
      endsAt: ends,
      daysLeft: 14,
      notice: null,
    });
    expect(body.plan).toEqual({ code: 'pro', name: { en: 'Pro', ru: 'Про' }, trial: true, until: ends });
    const { user, limits, entitlements } = await account(owner);
    expect(user).toMatchObject({ quotaBytes: 100 * GIB, plan: { trial: true, until: ends } });
    expect(limits).toMatchObject({ planImageBytes: null, maxVideoBytes: 4 * GIB });
    expect(entitlements.planUntil).toBe(ends);
    expect(entitlements.features).toHaveLength(4);
  });

  it('is reported as ending when two days or less are left, and as ended for 14 days after its end', async () => {
    const owner = await service.user();
    await start(owner);
    clock.advance(12 * DAY - 1);
    expect((await subscription(owner)).trial).toMatchObject({ state: 'active', daysLeft: 3, notice: null });
    clock.advance(1);
    expect((await subscription(owner)).trial).toMatchObject({ state: 'active', daysLeft: 2, notice: 'ending' });
    clock.advance(2 * DAY - 1);
    expect((await subscription(owner)).trial).toMatchObject({ state: 'active', daysLeft: 1, notice: 'ending' });
    clock.advance(1);
    expect((await subscription(owner)).trial).toMatchObject({ state: 'ended', daysLeft: null, notice: 'ended' });
    clock.advance(14 * DAY);
    expect((await subscription(owner)).trial).toMatchObject({ state: 'ended', notice: 'ended' });
    clock.advance(1);
    expect((await subscription(owner)).trial).toMatchObject({ state: 'ended', notice: null });
    expect((await start(owner)).problem).toMatchObject({
      status: 409,
      code: 'TRIAL_UNAVAILABLE',
      params: { state: 'ended' },
    });
  });

  it('is started once: a repeat while it runs changes nothing', async () => {
    const owner = await service.user();
    const first = await start(owner);
    clock.advance(DAY);
    const again = await start(owner);
    expect([again.status, again.body.trial.endsAt]).toEqual([200, first.body.trial.endsAt]);
  });

  it('is used once a plan came after it', async () => {
    const owner = await service.user();
    await start(owner);
    await service.server.accounts.setPlan(owner.username, 'pro', clock.now() + DAY);
    const { plan, trial } = await subscription(owner);
    expect(plan).toMatchObject({ code: 'pro', trial: false });
    expect(trial).toMatchObject({ state: 'used', daysLeft: null, reason: null });
    clock.advance(2 * DAY);
    expect(await subscription(owner)).toMatchObject({ plan: null, trial: { state: 'used' } });
  });

  it('is unavailable to an account that had a subscription, also after its end', async () => {
    const owner = await service.user({ plan: 'pro' });
    expect((await subscription(owner)).trial).toEqual(
      expect.objectContaining({ ...NOTHING, state: 'unavailable', reason: 'subscribed' }),
    );
    await service.server.accounts.setPlan(owner.username, 'free', null);
    expect((await subscription(owner)).trial).toMatchObject({ state: 'unavailable', reason: 'subscribed' });
    expect((await start(owner)).problem).toMatchObject({
      code: 'TRIAL_UNAVAILABLE',
      params: { state: 'unavailable', reason: 'subscribed' },
    });
  });

  it('is unavailable for 30 days where one was taken from the same address or network', async () => {
    await start(await service.user());
    const other = await service.user();
    headers = { 'x-forwarded-for': `10.1.${place}.200` };
    expect((await subscription(other)).trial).toMatchObject({ state: 'unavailable', reason: 'limit' });
    expect((await start(other)).problem.params).toEqual({ state: 'unavailable', reason: 'limit' });
    clock.advance(30 * DAY);
    expect((await subscription(other)).trial.state).toBe('available');
  });

  it('counts networks: 256 addresses of IPv4, a /48 of IPv6, both notations alike', () => {
    const networkOf = (ip: string) => trialNetworkOf({ ip });
    expect(networkOf('192.0.2.9')).toBe('192.0.2.0/24');
    expect(networkOf('::ffff:192.0.2.9')).toBe('192.0.2.0/24');
    expect(networkOf('2001:db8:7::1')).toBe(networkOf('2001:0db8:0007:1:2:3:4:5'));
    expect(networkOf('2001:db8:7::1')).not.toBe(networkOf('2001:db8:8::1'));
    expect(networkOf('2001::1')).toBe('2001:0:0::/48');
    expect(networkOf('::1')).toBe('0:0:0::/48');
  });
});

describe('a plan that ends', () => {
  it('takes its rights away at once, while items and the settings of links stay', async () => {
    const owner = await service.user();
    await service.server.accounts.setPlan(owner.username, 'pro', clock.now() + DAY);
    const { id } = await publish(service, owner);
    expect((await change(service, owner, id, { viewLimit: 7 })).body.viewLimit).toBe(7);
    clock.advance(DAY - 1);
    expect((await account(owner)).user.plan).toMatchObject({ code: 'pro' });
    clock.advance(1);
    const { user, entitlements } = await account(owner);
    expect(user).toMatchObject({ plan: null, quotaBytes: GIB });
    expect(entitlements).toMatchObject({ planUntil: null, features: [] });
    const kept = await change(service, owner, id, { title: 'kept' });
    expect(kept.body).toMatchObject({ viewLimit: 7, title: 'kept' });
    const refused = await change(service, owner, id, { viewLimit: 8 });
    expect(refused.problem).toMatchObject({
      status: 403,
      code: 'PLAN_FEATURE_REQUIRED',
      params: { feature: 'view_limit' },
    });
  });

  it('ended by the operator ends now', async () => {
    const owner = await service.user({ plan: 'pro' });
    await service.server.accounts.setPlan(owner.username, 'free', null);
    expect((await account(owner)).user.plan).toBeNull();
  });

  it('ended by the operator ends a trial too', async () => {
    const owner = await service.user();
    await start(owner);
    await service.server.accounts.setPlan(owner.username, 'free', null);
    expect(await subscription(owner)).toMatchObject({ plan: null, trial: { state: 'ended', notice: 'ended' } });
  });
});
