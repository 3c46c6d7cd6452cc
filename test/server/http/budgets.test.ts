/** Request budgets and their headers (API document, "Limits"; API decisions 5), on a real server. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../../support/media/sample-bytes.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';

const clock = movableClock();
let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ clock });
});
afterAll(() => service.stop());

const account = (key: string, headers: Record<string, string> = {}) =>
  ask(service.url, { path: '/api/v1/account', key, headers });

describe('the general budget', () => {
  it('is 60 requests a minute for all keys of an account; then 429 with Retry-After = X-RateLimit-Reset', async () => {
    const user = await service.user();
    const other = await service.key(user);
    for (let count = 1; count <= 60; count += 1) {
      const { status, headers } = await account(count % 2 === 0 ? user.apiKey : other.apiKey);
      expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([
        200,
        '60',
        `${60 - count}`,
      ]);
    }
    const over = await account(user.apiKey, { 'x-forwarded-for': '203.0.113.9' });
    expect([over.status, over.problem.code]).toEqual([429, 'RATE_LIMITED']);
    expect(over.headers['retry-after']).toBe(over.headers['x-ratelimit-reset']);
    expect(over.headers['x-ratelimit-remaining']).toBe('0');
    expect((await account((await service.user()).apiKey)).status).toBe(200);
    clock.advance(60_000);
    expect((await account(user.apiKey)).headers['x-ratelimit-remaining']).toBe('59');
  });

  it('is apart from those of uploads (240) and parts (1,200)', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const bytes = await pngBytes();
    const started = await api.start(bytes);
    expect(started.headers).toMatchObject({ 'x-ratelimit-limit': '240', 'x-ratelimit-remaining': '239' });
    const part = await api.part(started.body.id, 0, bytes);
    expect(part.headers).toMatchObject({ 'x-ratelimit-limit': '1200', 'x-ratelimit-remaining': '1199' });
    const done = await api.complete(started.body.id, randomUUID());
    expect(done.headers).toMatchObject({ 'x-ratelimit-limit': '240', 'x-ratelimit-remaining': '238' });
    expect((await account(user.apiKey)).headers['x-ratelimit-remaining']).toBe('59');
  });

  it('is drawn from by requests that are refused for their scope', async () => {
    const user = await service.user({ scopes: ['content:read'] });
    expect((await account(user.apiKey)).headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
    });
  });
});

describe('guests', () => {
  it('and bad keys draw from the budget of their address, and X-Forwarded-For does not change it', async () => {
    clock.advance(60_000);
    const remaining: (string | undefined)[] = [];
    for (const headers of [{}, { 'x-forwarded-for': '203.0.113.1' }, { authorization: 'Bearer lsk_bad' }]) {
      const answer = await ask(service.url, { path: '/api/v1/account', headers: headers as Record<string, string> });
      expect(answer.headers['x-ratelimit-limit']).toBe('600');
      remaining.push(answer.headers['x-ratelimit-remaining']);
    }
    expect(remaining).toEqual(['599', '598', '597']);
  });

  it('are distinguished by X-Forwarded-For only where the operator trusts a proxy', async () => {
    const config = { web: { trustProxy: true }, limits: { guestRequestsPerMinute: 1 } };
    const behind = await startServer({ clock, config });
    try {
      const from = async (ip: string): Promise<number> =>
        (await ask(behind.url, { path: '/nothing', headers: { 'x-forwarded-for': ip } })).status;
      expect([await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.2')]).toEqual([
        404, 429, 404,
      ]);
    } finally {
      await behind.stop();
    }
  });
});
