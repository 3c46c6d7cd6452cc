/** A connection's key is renewed in its last 30 days, and a crash at any step leaves a valid key. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES } from '../../../src/api/account.ts';
import { ok } from '../../../src/api/errors.ts';
import type { ConnectionId } from '../../../src/api/ids.ts';
import { createOpenClient, type OpenClient } from '../../../src/engine/account/account-session.ts';
import { type Engine, type EngineDeps, runEngine } from '../../../src/engine/engine.ts';
import { nodeEngineAdapters } from '../../../src/engine/engine-adapters.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import type { Clock, SecretStore } from '../../../src/engine/ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { fastClock, openEngine, until } from '../../support/engine.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { startModelService } from '../../support/server/model-service.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY = 86_400_000;
const root = temporaryFolder('account-renewal');
const time = movableClock();
/** The service's time; waits are short. */
const clock: Clock = { ...fastClock, now: time.now };
let service: RunningServer;
let turn = 0;

beforeAll(async () => {
  service = await startServer({ clock: time });
});
afterAll(() => service.stop());

const profileDir = () => join(root, `profile-${turn++}`);

/** The key of a connection that ends in so many days. */
const deviceKey = async (days: number): Promise<string> => {
  const { accountId } = await service.user();
  const device = { deviceId: `device-${turn++}`, deviceName: 'Test computer', client: null };
  const expiresAt = time.now() + days * DAY;
  return (await service.server.keys.add({ accountId, scopes: SCOPES, name: 'Linkshot · Test', expiresAt, device }))
    .apiKey;
};

const statusOf = async (key: string) => (await ask(service.url, { path: '/api/v1/account', key })).status;

const daysLeft = (engine: Engine): number => {
  const { connection } = engine.state();
  const account = connection.state === 'none' ? null : connection.account;
  return Math.round((Date.parse(account?.credential?.expiresAt ?? '') - time.now()) / DAY);
};

/** A key store that a test can look into. */
const openStore = () => {
  const keys = new Map<string, string>();
  const store: SecretStore = {
    place: 'keyring',
    get: (name) => Promise.resolve(ok(keys.get(name) ?? null)),
    set: (name, secret) => Promise.resolve(ok(void keys.set(name, secret))),
    delete: (name) => Promise.resolve(ok(void keys.delete(name))),
  };
  return { keys, store };
};

describe('a renewal', () => {
  it('happens within 30 days of the end, and the old key ends with the first use of the new one', async () => {
    const { keys, store } = openStore();
    const { engine } = await openEngine(profileDir(), { clock, secrets: store });
    const key = await deviceKey(31);
    await engine.connection.connect({ server: service.url, key, keep: 'store' }, soon());
    expect(daysLeft(engine)).toBe(31);
    time.advance(2 * DAY);
    await engine.connection.refresh({}, soon());
    expect(daysLeft(engine)).toBe(365);
    expect(engine.state().connection).toMatchObject({ state: 'connected' });
    expect([...keys.values()]).toHaveLength(1);
    expect(await Promise.all([key, ...keys.values()].map(statusOf))).toEqual([401, 200]);
  });

  it('is not attempted for a key that the user created', async () => {
    const { store } = openStore();
    const { engine } = await openEngine(profileDir(), { clock, secrets: store });
    const { apiKey } = await service.user({ expiresAt: time.now() + 5 * DAY });
    await engine.connection.connect({ server: service.url, key: apiKey, keep: 'store' }, soon());
    expect([daysLeft(engine), await statusOf(apiKey)]).toEqual([5, 200]);
  });

  it('whose key cannot be kept leaves the old one in use', async () => {
    const { store } = openStore();
    let isFull = false;
    const set: SecretStore['set'] = (name, secret) =>
      isFull ? Promise.resolve(ok(undefined)) : store.set(name, secret);
    const { engine } = await openEngine(profileDir(), { clock, secrets: { ...store, set } });
    const key = await deviceKey(31);
    await engine.connection.connect({ server: service.url, key, keep: 'store' }, soon());
    isFull = true;
    time.advance(2 * DAY);
    await engine.connection.refresh({}, soon());
    expect([daysLeft(engine), await statusOf(key)]).toEqual([29, 200]);
    expect(engine.state().connection).toMatchObject({ state: 'connected' });
  });

  it('during a request with the old key costs nothing: the request is repeated with the new one', async () => {
    const model = await startModelService();
    onTestFinished(() => model.close());
    const renewed = Promise.withResolvers<void>();
    model.interfere = ({ nth }) => (nth === 0 ? { do: 'wait', until: renewed.promise } : null);
    const client = createOpenClient({ clock, random: systemRandom })(model.url, 'key-a');
    const asked = client.call('readAccount', {}, soon());
    await until(() => model.requests.length === 1);
    model.keys.delete('key-a');
    model.keys.set('key-new', 'account-a');
    client.rekey('key-new');
    renewed.resolve();
    expect(await asked).toMatchObject({ ok: true, value: { user: { id: 'account-a' } } });
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-a', 'Bearer key-new']);
    await client.close();
  });
});

