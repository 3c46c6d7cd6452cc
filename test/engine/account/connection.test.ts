/** Readings of one account that overlap: the newest answer counts, and a late failure of an older one changes nothing. */
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import { err, failure, ok, type Result } from '../../../src/api/errors.ts';
import type { ConnectionId } from '../../../src/api/ids.ts';
import { openConnection } from '../../../src/engine/account/connection.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import { fastClock } from '../../support/engine.ts';
import { modelAccount } from '../../support/server/model-account.ts';

const account = modelAccount('user') as Account;
const signal = new AbortController().signal;
const broken = err(failure('NETWORK_FAILED', 'The connection broke.'));
const locked = err(failure('KEY_STORE_FAILED', 'The key store is locked.'));

/** A connection whose key store and service answer when the test wants. */
const overlapping = () => {
  const loads: PromiseWithResolvers<Result<string>>[] = [];
  const calls: PromiseWithResolvers<Result<unknown>>[] = [];
  const used: string[] = [];
  const later = <T>(list: PromiseWithResolvers<T>[]): Promise<T> => {
    const answer = Promise.withResolvers<T>();
    list.push(answer);
    return answer.promise;
  };
  const client = {
    server: 'https://example.org',
    call: () => later(calls),
    media: () => Promise.reject(new Error('No media is read.')),
    rekey: (key: string) => void used.push(key),
    reconnect: () => {},
    restsUntil: () => null,
    close: () => Promise.resolve(),
  };
  const keys = {
    load: () => later(loads),
    put: () => Promise.resolve(ok(undefined)),
    confirm: () => Promise.resolve(),
    fallBack: () => Promise.resolve(null),
    deleteAll: () => Promise.resolve(ok(undefined)),
  };
  const connection = openConnection(
    {
      clock: { ...fastClock, sleep: () => new Promise(() => {}) },
      random: systemRandom,
      openClient: () => client as never,
      onChange: () => {},
      onConnected: () => {},
      save: () => {},
    },
    { id: 'one' as ConnectionId, server: client.server, keyPlace: 'keyring', keys, account, readAt: 0 },
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { connection, loads, calls, used, turn };
};

/** Both have asked the service; `calls` are their answers, the older one's first. */
const twoReadings = async () => {
  const { connection, loads, calls, turn } = overlapping();
  const older = connection.read(signal);
  loads[0]?.resolve(ok('lsk_key'));
  await turn();
  const newer = connection.refresh(signal);
  await turn();
  return { connection, calls, older, newer };
};

describe('of two readings at once', () => {
  it('a network error of the older one does not hide the answer of the newer one', async () => {
    const { connection, calls, older, newer } = await twoReadings();
    calls[1]?.resolve(ok(account));
    await newer;
    calls[0]?.resolve(broken);
    await older;
    expect(connection.state()).toMatchObject({ state: 'connected' });
  });

  it('a network error of the newer one is shown although the older one was answered', async () => {
    const { connection, calls, older, newer } = await twoReadings();
    calls[0]?.resolve(ok(account));
    await older;
    calls[1]?.resolve(broken);
    await newer;
    expect(connection.state()).toMatchObject({ state: 'failed', failure: { code: 'NETWORK_FAILED' } });
  });

  it('a refusal of the key counts in any order', async () => {
    const { connection, calls, older, newer } = await twoReadings();
    calls[1]?.resolve(ok(account));
    await newer;
    calls[0]?.resolve(err(failure('API_KEY_REVOKED', 'The key was revoked.')));
    await older;
    expect(connection.state()).toMatchObject({ state: 'failed', failure: { code: 'API_KEY_REVOKED' } });
  });
});

describe('a key store that answers late', () => {
  it('with an error changes nothing once the key is there', async () => {
    const { connection, loads, calls, turn } = overlapping();
    const older = connection.read(signal);
    const newer = connection.read(signal);
    loads[1]?.resolve(ok('lsk_key'));
    await turn();
    calls[0]?.resolve(ok(account));
    await newer;
    loads[0]?.resolve(locked);
    await turn();
    calls[1]?.resolve(ok(account));
    await older;
    expect(connection.state()).toMatchObject({ state: 'connected' });
  });

  it('does not bring an older key back after a new one was stored', async () => {
    const { connection, loads, calls, used, turn } = overlapping();
    const reading = connection.read(signal);
    await connection.replaceKey('lsk_new', account);
    loads[0]?.resolve(ok('lsk_old'));
    await turn();
    calls[0]?.resolve(ok(account));
    await reading;
    expect(used).toEqual(['lsk_new']);
  });
});
