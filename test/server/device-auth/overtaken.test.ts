/** A password change or a revocation that comes while a session, a code or a key is being issued ends that one too. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountReplies } from '../../../src/server/accounts/account-reply.ts';
import { type AccountRow, createAccounts } from '../../../src/server/accounts/accounts.ts';
import { createApiKeys } from '../../../src/server/accounts/api-keys.ts';
import { createSessions } from '../../../src/server/accounts/sessions.ts';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { createAuthorizationCodes } from '../../../src/server/device-auth/authorization-codes.ts';
import { createDeviceKeys } from '../../../src/server/device-auth/device-keys.ts';
import { createDeviceRequests } from '../../../src/server/device-auth/device-requests.ts';
import { openRecordsOf } from '../../support/engines/engines.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REDIRECT = 'http://127.0.0.1:48123/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const DEVICE = { deviceId: 'device-1', deviceName: 'Kitchen PC', client: null };
const clock = movableClock();
const answers = {} as AccountReplies;

let records: ServerDatabase;
let people = 0;
beforeAll(async () => {
  records = await openRecordsOf(temporaryFolder('overtaken-keys'));
});
afterAll(() => records.close());

const depsOf = (from: ServerDatabase) => ({ records: from, clock, sharedClock: clock, random: systemRandom });
const accountsOf = () => createAccounts(depsOf(records));
const keysOf = () => createApiKeys(depsOf(records));

const newAccount = (): Promise<AccountRow> => {
  people += 1;
  return accountsOf().add({ username: `person-${people}`, plan: 'free', passwordHash: 'before' });
};

/** The same records, where `next` runs as soon as the first transaction that follows has been committed. */
const withAfterFirst = (next: () => Promise<unknown>): ServerDatabase => {
  let isFirst = true;
  return {
    ...records,
    transaction: async (work, options) => {
      const result = await records.transaction(work, options);
      if (isFirst) {
        isFirst = false;
        await next();
      }
      return result;
    },
  };
};

describe('when the password of the account is changed', () => {
  const change = ({ username }: AccountRow) => accountsOf().setPassword(username, 'after');

  it('after a sign-in was checked, no session starts', async () => {
    const seen = await newAccount();
    const sessions = createSessions(depsOf(records));
    const origin = { browser: null, ip: '10.0.0.1' };
    expect(await sessions.start(seen, origin)).not.toBeNull();
    const changed = await change(seen);
    expect(await sessions.start(seen, origin)).toBeNull();
    expect(await sessions.list(seen.id)).toEqual([]);
    expect(await sessions.start(changed, origin)).not.toBeNull();
  });

  it('after the user was identified, a device is not approved', async () => {
    const seen = await newAccount();
    const requests = createDeviceRequests(depsOf(records));
    const { userCode } = await requests.start(DEVICE, '10.0.0.1');
    const codes = createAuthorizationCodes(depsOf(records));
    const approval = { device: DEVICE, challenge: CHALLENGE, redirectUri: REDIRECT };
    const changed = await change(seen);
    expect(await requests.decide(userCode, 'approved', seen)).toBe('overtaken');
    expect(await codes.approve({ account: seen, ...approval })).toBeNull();
    expect(await requests.decide(userCode, 'approved', changed)).toBe('decided');
    expect(await codes.approve({ account: changed, ...approval })).not.toBeNull();
  });

  it.each(['authorization_code', 'device_code'] as const)(
    'after a %s was used, the key of the device ends',
    async (kind) => {
      const account = await newAccount();
      const requests = createDeviceRequests(depsOf(records));
      const started = await requests.start(DEVICE, '10.0.0.1');
      await requests.decide(started.userCode, 'approved', account);
      const plain = createAuthorizationCodes(depsOf(records));
      const code = await plain.approve({ account, device: DEVICE, challenge: CHALLENGE, redirectUri: REDIRECT });
      const deps = depsOf(withAfterFirst(() => change(account)));
      const { connect } = createDeviceKeys(deps, answers);
      const { issued } =
        kind === 'device_code'
          ? await createDeviceRequests(deps).poll(started.deviceCode, connect)
          : await createAuthorizationCodes(deps).redeem(
              { code: code ?? '', codeVerifier: VERIFIER, redirectUri: REDIRECT },
              connect,
            );
      expect((await keysOf().byId(issued.credential.id))?.accessChangedAt).toBe(clock.now());
      expect(await keysOf().live(account.id, 'device')).toEqual([]);
    },
  );

  it('after a request with a key was admitted, that key is not renewed', async () => {
    const account = await newAccount();
    const expiresAt = clock.now() + 1_000;
    const { id } = await keysOf().add({ accountId: account.id, scopes: ['content:read'], expiresAt, device: DEVICE });
    const key = await keysOf().byId(id);
    if (key === undefined) throw new Error('The key was not stored.');
    await change(account);
    const { renew } = createDeviceKeys(depsOf(records), answers);
    await expect(renew({ account, key })).rejects.toMatchObject({ code: 'ACCOUNT_ACCESS_CHANGED' });
    expect(await keysOf().live(account.id, 'device')).toEqual([]);
  });
});

it('a key that is revoked after its request was admitted is not renewed', async () => {
  const account = await newAccount();
  const expiresAt = clock.now() + 1_000;
  const { id } = await keysOf().add({ accountId: account.id, scopes: ['content:read'], expiresAt, device: DEVICE });
  const key = await keysOf().byId(id);
  if (key === undefined) throw new Error('The key was not stored.');
  const { renew } = createDeviceKeys(depsOf(records), answers);
  const renewed = await renew({ account, key });
  expect(renewed.credential.scopes).toEqual(['content:read']);
  await keysOf().revokeOwn(account.id, id);
  await expect(renew({ account, key })).rejects.toMatchObject({ code: 'API_KEY_REVOKED' });
});