describe('a death', () => {
  /** An engine that dies at its n-th step: it never continues, and its profile is free again. */
  const startMortal = async (folder: string, store: SecretStore, dieAt: number) => {
    const steps: string[] = [];
    const died = Promise.withResolvers<void>();
    let isDead = false;
    const step = (name: string): Promise<void> => {
      if (!isDead) steps.push(name);
      if (steps.length === dieAt) {
        isDead = true;
        died.resolve();
      }
      return isDead ? new Promise(() => {}) : Promise.resolve();
    };
    const around = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
      await step(`before ${name}`);
      const result = await act();
      await step(`after ${name}`);
      return result;
    };
    const secrets: SecretStore = {
      place: 'keyring',
      get: (name) => around('get', () => store.get(name)),
      set: (name, secret) => around('set', () => store.set(name, secret)),
      delete: (name) => around('delete', () => store.delete(name)),
    };
    const deps: EngineDeps = {
      ...{ clock, random: systemRandom, secrets, clipboard: null, notifier: { linked: () => {} } },
      ...{ opener: { open: () => Promise.resolve(ok(undefined)) }, environment: {}, profileDir: folder },
      ...{ device: { name: 'Test computer', platform: 'linux' }, version: 'test' },
    };
    const open = createOpenClient(deps);
    const openClient: OpenClient = (server, key) => {
      const client = open(server, key);
      const call: typeof client.call = (operation, input, signal) =>
        around(operation, () => client.call(operation, input, signal));
      return { ...client, call };
    };
    const profile = openProfile(folder, clock);
    if (!profile.ok) throw new Error(profile.error.detail);
    const engine = await runEngine(deps, { ...nodeEngineAdapters(deps, profile.value), openClient });
    return { engine, steps, died: died.promise, free: profile.value.close };
  };

  it('at any step leaves a good key: the next start connects, renews, and only one key is good', async () => {
    const seen: string[][] = [];
    for (let dieAt = 1, isOver = false; !isOver; dieAt++) {
      const { keys, store } = openStore();
      const folder = profileDir();
      const first = await openEngine(folder, { clock, secrets: store });
      await first.engine.connection.connect({ server: service.url, key: await deviceKey(31), keep: 'store' }, soon());
      await first.engine.close();
      time.advance(2 * DAY);

      const mortal = await startMortal(folder, store, dieAt);
      const renewed = until(() => daysLeft(mortal.engine) === 365 && mortal.steps.at(-1) === 'after delete');
      await Promise.race([mortal.died, renewed]);
      renewed.catch(() => {});
      isOver = mortal.steps.length < dieAt;
      seen.push(mortal.steps);
      mortal.free();

      const { engine } = await openEngine(folder, { clock, secrets: store });
      await until(() => daysLeft(engine) === 365 && engine.state().connection.state === 'connected');
      await engine.connection.refresh({}, soon());
      expect([dieAt, engine.state().connection]).toMatchObject([dieAt, { state: 'connected' }]);
      await engine.close();
      const statuses = await Promise.all([...keys.values()].map(statusOf));
      expect([dieAt, statuses.filter((status) => status === 200)]).toEqual([dieAt, [200]]);
    }
    const parts = ['get', 'readAccount', 'renewKey', 'set', 'get', 'readAccount', 'delete'];
    expect(seen.at(-1)).toEqual(parts.flatMap((part) => [`before ${part}`, `after ${part}`]));
    expect(seen).toHaveLength(parts.length * 2 + 1);
  });

  it('before the first use of a new key that the service then forgets falls back to the old one', async () => {
    const { keys, store } = openStore();
    const folder = profileDir();
    const first = await openEngine(folder, { clock, secrets: store });
    const key = await deviceKey(31);
    await first.engine.connection.connect({ server: service.url, key, keep: 'store' }, soon());
    await first.engine.close();
    time.advance(2 * DAY);
    const mortal = await startMortal(folder, store, 11);
    await mortal.died;
    expect(mortal.steps.at(-1)).toBe('before readAccount');
    mortal.free();
    const [name] = [...keys].find(([, kept]) => kept !== key) ?? [''];
    keys.set(name, 'lsk_a-key-that-nobody-knows');
    const { engine } = await openEngine(folder, { clock, secrets: store });
    await until(() => daysLeft(engine) === 365);
    expect(engine.state().connection).toMatchObject({ state: 'connected' });
  });
});

it('migrates the one connection of a profile from before there were several', async () => {
  const folder = profileDir();
  const { keys, store } = openStore();
  const { apiKey } = await service.user();
  const first = await openEngine(folder, { clock, secrets: store });
  await first.engine.connection.connect({ server: service.url, key: apiKey, keep: 'store' }, soon());
  const { connection } = first.engine.state();
  await first.engine.close();
  const opened = openProfile(folder, clock);
  if (!opened.ok || connection.state !== 'connected') throw new Error('not connected');
  const { database } = opened.value;
  database.prepare("DELETE FROM persisted_values WHERE name = 'connections'").run();
  const single = JSON.stringify({ server: service.url, account: connection.account });
  database.prepare("INSERT INTO persisted_values (name, value) VALUES ('connection', ?)").run(single);
  opened.value.close();
  keys.clear();
  keys.set(`${service.url} ${folder}`, apiKey);

  let id: ConnectionId | undefined;
  for (let start = 0; start < 2; start++) {
    const { engine } = await openEngine(folder, { clock, secrets: store });
    await until(() => engine.state().connection.state === 'connected');
    expect(id ?? engine.state().accounts[0]?.id).toBe(engine.state().accounts[0]?.id);
    id = engine.state().accounts[0]?.id;
    await engine.close();
  }
});

it('keeps nothing where the key store is memory: the next start asks to connect again, and keeps the owner of each item', async () => {
  const folder = profileDir();
  const { apiKey, accountId } = await service.user();
  const first = await openEngine(folder, { clock, secrets: createMemoryKeyStore() });
  await first.engine.connection.connect({ server: service.url, key: apiKey, keep: 'store' }, soon());
  expect(first.engine.state().connection).toMatchObject({ keyPlace: 'session' });
  await first.engine.close();
  const { engine } = await openEngine(folder, { clock, secrets: createMemoryKeyStore() });
  expect(engine.state().connection).toMatchObject({
    state: 'failed',
    failure: { code: 'NOT_CONNECTED' },
    account: { user: { id: accountId } },
  });
});
