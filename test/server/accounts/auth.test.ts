/**
 * Keys, scopes and the errors of invalid keys (API document, "Authentication"; API decisions 2 and 4), on a real
 * server.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../../src/api/account.ts';
import type { Endpoint } from '../../../src/api/endpoints/endpoint.ts';
import { API } from '../../../src/api/endpoints/endpoint-table.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { queryData, recordsHave } from '../../support/server/stored-bytes.ts';

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ config: { limits: { requestsPerMinute: 10_000, guestRequestsPerMinute: 10_000 } } });
});
afterAll(() => service.stop());

const account = (headers: Record<string, string> = {}) => ask(service.url, { path: '/api/v1/account', headers });

describe('a request', () => {
  it('without a key is 401 AUTH_REQUIRED', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
      const answer = await account(headers as Record<string, string>);
      expect([answer.status, answer.problem.code]).toEqual([401, 'AUTH_REQUIRED']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('with an unknown key is 401 API_KEY_INVALID', async () => {
    const { apiKey } = await service.user();
    for (const key of ['lsk_unknown', '', apiKey.slice(0, -1), `${apiKey}x`, apiKey.toUpperCase()]) {
      const answer = await account({ authorization: `Bearer ${key}` });
      expect([answer.status, answer.problem.code]).toEqual([401, 'API_KEY_INVALID']);
    }
  });

  it('with an expired key is 401 API_KEY_EXPIRED', async () => {
    const { apiKey } = await service.user({ expiresAt: Date.now() - 1 });
    expect((await account({ authorization: `Bearer ${apiKey}` })).problem).toMatchObject({
      status: 401,
      code: 'API_KEY_EXPIRED',
    });
  });

  it('with a revoked key is 401 API_KEY_REVOKED, and other keys of the account still work', async () => {
    const user = await service.user();
    const other = await service.key(user);
    await service.server.keys.revoke(user.keyId);
    const answer = await account({ authorization: `Bearer ${user.apiKey}` });
    expect([answer.status, answer.problem.code]).toEqual([401, 'API_KEY_REVOKED']);
    expect((await account({ authorization: `Bearer ${other.apiKey}` })).status).toBe(200);
  });

  it('of a banned account is 401 ACCOUNT_BANNED', async () => {
    const user = await service.user();
    await service.server.accounts.ban(user.username);
    const answer = await account({ authorization: `bearer ${user.apiKey}` });
    expect([answer.status, answer.problem.code]).toEqual([401, 'ACCOUNT_BANNED']);
  });

  it('with a bad key is never a guest, also where guests are served', async () => {
    const answer = await ask(service.url, { path: '/s/unknown', headers: { authorization: 'Bearer lsk_bad' } });
    expect(answer.status).toBe(401);
  });
});

describe('scopes', () => {
  const endpoints = Object.entries(API as Record<string, Endpoint>).filter(([, { scope }]) => scope !== null);

  it.each(endpoints)('%s needs its own, and no other will do', async (_, endpoint) => {
    const path = endpoint.path.replace(/:\w+/g, '0');
    for (const scope of SCOPES) {
      const { apiKey } = await service.user({ scopes: [scope] });
      const answer = await ask(service.url, { method: endpoint.method, path, key: apiKey });
      if (scope === endpoint.scope) {
        expect([401, 403]).not.toContain(answer.status);
      } else {
        expect([answer.status, answer.problem.code]).toEqual([403, 'SCOPE_MISSING']);
        expect(answer.problem.params).toEqual({ scope: endpoint.scope });
      }
    }
  });
});

describe('a key', () => {
  it('is kept only as its hash', async () => {
    const { apiKey } = await service.user();
    expect(apiKey).toMatch(/^lsk_[A-Za-z0-9_-]{43}$/);
    expect(await recordsHave(service.data, apiKey)).toBe(false);
    expect(service.logged.join('\n')).not.toContain(apiKey);
  });

  it('is shown in the account answer as its credential', async () => {
    const scopes: Scope[] = ['account:read', 'content:write'];
    const expiresAt = Date.now() + 3_600_000;
    const user = await service.user({ scopes, expiresAt });
    const { body } = await ask<{ credential: unknown }>(service.url, { path: '/api/v1/account', key: user.apiKey });
    expect(body.credential).toEqual({
      id: user.keyId,
      name: 'API key',
      scopes: ['content:write', 'account:read'],
      expiresAt: new Date(expiresAt).toISOString(),
      client: null,
      deviceName: null,
    });
  });

  it('accepts a date-time as the end of a key that was created without a time: credential.expiresAt is a date-time', async () => {
    const { apiKey: key } = await service.user();
    const { body } = await ask<{ credential: { expiresAt: string } }>(service.url, { path: '/api/v1/account', key });
    const years = (Date.parse(body.credential.expiresAt) - Date.now()) / (365 * 24 * 3_600_000);
    expect(years).toBeGreaterThan(99);
  });

  it('that may only read changes nothing: all but its own renewal asks for content:write or content:delete', () => {
    const changing = Object.entries(API as Readonly<Record<string, Endpoint>>).filter(
      ([, { method, scope }]) => method !== 'GET' && scope !== null,
    );
    expect(changing.length).toBeGreaterThan(15);
    const readers = changing.filter(([, { scope }]) => scope !== 'content:write' && scope !== 'content:delete');
    expect(readers.map(([name]) => name)).toEqual(['renewKey']);
  });
  it('has at least one scope, and only known ones', async () => {
    const { accountId } = await service.user();
    await expect(service.server.keys.add({ accountId, scopes: [] })).rejects.toThrow('one or more');
    await expect(service.server.keys.add({ accountId, scopes: ['admin' as Scope] })).rejects.toThrow('one or more');
    expect(await queryData(service.data, 'SELECT id FROM keys WHERE accountId = ?', accountId)).toHaveLength(1);
  });
});
