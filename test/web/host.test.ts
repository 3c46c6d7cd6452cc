/** Without any configuration the first file gets a link: the try-out server is ready, and survives restarts. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import { notOpened } from '../../src/engine/open-browser.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import { type BrowserHost, type BrowserHostRequest, startBrowserHost } from '../../src/web/start-browser-host.ts';
import { image } from '../support/media/media.ts';
import { giveTryOutOwnPort } from '../support/own-try-out-port.ts';
import { PATIENCE_MS } from '../support/poll-timeouts.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('web-host');
const rendererDir = join(root, 'renderer');
mkdirSync(rendererDir);
writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
const opened: string[] = [];
const running = new Set<BrowserHost>();

const start = async (profileDir: string, change: Partial<BrowserHostRequest> = {}): Promise<BrowserHost> => {
  const started = await startBrowserHost({
    profileDir,
    rendererDir,
    port: 0,
    service: 'try-out',
    secrets: async () => createMemoryKeyStore(),
    opener: { open: async (url) => ok(void opened.push(url)) },
    environment: { ...process.env, LINKSHOT_CLIPBOARD: 'page' },
    log: () => {},
    ...change,
  });
  if (!started.ok) throw new Error(started.error.detail);
  running.add(started.value);
  return started.value;
};
const stop = async (host: BrowserHost): Promise<void> => {
  running.delete(host);
  await host.close();
};
/** For a test that stops the host and needs the same links afterwards, or somebody else at their port. */
const startAtOwnPort: typeof start = async (profileDir, change) => {
  await stop(await start(profileDir, change));
  await giveTryOutOwnPort(profileDir);
  return await start(profileDir, change);
};
afterEach(async () => {
  for (const host of running) await stop(host);
});

const stateOf = async (profileDir: string): Promise<AppState> => {
  const instance = await connectToInstance(profileDir);
  const state = await instance?.call('app.state', {});
  instance?.close();
  if (!state?.ok) throw new Error('no state');
  return state.value;
};

const publish = async (profileDir: string): Promise<string> => {
  const instance = await connectToInstance(profileDir);
  const added = await instance?.call('queue.addPaths', { paths: [await image('png')] });
  const id = added?.ok ? added.value.ids[0] : undefined;
  if (!instance || !id) throw new Error('not added');
  const settled = await instance.call('queue.waitFor', { id, patienceMs: PATIENCE_MS });
  instance.close();
  if (!settled.ok || settled.value.state !== 'linked') throw new Error(JSON.stringify(settled));
  return settled.value.content.url;
};

