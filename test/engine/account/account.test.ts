import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import { type Engine, type EngineDeps, runEngine } from '../../../src/engine/engine.ts';
import { nodeEngineAdapters } from '../../../src/engine/engine-adapters.ts';
import { silentNotifier, systemRandom } from '../../../src/engine/node-ports.ts';
import type { SecretStore } from '../../../src/engine/ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { startTryOutServer, type TryOutServer } from '../../../src/host/try-out-server.ts';
import { noticeKey } from '../../../src/ipc/protocol/notice-key.ts';
import { DEFAULT_SETTINGS } from '../../../src/ipc/protocol/settings.ts';
import { forgetKeyPlaces } from '../../support/earlier-profile.ts';
import { addFile, connectTo, fastClock, itemOf, openEngine, randomFile, until, wait } from '../../support/engine.ts';
import { image } from '../../support/media/media.ts';
import { modelForEachTest } from '../../support/model-for-each-test.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { giveTryOutOwnPort } from '../../support/own-try-out-port.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { type ModelService, startModelService } from '../../support/server/model-service.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';

const PART = 2 * 1024 * 1024;
const PATIENCE = 3_600_000;
let model: ModelService;
let folder: string;

modelForEachTest('engine-account', (fresh, own) => {
  model = fresh;
  folder = own;
});

const profile = () => join(folder, 'profile');

