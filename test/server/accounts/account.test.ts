/** `GET /api/v1/account` (API document, "Account response"), on a real server. */

import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../../src/api/account.ts';
import { type ConfigFile, type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

let service: RunningServer;
beforeAll(async () => {
  service = await startServer();
});
afterAll(() => service.stop());

const read = async (plan: 'free' | 'pro', url = service.url, by?: User): Promise<Account> => {
  const { apiKey } = by ?? (await service.user({ plan }));
  return (await ask<Account>(url, { path: '/api/v1/account', key: apiKey })).body;
};

describe('the account answer', () => {
  it('has the 16 fields of user, the 10 of limits, the 7 of limits.video and the 8 of entitlements', async () => {
    const account = await read('free');
    expect(Value.Errors(Account, account)).toEqual([]);
    expect(Object.keys(account.user)).toHaveLength(16);
    expect(Object.keys(account.limits)).toHaveLength(10);
    expect(Object.keys(account.limits.video)).toHaveLength(7);
    expect(Object.keys(account.entitlements)).toHaveLength(8);
    expect(Object.keys(account.entitlements.trial ?? {})).toHaveLength(10);
  });

  it('of the free plan has no plan, no features and the plan limits of 10 MB and 100 MB', async () => {
    const { user, limits, entitlements } = await read('free');
    expect(user).toMatchObject({ plan: null, quotaBytes: GIB, storageUsed: 0, bio: '' });
    expect(limits).toMatchObject({
      requestsPerMinute: 60,
      maxUploadBytes: 100 * MIB,
      maxImageBytes: 10 * MIB,
      maxVideoBytes: 100 * MIB,
      planImageBytes: 10 * MIB,
      planVideoBytes: 100 * MIB,
      serverImageBytes: 64 * MIB,
      serverVideoBytes: 4 * GIB,
      uploadsAtOnce: 2,
    });
    expect(entitlements).toMatchObject({
      planUntil: null,
      imageBytes: 10 * MIB,
      videoBytes: 100 * MIB,
      features: [],
      trial: { state: 'available', planCode: 'pro', reason: null },
    });
  });

  it('of a paid plan has the ceilings of the server and all features', async () => {
    const { user, limits, entitlements } = await read('pro');
    expect(user.plan).toMatchObject({ code: 'pro', name: { en: 'Pro', ru: 'Про' }, trial: false });
    expect(Date.parse(user.plan?.until ?? '')).toBeGreaterThan(Date.now());
    expect(entitlements.planUntil).toBe(user.plan?.until);
    expect(limits).toMatchObject({
      maxUploadBytes: 4 * GIB,
      maxImageBytes: 64 * MIB,
      planImageBytes: null,
      planVideoBytes: null,
    });
    expect(entitlements.features).toEqual(['link_expiry', 'view_limit', 'view_stats', 'no_branding']);
    expect(entitlements.trial).toMatchObject({ state: 'unavailable', reason: 'subscribed' });
  });

  it('never grants less with a plan than without', async () => {
    const config: ConfigFile = { plans: { pro: { quotaBytes: 5, imageBytes: 5, videoBytes: 5, features: [] } } };
    const mean = await startServer({ config });
    try {
      const { user, limits } = await read('pro', mean.url, await mean.user({ plan: 'pro' }));
      expect(user.quotaBytes).toBe(GIB);
      expect(limits).toMatchObject({ planImageBytes: 10 * MIB, planVideoBytes: 100 * MIB });
    } finally {
      await mean.stop();
    }
  });
});