describe('the try-out', () => {
  it('gives a link for the first file, and the link, the account and the library survive a restart', async () => {
    const profile = join(root, 'first');
    const first = await startAtOwnPort(profile);
    expect(first.service).toBe('try-out');
    const before = await stateOf(profile);
    expect(before.connection).toMatchObject({ state: 'connected', keyPlace: 'embedded' });
    const url = await publish(profile);
    expect((await fetch(url)).status).toBe(200);
    await stop(first);

    await start(profile);
    expect((await fetch(url)).status).toBe(200);
    const after = await stateOf(profile);
    expect(after.connection).toMatchObject({ state: 'connected' });
    if (after.connection.state === 'connected' && before.connection.state === 'connected') {
      expect(after.connection.account.user.id).toBe(before.connection.account.user.id);
      expect(after.connection.account.user.storageUsed).toBeGreaterThan(0);
    }
    expect(after.queue.items).toMatchObject([{ state: 'linked' }]);
  });

  it('ends when a service is connected, but its links still open after a restart', async () => {
    const profile = join(root, 'moving');
    const store = createMemoryKeyStore();
    const secrets = async () => store;
    const first = await startAtOwnPort(profile, { secrets });
    const url = await publish(profile);
    const service = await startServer();
    onTestFinished(() => service.stop());
    const { apiKey: key } = await service.user();
    const instance = await connectToInstance(profile);
    expect(await instance?.call('connection.connect', { server: service.url, key })).toMatchObject({ ok: true });
    instance?.close();
    expect(new URL(await publish(profile)).origin).toBe(service.url);
    await stop(first);

    const again = await start(profile, { secrets });
    expect(again.service).toBe('other');
    // The page does not wait for the built-in server.
    await expect.poll(() => fetch(url).then(({ status }) => status, String)).toBe(200);
    expect((await stateOf(profile)).connection).toMatchObject({ server: service.url });
    expect(new URL(await publish(profile)).origin).toBe(service.url);
  });

  it('does not take the place of a named service that does not answer', async () => {
    const profile = join(root, 'unanswered');
    const first = await startAtOwnPort(profile);
    const { connection } = await stateOf(profile);
    if (connection.state !== 'connected') throw new Error('The try-out is not connected.');
    await stop(first);
    const silent = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const again = await start(profile, { service: { server: `http://127.0.0.1:${port}`, key: 'lsk_key' } });
    expect(again.service).toBe('other');
    await expect.poll(() => fetch(`${connection.server}/livez`).then(({ status }) => status, String)).toBe(200);
    expect((await stateOf(profile)).connection).toEqual({ state: 'none' });
  });

  it('stores no key, and keeps its data from other users of the computer', async () => {
    const profile = join(root, 'second');
    await start(profile);
    await publish(profile);
    for (const entry of readdirSync(profile, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) expect(readFileSync(join(entry.parentPath, entry.name)).includes('lsk_')).toBe(false);
    expect(statSync(join(profile, 'try-out')).mode & 0o077).toBe(0);
  });

  it('that cannot start is reported, and the window opens without it, which can try again', async () => {
    const profile = join(root, 'damaged');
    const records = join(profile, 'try-out/linkshot.sqlite');
    mkdirSync(join(profile, 'try-out'), { recursive: true });
    writeFileSync(records, 'no database');
    const logged: string[] = [];
    const host = await start(profile, { log: (line) => logged.push(line) });
    expect(host.service).toBe('other');
    expect(logged).toEqual([expect.stringMatching(/^The built-in server does not start: .*database/)]);
    expect((await stateOf(profile)).connection).toEqual({ state: 'none' });
    const instance = await connectToInstance(profile);
    expect(await instance?.call('connection.tryOut', {})).toMatchObject({ ok: false });
    rmSync(records);
    expect(await instance?.call('connection.tryOut', {})).toMatchObject({ ok: true });
    instance?.close();
  });

  it('takes another port when its own is in use', async () => {
    const profile = join(root, 'third');
    const first = await startAtOwnPort(profile);
    const server = new URL((await stateOf(profile)).connection.state === 'connected' ? await publish(profile) : '');
    await stop(first);
    const squatter = createServer().listen(Number(server.port), '127.0.0.1');
    await new Promise((resolve) => squatter.once('listening', resolve));
    await start(profile);
    expect((await fetch(await publish(profile))).status).toBe(200);
    squatter.close();
  });

  it('is not started where a service is configured', async () => {
    const profile = join(root, 'fourth');
    const server = await startServer();
    const store = createMemoryKeyStore();
    const secrets = async () => store;
    const connected = await start(profile, {
      secrets,
      service: { server: server.url, key: (await server.user()).apiKey },
    });
    expect(connected.service).toBe('other');
    await stop(connected);
    const again = await start(profile, { secrets });
    expect(again.service).toBe('other');
    expect((await stateOf(profile)).connection).toMatchObject({ server: server.url });
    await stop(again);
    await server.stop();
  });
});

describe('a second start', () => {
  it('brings the page of the first to the front, by its address with the key', async () => {
    const profile = join(root, 'fifth');
    const host = await start(profile);
    const instance = await connectToInstance(profile);
    expect(await instance?.call('app.show', {})).toMatchObject({ ok: true });
    expect(opened).toEqual([host.address]);
    instance?.close();
  });

  it('is given the address where the browser of the first cannot be opened', async () => {
    const profile = join(root, 'no-browser');
    const host = await start(profile, { opener: { open: async (url) => notOpened('xdg-open', new URL(url)) } });
    const instance = await connectToInstance(profile);
    const shown = await instance?.call('app.show', {});
    instance?.close();
    expect(shown).toMatchObject({ ok: false, error: { detail: expect.stringContaining(host.address) } });
  });

  it('names the port that is in use', async () => {
    const first = await start(join(root, 'sixth'));
    const port = Number(new URL(first.address).port);
    await expect(start(join(root, 'seventh'), { port })).rejects.toThrow(`Port ${port} cannot be used`);
  });
});

it('the try-out that a page asks for takes new items, although another account is connected', async () => {
  const profile = join(root, 'asked-beside');
  await start(profile, { service: 'profile' });
  const service = await startServer();
  onTestFinished(() => service.stop());
  const { apiKey: key } = await service.user();
  const instance = await connectToInstance(profile);
  if (!instance) throw new Error('not running');
  await instance.call('connection.connect', { server: service.url, key });
  const tried = await instance.call('connection.tryOut', {});
  instance.close();
  expect(tried).toMatchObject({ ok: true, value: { state: 'connected', keyPlace: 'embedded' } });
  expect(new URL(await publish(profile)).origin).not.toBe(service.url);
});

it('the try-out is started by a page that asks for it, also after it was stopped', async () => {
  const profile = join(root, 'asked');
  await start(profile, { service: 'profile' });
  const instance = await connectToInstance(profile);
  if (!instance) throw new Error('not running');
  expect((await stateOf(profile)).connection.state).toBe('none');
  for (let time = 0; time < 2; time++) {
    const tried = await instance.call('connection.tryOut', {});
    expect(tried).toMatchObject({ ok: true, value: { state: 'connected', keyPlace: 'embedded' } });
    await instance.call('connection.disconnect', {});
  }
  instance.close();
});