describe('connecting', () => {
  it('checks the key with the service, remembers the server and finds the key again at the next start', async () => {
    const secrets = createMemoryKeyStore();
    const { engine } = await openEngine(profile(), { secrets });
    expect(engine.state().connection).toEqual({ state: 'none' });
    await connectTo(engine, `${model.url}/`);
    expect(engine.state().connection).toMatchObject({
      state: 'connected',
      server: model.url,
      account: { user: { id: 'account-a' } },
      keyPlace: 'session',
    });
    await engine.close();
    const seen = Promise.withResolvers<void>();
    model.interfere = () => ({ do: 'wait', until: seen.promise });
    const again = await openEngine(profile(), { secrets });
    expect(again.engine.state().connection).toMatchObject({
      state: 'connecting',
      account: { user: { id: 'account-a' } },
    });
    seen.resolve();
    await until(() => again.engine.state().connection.state === 'connected');
  });

  it('reports an invalid address or key, and keeps the existing connection', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    const connect = (server: string, key = 'key-a') =>
      engine.connection.connect({ server, key, keep: 'store' }, soon());
    expect(await connect('http://example.org')).toMatchObject({ ok: false, error: { code: 'INSECURE_ADDRESS' } });
    expect(await connect('not an address')).toMatchObject({ ok: false, error: { code: 'ADDRESS_INVALID' } });
    expect(await connect('http://127.0.0.1:1')).toMatchObject({ ok: false, error: { code: 'CONNECTION_REFUSED' } });
    expect(await connect(model.url, 'wrong')).toMatchObject({
      ok: false,
      error: { code: 'API_KEY_INVALID', status: 401 },
    });
    expect(engine.state().connection).toMatchObject({ state: 'connected', server: model.url });
  });

  it('for this run only does not change the stored connection', async () => {
    const secrets = createMemoryKeyStore();
    const { engine } = await openEngine(profile(), { secrets });
    await connectTo(engine, model.url);
    const other = await startModelService();
    onTestFinished(() => other.close());
    other.keys.set('key-b', 'account-b');
    await engine.connection.connect({ server: other.url, key: 'key-b', keep: 'session' }, soon());
    expect(engine.state().connection).toMatchObject({ server: other.url, keyPlace: 'session' });
    await engine.connection.refresh({}, soon());
    await engine.close();
    const again = await openEngine(profile(), { secrets });
    expect(again.engine.state().connection).toMatchObject({
      server: model.url,
      account: { user: { id: 'account-a' } },
    });
  });

  it('for this run only leaves the stored key of the same account where it is', async () => {
    const secrets = createMemoryKeyStore();
    const window = await openEngine(profile(), { secrets });
    await connectTo(window.engine, model.url);
    await window.engine.close();
    model.keys.set('key-a2', 'account-a');
    // As a command with a key of its own runs: it does not even look into the key store.
    const command = await openEngine(profile(), { secrets: createMemoryKeyStore() });
    await command.engine.connection.connect({ server: model.url, key: 'key-a2', keep: 'session' }, soon());
    expect(command.engine.state().connection).toMatchObject({ state: 'connected' });
    await command.engine.close();
    const again = await openEngine(profile(), { secrets });
    await until(() => again.engine.state().connection.state === 'connected');
  });

  it('where no key store is leaves the name of the stored key on record, for where there is one', async () => {
    const secrets = createMemoryKeyStore();
    const window = await openEngine(profile(), { secrets: { ...secrets, place: 'keyring' } });
    await connectTo(window.engine, model.url);
    await window.engine.close();
    model.keys.set('key-a2', 'account-a');
    const remote = await openEngine(profile(), { secrets: createMemoryKeyStore() });
    await connectTo(remote.engine, model.url, 'key-a2');
    expect(remote.engine.state().connection).toMatchObject({ state: 'connected', keyPlace: 'session' });
    await remote.engine.close();
    const again = await openEngine(profile(), { secrets: { ...secrets, place: 'keyring' } });
    await until(() => again.engine.state().connection.state === 'connected');
  });

  it('is undone by disconnect, and the key is deleted', async () => {
    const secrets = createMemoryKeyStore();
    const { engine } = await openEngine(profile(), { secrets });
    await connectTo(engine, model.url);
    expect(must(await engine.connection.disconnect({}))).toEqual({ state: 'none' });
    await engine.close();
    const again = await openEngine(profile(), { secrets });
    expect(again.engine.state().connection).toEqual({ state: 'none' });
  });

  const lockedStore: SecretStore = {
    ...createMemoryKeyStore(),
    place: 'keyring',
    get: async () => err(failure('KEY_STORE_FAILED', 'locked')),
    delete: async () => err(failure('KEY_STORE_FAILED', 'locked')),
  };
  it.each([
    ['there is no key store now', createMemoryKeyStore()],
    ['the key store is locked', lockedStore],
  ])(
    'whose key cannot be deleted because %s is removed on request alone, and a notice says what is left',
    async (_, secrets) => {
      const keyring: SecretStore = { ...createMemoryKeyStore(), place: 'keyring' };
      const first = await openEngine(profile(), { secrets: keyring });
      await connectTo(first.engine, model.url);
      await first.engine.close();

      const { engine } = await openEngine(profile(), { secrets });
      const left = { code: 'KEY_STORE_FAILED', params: { keyLeftFor: model.url } };
      expect(await engine.connection.disconnect({ ifKeyStays: 'refuse' })).toMatchObject({ ok: false, error: left });
      expect([engine.state().accounts.length, engine.state().notices]).toEqual([1, []]);
      expect(must(await engine.connection.disconnect({}))).toEqual({ state: 'none' });
      expect(engine.state()).toMatchObject({ accounts: [], notices: [left] });
    },
  );

  it('to services whose keys cannot be deleted leaves a notice for each, which no other failure replaces', async () => {
    const other = await startModelService();
    onTestFinished(() => other.close());
    const first = await openEngine(profile(), { secrets: { ...createMemoryKeyStore(), place: 'keyring' } });
    for (const { url } of [other, model]) await connectTo(first.engine, url);
    await first.engine.close();

    const secrets: SecretStore = { ...lockedStore, set: async () => err(failure('KEY_STORE_FAILED', 'locked')) };
    const { engine } = await openEngine(profile(), { secrets });
    for (const { id } of engine.state().accounts) must(await engine.connection.remove({ id }));
    await connectTo(engine, model.url);
    const code = 'KEY_STORE_FAILED';
    const notices = [...[other, model].map(({ url }) => ({ code, params: { keyLeftFor: url } })), { code }];
    expect(engine.state().notices).toMatchObject(notices);
    expect(new Set(engine.state().notices.map(noticeKey)).size).toBe(3);
    await engine.close();
    const again = await openEngine(profile(), { secrets });
    expect(again.engine.state().notices).toMatchObject(notices);
    await connectTo(again.engine, model.url);
    expect(again.engine.state().notices).toMatchObject(notices);
  });

  it('that was made without a key store leaves no key behind, and is removed without a notice', async () => {
    const first = await openEngine(profile(), { secrets: createMemoryKeyStore() });
    await connectTo(first.engine, model.url);
    await first.engine.close();
    const { engine } = await openEngine(profile(), { secrets: createMemoryKeyStore() });
    expect(engine.state().accounts).toHaveLength(1);
    expect(must(await engine.connection.disconnect({ ifKeyStays: 'refuse' }))).toEqual({ state: 'none' });
    expect(engine.state().notices).toEqual([]);
  });

  it.each([
    ['missing', createMemoryKeyStore(), 'removes it'],
    ['locked', lockedStore, 'refuses, as it can be unlocked'],
  ] as const)(
    'whose key an earlier version may have had in memory is not kept for a key store that may never come: %s',
    async (_, secrets, what) => {
      const first = await openEngine(profile(), { secrets: { ...createMemoryKeyStore(), place: 'keyring' } });
      await connectTo(first.engine, model.url);
      await first.engine.close();
      forgetKeyPlaces(profile());

      const { engine } = await openEngine(profile(), { secrets });
      const left = { code: 'KEY_STORE_FAILED', params: { keyLeftFor: model.url } };
      const done = await engine.connection.disconnect({ ifKeyStays: 'refuse' });
      if (what === 'removes it')
        expect([done, engine.state()]).toMatchObject([{ ok: true }, { accounts: [], notices: [left] }]);
      else expect([done, engine.state().accounts.length]).toMatchObject([{ ok: false, error: left }, 1]);
    },
  );

  it('whose key an earlier version recorded is known to be in the key store once it was used from there', async () => {
    const secrets: SecretStore = { ...createMemoryKeyStore(), place: 'keyring' };
    const first = await openEngine(profile(), { secrets });
    await connectTo(first.engine, model.url);
    await first.engine.close();
    forgetKeyPlaces(profile());
    const used = await openEngine(profile(), { secrets });
    await until(() => used.engine.state().connection.state === 'connected');
    await used.engine.close();

    const { engine } = await openEngine(profile(), { secrets: createMemoryKeyStore() });
    expect(await engine.connection.disconnect({ ifKeyStays: 'refuse' })).toMatchObject({ ok: false });
    expect(engine.state().accounts).toHaveLength(1);
  });

  it('reconnects by itself when the service can be reached again', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    model.interfere = () => ({ do: 'break' });
    expect(must(await engine.connection.refresh({}, soon()))).toMatchObject({
      state: 'failed',
      failure: { code: 'NETWORK_FAILED' },
      account: {},
    });
    model.interfere = () => null;
    await until(() => engine.state().connection.state === 'connected');
  });
});

