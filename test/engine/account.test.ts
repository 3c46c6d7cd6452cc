import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sessionSecrets } from '../../src/engine/defaults.ts';
import { addFile, connectTo, itemOf, openEngine, randomFile, until, wait } from '../support/engine.ts';
import { type ModelService, startModelService } from '../support/model-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PART = 2 * 1024 * 1024;
const PATIENCE = 60_000;
const root = temporaryFolder('engine-account');
let model: ModelService;
let folder: string;
let turn = 0;

beforeEach(async () => {
  folder = join(root, `test-${turn++}`);
  const started = await startModelService();
  model = started;
  onTestFinished(() => started.close());
});

const soon = () => AbortSignal.timeout(20_000);
const profile = () => join(folder, 'profile');

describe('connecting', () => {
  it('checks the key with the service, remembers the server and finds the key again at the next start', async () => {
    const secrets = sessionSecrets();
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
    const again = await openEngine(profile(), { secrets });
    expect(again.engine.state().connection).toMatchObject({
      state: 'connecting',
      account: { user: { id: 'account-a' } },
    });
    await until(() => again.engine.state().connection.state === 'connected');
  });

  it('says what is wrong with an address or a key, and keeps the connection that was there', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    const connect = (server: string, key = 'key-a') => engine.connect({ server, key, keep: 'store' }, soon());
    expect(await connect('http://example.org')).toMatchObject({ ok: false, error: { code: 'INSECURE_ADDRESS' } });
    expect(await connect('not an address')).toMatchObject({ ok: false, error: { code: 'ADDRESS_INVALID' } });
    expect(await connect('http://127.0.0.1:1')).toMatchObject({ ok: false, error: { code: 'CONNECTION_REFUSED' } });
    expect(await connect(model.url, 'wrong')).toMatchObject({
      ok: false,
      error: { code: 'API_KEY_INVALID', status: 401 },
    });
    expect(engine.state().connection).toMatchObject({ state: 'connected', server: model.url });
  });

  it('for this run only leaves the stored connection as it is', async () => {
    const secrets = sessionSecrets();
    const { engine } = await openEngine(profile(), { secrets });
    await connectTo(engine, model.url);
    const other = await startModelService();
    onTestFinished(() => other.close());
    other.keys.set('key-b', 'account-b');
    await engine.connect({ server: other.url, key: 'key-b', keep: 'embedded' }, soon());
    expect(engine.state().connection).toMatchObject({ server: other.url, keyPlace: 'embedded' });
    await engine.refresh(soon());
    await engine.close();
    const again = await openEngine(profile(), { secrets });
    expect(again.engine.state().connection).toMatchObject({
      server: model.url,
      account: { user: { id: 'account-a' } },
    });
  });

  it('is undone by disconnect, and the key is gone', async () => {
    const secrets = sessionSecrets();
    const { engine } = await openEngine(profile(), { secrets });
    await connectTo(engine, model.url);
    expect(await engine.disconnect()).toEqual({ state: 'none' });
    await engine.close();
    const again = await openEngine(profile(), { secrets });
    expect(again.engine.state().connection).toEqual({ state: 'none' });
  });

  it('comes back by itself when the service can be reached again', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    model.interfere = () => ({ do: 'break' });
    expect(await engine.refresh(soon())).toMatchObject({
      state: 'failed',
      failure: { code: 'NETWORK_FAILED' },
      account: {},
    });
    model.interfere = () => null;
    await until(() => engine.state().connection.state === 'connected');
  });
});

describe('an item', () => {
  it('without a connection waits for one, and then goes on by itself', async () => {
    const { engine } = await openEngine(profile());
    const file = randomFile(folder, 'a.png', PART);
    const id = await addFile(engine, file.path);
    expect(await engine.settled(id, PATIENCE, soon())).toMatchObject({ ok: false, error: { code: 'NOT_CONNECTED' } });
    await connectTo(engine, model.url);
    expect((await engine.settled(id, PATIENCE, soon())).ok).toBe(true);
  });

  it('whose key is refused in mid-upload waits, loses nothing, and goes on after reconnecting', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    model.interfere = ({ operation, nth }) => {
      if (operation === 'part' && nth === 3) model.keys.delete('key-a');
      return null;
    };
    const file = randomFile(folder, 'a.png', 8 * PART);
    const id = await addFile(engine, file.path);
    expect(await engine.settled(id, PATIENCE, soon())).toMatchObject({ ok: false, error: { code: 'API_KEY_INVALID' } });
    expect(engine.state().connection).toMatchObject({ state: 'failed', failure: { code: 'API_KEY_INVALID' } });
    const next = await addFile(engine, randomFile(folder, 'b.png', 500).path);
    expect(await engine.settled(next, PATIENCE, soon())).toMatchObject({
      ok: false,
      error: { code: 'API_KEY_INVALID' },
    });
    model.interfere = () => null;
    model.keys.set('key-new', 'account-a');
    await connectTo(engine, model.url, 'key-new');
    for (const each of [id, next]) expect((await engine.settled(each, PATIENCE, soon())).ok).toBe(true);
    expect(model.published()).toHaveLength(2);
    expect(model.uploads.size).toBe(2);
  });

  it('of another account goes on under its own while a new one is active', async () => {
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
    for (const each of [id, next]) expect((await engine.settled(each, PATIENCE, soon())).ok).toBe(true);
    expect(model.published().map(({ account, sha256 }) => [account, sha256])).toEqual(
      expect.arrayContaining([
        ['account-a', file.sha256],
        ['account-b', other.sha256],
      ]),
    );
  });

  it('of an account that was removed waits for it, is never sent under another, and goes on when it is back', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    model.interfere = ({ operation }) => (operation === 'part' ? { do: 'break' } : null);
    const file = randomFile(folder, 'a.png', 3 * PART);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.state === 'started');
    await engine.disconnect();
    model.interfere = () => null;
    model.keys.set('key-b', 'account-b');
    await connectTo(engine, model.url, 'key-b');
    expect(await engine.settled(id, PATIENCE, soon())).toMatchObject({
      ok: false,
      error: { code: 'ACCOUNT_MISMATCH' },
    });
    await wait(100);
    expect(model.published()).toEqual([]);
    await connectTo(engine, model.url, 'key-a');
    expect((await engine.settled(id, PATIENCE, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ account: 'account-a', sha256: file.sha256 }]);
  });

  it('names its account in every request of its upload', async () => {
    const { engine } = await openEngine(profile());
    await connectTo(engine, model.url);
    const id = await addFile(engine, randomFile(folder, 'a.png', 3 * PART).path);
    expect((await engine.settled(id, PATIENCE, soon())).ok).toBe(true);
    const uploads = model.requests.filter(({ operation }) => operation !== 'account');
    expect(uploads.length).toBeGreaterThan(4);
    expect(new Set(uploads.map(({ headers }) => headers['x-service-account']))).toEqual(new Set(['account-a']));
  });
});