describe('an item', () => {
  it('without a connection waits for one, and then continues by itself', async () => {
    const { engine } = await openEngine(profile());
    const file = randomFile(folder, 'a.png', PART);
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'NOT_CONNECTED' },
    });
    await connectTo(engine, model.url);
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
  });

  it('whose key is refused during the upload waits, loses nothing, and continues after reconnecting', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    model.interfere = ({ operation, nth }) => {
      if (operation === 'part' && nth === 3) model.keys.delete('key-a');
      return null;
    };
    const file = randomFile(folder, 'a.png', 8 * PART);
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'API_KEY_INVALID' },
    });
    expect(engine.state().connection).toMatchObject({ state: 'failed', failure: { code: 'API_KEY_INVALID' } });
    const next = await addFile(engine, randomFile(folder, 'b.png', 500).path);
    expect(await engine.queue.waitFor({ id: next, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'API_KEY_INVALID' },
    });
    model.interfere = () => null;
    model.keys.set('key-new', 'account-a');
    await connectTo(engine, model.url, 'key-new');
    for (const each of [id, next])
      expect((await engine.queue.waitFor({ id: each, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toHaveLength(2);
    expect(model.uploads.size).toBe(2);
  });

  it('of another account continues under its own while a new one is active', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    model.keys.set('key-b', 'account-b');
    model.interfere = ({ operation }) => (operation === 'part' ? { do: 'break' } : null);
    const file = randomFile(folder, 'a.png', 3 * PART);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.state === 'started');
    await connectTo(engine, model.url, 'key-b');
    const other = randomFile(folder, 'b.png', PART);
    const next = await addFile(engine, other.path);
    model.interfere = () => null;
    for (const each of [id, next])
      expect((await engine.queue.waitFor({ id: each, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published().map(({ account, sha256 }) => [account, sha256])).toEqual(
      expect.arrayContaining([
        ['account-a', file.sha256],
        ['account-b', other.sha256],
      ]),
    );
  });

  it('of an account that was removed waits for it, is never sent under another, and continues when it is back', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    model.interfere = ({ operation }) => (operation === 'part' ? { do: 'break' } : null);
    const file = randomFile(folder, 'a.png', 3 * PART);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.state === 'started');
    await engine.connection.disconnect({});
    model.interfere = () => null;
    model.keys.set('key-b', 'account-b');
    await connectTo(engine, model.url, 'key-b');
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'ACCOUNT_MISMATCH' },
    });
    await wait(100);
    expect(model.published()).toEqual([]);
    await connectTo(engine, model.url, 'key-a');
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ account: 'account-a', sha256: file.sha256 }]);
  });

  it('names its account in every request of its upload', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    const id = await addFile(engine, randomFile(folder, 'a.png', 3 * PART).path);
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    const uploads = model.requests.filter(({ operation }) => operation !== 'account');
    expect(uploads.length).toBeGreaterThan(4);
    expect(new Set(uploads.map(({ headers }) => headers['x-service-account']))).toEqual(new Set(['account-a']));
  });
});

describe('several accounts', () => {
  const both = async (ports: Parameters<typeof openEngine>[1] = {}) => {
    model.keys.set('key-b', 'account-b');
    const { engine } = await openEngine(profile(), ports);
    await connectTo(engine, model.url, 'key-a');
    await connectTo(engine, model.url, 'key-b');
    return engine;
  };
  const idOf = (engine: Engine, user: string) => {
    const found = engine.state().accounts.find(({ connection }) => connection.account?.user.id === user);
    if (!found) throw new Error(`${user} is not connected`);
    return found.id;
  };
  const users = (engine: Engine) =>
    engine.state().accounts.map(({ connection, isActive }) => [connection.account?.user.id, isActive]);

  it('are all remembered with their keys, and which one is active', async () => {
    const secrets = createMemoryKeyStore();
    const engine = await both({ secrets });
    expect(users(engine)).toEqual([
      ['account-a', false],
      ['account-b', true],
    ]);
    expect(engine.connection.activate({ id: idOf(engine, 'account-a') })).toMatchObject({ ok: true });
    await engine.close();
    const again = await openEngine(profile(), { secrets });
    await until(() => again.engine.state().accounts.every(({ connection }) => connection.state === 'connected'));
    expect(users(again.engine)).toEqual([
      ['account-a', true],
      ['account-b', false],
    ]);
  });

  it('each get the items that were added while they were active', async () => {
    const engine = await both();
    const first = randomFile(folder, 'b.png', 100);
    const ids = [await addFile(engine, first.path)];
    engine.connection.activate({ id: idOf(engine, 'account-a') });
    const second = randomFile(folder, 'a.png', 100);
    ids.push(await addFile(engine, second.path));
    for (const id of ids) expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(Object.fromEntries(model.published().map(({ account, sha256 }) => [account, sha256]))).toEqual({
      'account-a': second.sha256,
      'account-b': first.sha256,
    });
  });

  it('can be that of the built-in server and that of a service: its items finish and can be deleted, new ones go to the service', async () => {
    const dir = profile();
    const profileDir = join(folder, 'try-out-moves');
    const secrets = createMemoryKeyStore();
    const begin = async (): Promise<TryOutServer> => {
      const tryOut = await startTryOutServer(dir);
      onTestFinished(() => tryOut.close());
      return tryOut;
    };
    await (await startTryOutServer(dir)).close();
    await giveTryOutOwnPort(dir);
    const embed = ({ server, key }: TryOutServer, engine: Engine) => engine.connection.embed({ server, key }, soon());
    const picture = await image('png');
    const first = await openEngine(profileDir, { secrets });
    const before = await begin();
    must(await embed(before, first.engine));
    const published = await addFile(first.engine, picture);
    expect((await first.engine.queue.waitFor({ id: published, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    first.engine.queue.pauseAll();
    const pending = await addFile(first.engine, picture);
    must(await first.engine.connection.connect({ server: model.url, key: 'key-a' }, soon()));
    await first.engine.close();
    await before.close();

    const { engine } = await openEngine(profileDir, { secrets });
    must(await embed(await begin(), engine));
    expect(engine.state().connection).toMatchObject({ server: model.url });
    expect(engine.state().accounts.map(({ isActive }) => isActive)).toEqual([true, false]);
    engine.queue.resumeAll();
    const finished = must(await engine.queue.waitFor({ id: pending, patienceMs: PATIENCE }, soon()));
    expect(finished).toMatchObject({ state: 'linked', content: { url: expect.stringContaining(before.server) } });
    expect(model.published()).toEqual([]);
    const own = itemOf(engine, published);
    if (own?.state !== 'linked') throw new Error('The item is gone.');
    expect((await fetch(own.content.url)).status).toBe(200);
    expect(await engine.library.delete({ ids: [own.id], when: 'now' }, soon())).toMatchObject({ ok: true });
    await until(async () => (await fetch(own.content.url)).status === 404);
    const next = await addFile(engine, picture);
    expect((await engine.queue.waitFor({ id: next, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toHaveLength(1);
  });

  it('lose one without the others, and no other takes its place unasked', async () => {
    const engine = await both();
    expect(must(await engine.connection.remove({ id: idOf(engine, 'account-b') }))).toEqual({ state: 'none' });
    expect(users(engine)).toEqual([['account-a', false]]);
    const id = await addFile(engine, randomFile(folder, 'a.png', 100).path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'NOT_CONNECTED' },
    });
    engine.connection.activate({ id: idOf(engine, 'account-a') });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
  });

  it('are not chosen for the user by the built-in server where none is active', async () => {
    const engine = await both();
    must(await engine.connection.remove({ id: idOf(engine, 'account-b') }));
    model.keys.set('key-c', 'account-c');
    must(await engine.connection.embed({ server: model.url, key: 'key-c' }, soon()));
    expect(engine.state().connection).toEqual({ state: 'none' });
    expect(users(engine)).toEqual([
      ['account-a', false],
      ['account-c', false],
    ]);
  });

  it('are one for the built-in server, also after it has started again on another port', async () => {
    const again = await startModelService();
    onTestFinished(() => again.close());
    const { engine } = await openEngine(profile());
    must(await engine.connection.embed({ server: model.url, key: 'key-a' }, soon()));
    must(await engine.connection.embed({ server: again.url, key: 'key-a' }, soon()));
    expect(users(engine)).toEqual([['account-a', true]]);
    expect(engine.state().connection).toMatchObject({ state: 'connected', server: again.url });
    const id = await addFile(engine, randomFile(folder, 'a.png', 100).path);
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(again.published()).toHaveLength(1);
  });

  it('are served by any valid connection: another key for this run replaces a refused one', async () => {
    const engine = await both();
    model.keys.delete('key-a');
    engine.connection.activate({ id: idOf(engine, 'account-a') });
    const id = await addFile(engine, randomFile(folder, 'a.png', 100).path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      error: { code: 'API_KEY_INVALID' },
    });
    model.keys.set('key-a2', 'account-a');
    expect((await engine.connection.connect({ server: model.url, key: 'key-a2', keep: 'session' }, soon())).ok).toBe(
      true,
    );
    engine.connection.activate({ id: idOf(engine, 'account-b') });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(users(engine)).toHaveLength(3);
  });

  it('are served where they were read last: a service that has moved is not waited for at its old address', async () => {
    model.keys.set('key-b', 'account-b');
    const old = await startModelService();
    const { engine } = await openEngine(profile());
    await connectTo(engine, old.url);
    await old.close();
    await connectTo(engine, model.url);
    engine.queue.pauseAll();
    const id = await addFile(engine, randomFile(folder, 'a.png', 100).path);
    await connectTo(engine, model.url, 'key-b');
    engine.queue.resumeAll();
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toHaveLength(1);
  });

  it('treat a refused key as that of one account: its items wait, those of the others continue', async () => {
    const engine = await both();
    model.keys.delete('key-a');
    engine.connection.activate({ id: idOf(engine, 'account-a') });
    const waiting = await addFile(engine, randomFile(folder, 'a.png', 100).path);
    expect(await engine.queue.waitFor({ id: waiting, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'API_KEY_INVALID' },
    });
    engine.connection.activate({ id: idOf(engine, 'account-b') });
    expect(engine.state().connection).toMatchObject({ state: 'connected' });
    const going = await addFile(engine, randomFile(folder, 'b.png', 100).path);
    expect((await engine.queue.waitFor({ id: going, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    model.keys.set('key-a2', 'account-a');
    await connectTo(engine, model.url, 'key-a2');
    expect((await engine.queue.waitFor({ id: waiting, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(users(engine)).toHaveLength(2);
  });
});

describe('the cached account', () => {
  const reads = () => model.requests.filter(({ operation }) => operation === 'account').length;

  it('is read again for a window that comes to the front, but not within some minutes', async () => {
    let now = Date.now();
    // Only the window asks here: time does not advance, and the suspend detector is not running.
    const clock = { ...fastClock, now: () => now, monotonic: () => now };
    const deps: EngineDeps = {
      ...{ clock, random: systemRandom, secrets: createMemoryKeyStore(), clipboard: null, notifier: silentNotifier },
      ...{ opener: { open: () => Promise.resolve(ok(undefined)) }, environment: {}, profileDir: profile() },
      ...{ device: { name: 'Test computer', platform: 'linux' }, version: 'test' },
    };
    const opened = openProfile(profile(), clock);
    if (!opened.ok) throw new Error(opened.error.detail);
    const engine = await runEngine(deps, nodeEngineAdapters(deps, opened.value));
    onTestFinished(() => engine.close());
    await connectTo(engine, model.url);
    expect(reads()).toBe(1);
    engine.connection.freshen();
    now += 4 * 60_000;
    engine.connection.freshen();
    await engine.connection.refresh({}, soon());
    expect(reads()).toBe(2);
    now += 6 * 60_000;
    engine.connection.freshen();
    await until(() => engine.state().accounts[0]?.readAt === now);
    expect(reads()).toBe(3);
    // The clock is set back.
    now -= 24 * 3_600_000;
    engine.connection.freshen();
    await until(() => engine.state().accounts[0]?.readAt === now);
    expect(reads()).toBe(4);
  });

  it('is read again on new connections after a suspend, without a call from the host', async () => {
    let slept = 0;
    // The wall clock advances during suspend; the monotonic one stops on Linux.
    const clock = { ...fastClock, now: () => fastClock.now() + slept };
    const { engine } = await openEngine(profile(), { clock });
    await connectTo(engine, model.url);
    const before = reads();
    slept = 3_600_000;
    await until(() => reads() > before);
    expect(engine.state().connection).toMatchObject({ state: 'connected' });
  });

  it('decides where the user has not: copying, visibility, hotkey and colours', async () => {
    const { engine, clipboard } = await openEngine(profile());
    expect(engine.state().effective).toEqual({ copyLink: true, visibility: null, hotkey: null, palette: 'linkshot' });
    model.account = { copyLink: false, privateByDefault: true, captureHotkey: 'Ctrl+F9', palette: 'forest' };
    await connectTo(engine, model.url);
    expect(engine.state().effective).toEqual({
      copyLink: false,
      visibility: 'private',
      hotkey: 'Ctrl+F9',
      palette: 'forest',
    });
    const quiet = await addFile(engine, randomFile(folder, 'a.png', 100).path);
    expect((await engine.queue.waitFor({ id: quiet, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    engine.settings.update({
      copyLink: true,
      visibility: 'public',
      hotkeys: { ...DEFAULT_SETTINGS.hotkeys, region: 'Ctrl+F8' },
      palette: 'ocean',
    });
    expect(engine.state().effective).toEqual({
      copyLink: true,
      visibility: 'public',
      hotkey: 'Ctrl+F8',
      palette: 'ocean',
    });
    const copied = await addFile(engine, randomFile(folder, 'b.png', 100).path);
    const linked = await engine.queue.waitFor({ id: copied, patienceMs: PATIENCE }, soon());
    const url = linked.ok && linked.value.state === 'linked' ? linked.value.content.url : null;
    await until(() => clipboard.length > 0);
    expect(clipboard).toEqual([url]);
  });
});

describe('a refused key', () => {
  let service: RunningServer;
  const time = movableClock();
  beforeAll(async () => {
    service = await startServer({ clock: time });
  });
  afterAll(() => service.stop());

  const refusals: readonly [string, (user: User) => Promise<unknown>][] = [
    ['API_KEY_REVOKED', ({ keyId }) => service.server.keys.revoke(keyId)],
    ['ACCOUNT_BANNED', ({ username }) => service.server.accounts.ban(username)],
  ];
  it.each(refusals)('is reported with its own error: %s', async (code, refuse) => {
    const { engine } = await openEngine(profile());
    const user = await service.user();
    await connectTo(engine, service.url, user.apiKey);
    await refuse(user);
    const ids = [];
    for (const format of ['png', 'webp'] as const) ids.push(await addFile(engine, await image(format)));
    for (const id of ids)
      expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ error: { code } });
    expect(engine.state().connection).toMatchObject({ state: 'failed', failure: { code } });
  });

  it('that has expired is reported as expired, and another key of the account continues all of its items', async () => {
    const user = await service.user();
    const { engine } = await openEngine(profile());
    const soonOver = await service.key(user, { expiresAt: time.now() + 60_000 });
    await connectTo(engine, service.url, soonOver.apiKey);
    time.advance(60_000);
    const id = await addFile(engine, await image('png'));
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      error: { code: 'API_KEY_EXPIRED' },
    });
    await connectTo(engine, service.url, user.apiKey);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: true });
    expect(engine.state().accounts).toHaveLength(1);
  });
});

it('the storage used is read again a moment after a publication', async () => {
  const service = await startServer();
  onTestFinished(() => service.stop());
  const { engine } = await openEngine(profile());
  await connectTo(engine, service.url, (await service.user()).apiKey);
  const used = () => {
    const { connection } = engine.state();
    return connection.state === 'connected' ? connection.account.user.storageUsed : -1;
  };
  expect(used()).toBe(0);
  const id = await addFile(engine, await image('png'));
  expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: true });
  await until(() => used() > 0);
});
