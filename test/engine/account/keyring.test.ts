/**
 * The key store against a real gnome-keyring on a private D-Bus: stored, reloaded, locked, missing, and never in a
 * file.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSystemKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { startAskingSecretService } from '../../support/asking-secret-service.ts';
import { addFile, openEngine, randomFile, until } from '../../support/engine.ts';
import { type Keyring, openKeyring } from '../../support/keyring.ts';
import { image } from '../../support/media/media.ts';
import { PATIENCE_MS, soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('account-keyring');
const run = promisify(execFile);
let keyring: Keyring;
let service: RunningServer;
let turn = 0;

beforeAll(async () => {
  keyring = await openKeyring(join(root, 'keyring'));
  await keyring.start('unlocked');
  // The library reads the address of the bus from this process's environment at its first use.
  Object.assign(process.env, keyring.environment);
  service = await startServer();
});
afterAll(async () => {
  await keyring.stop();
  await service.stop();
});

const profile = () => join(root, `profile-${turn++}`);

/** What a fresh process says of its key store, and of one key in it. */
const freshProcess = async (environment: Record<string, string>, name: string): Promise<unknown> => {
  const script = `
    import { openSystemKeyStore } from ${JSON.stringify(join(import.meta.dirname, '../../../src/engine/profile/system-key-store.ts'))};
    const secrets = await openSystemKeyStore(${PATIENCE_MS});
    console.log(JSON.stringify([secrets.place, await secrets.get(process.argv[1])]));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, name], { env: environment });
  return JSON.parse(stdout);
};

it('stores a key, returns it to a later process, and deletes it on request', async () => {
  const secrets = await openSystemKeyStore();
  expect(secrets.place).toBe('keyring');
  expect(await secrets.get('one')).toEqual({ ok: true, value: null });
  await secrets.set('one', 'lsk_first');
  await secrets.set('one', 'lsk_second');
  expect(await freshProcess(keyring.environment, 'one')).toEqual(['keyring', { ok: true, value: 'lsk_second' }]);
  expect((await secrets.delete('one')).ok).toBe(true);
  expect(await secrets.get('one')).toEqual({ ok: true, value: null });
  expect((await secrets.delete('one')).ok).toBe(true);
});

it('is memory alone where no key store is: without a bus, and on a bus without one', async () => {
  const { DBUS_SESSION_BUS_ADDRESS: _, XDG_RUNTIME_DIR: __, ...without } = keyring.environment;
  expect(await freshProcess(without, 'one')).toEqual(['session', { ok: true, value: null }]);
  const empty = await openKeyring(join(root, 'empty'));
  expect(await freshProcess(empty.environment, 'one')).toEqual(['session', { ok: true, value: null }]);
  await empty.stop();
});

it('that is locked at the start loses nothing: the account shows it, its items wait, and continue when it is unlocked', async () => {
  const user = await service.user();
  const folder = profile();
  const first = await openEngine(folder, { secrets: await openSystemKeyStore() });
  expect(
    (await first.engine.connection.connect({ server: service.url, key: user.apiKey, keep: 'store' }, soon())).ok,
  ).toBe(true);
  expect(first.engine.state().connection).toMatchObject({ state: 'connected', keyPlace: 'keyring' });
  await first.engine.close();

  await keyring.start('locked');
  const secrets = await openSystemKeyStore();
  expect(secrets.place).toBe('keyring');
  const { engine } = await openEngine(folder, { secrets });
  const id = await addFile(engine, await image('png'));
  expect(await engine.queue.waitFor({ id, patienceMs: 0 }, soon())).toMatchObject({
    error: { code: 'KEY_STORE_FAILED' },
  });
  // The item may first receive the error that there is no key yet.
  await expect
    .poll(() => engine.state().connection)
    .toMatchObject({
      state: 'failed',
      account: { user: { id: user.accountId } },
      failure: { code: 'KEY_STORE_FAILED' },
    });

  await keyring.start('unlocked');
  const refreshed = must(await engine.connection.refresh({}, soon()));
  expect(refreshed).not.toHaveProperty('failure');
  expect(refreshed).toMatchObject({ state: 'connected' });
  expect(await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon())).toMatchObject({ ok: true });
});

it('that dies while it asks the user is asked again, and holds up nothing that comes later', async () => {
  await keyring.start('unlocked');
  const stored = await (await openSystemKeyStore()).set('one', 'lsk_first');
  expect(stored.ok).toBe(true);
  await keyring.kill();
  const asking = await startAskingSecretService(keyring.environment['DBUS_SESSION_BUS_ADDRESS'] as string);
  const secrets = await openSystemKeyStore();
  expect(secrets.place).toBe('keyring');
  const found = secrets.get('one');
  await asking.asks;
  await asking.crash();
  await keyring.start('unlocked');
  expect(await found).toEqual({ ok: true, value: 'lsk_first' });
  expect((await secrets.set('one', 'lsk_second')).ok).toBe(true);
  expect(await secrets.get('one')).toEqual({ ok: true, value: 'lsk_second' });
});

it('that dies while the app runs stops nothing, and a key that it cannot store is kept in memory and reported', async () => {
  await keyring.start('unlocked');
  const { engine } = await openEngine(profile(), { secrets: await openSystemKeyStore() });
  const [one, other] = [await service.user(), await service.user()];
  await engine.connection.connect({ server: service.url, key: one.apiKey, keep: 'store' }, soon());
  await keyring.kill();
  const id = await addFile(engine, await image('png'));
  expect(await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon())).toMatchObject({ ok: true });

  const connected = await engine.connection.connect({ server: service.url, key: other.apiKey, keep: 'store' }, soon());
  expect(connected).toMatchObject({ ok: true, value: { state: 'connected', keyPlace: 'session' } });
  expect(engine.state().notices).toMatchObject([{ code: 'KEY_STORE_FAILED' }]);
  await keyring.start('unlocked');
});

it('holds the keys of two accounts of one service apart, and removing one leaves the other', async () => {
  const folder = profile();
  const people = [await service.user(), await service.user()];
  const first = await openEngine(folder, { secrets: await openSystemKeyStore() });
  for (const { apiKey } of people)
    await first.engine.connection.connect({ server: service.url, key: apiKey, keep: 'store' }, soon());
  await first.engine.connection.disconnect({});
  await first.engine.close();
  const { engine } = await openEngine(folder, { secrets: await openSystemKeyStore() });
  await until(() => engine.state().accounts[0]?.connection.state === 'connected');
  expect(engine.state().accounts).toMatchObject([
    { isActive: false, connection: { account: { user: { id: people[0]?.accountId } } } },
  ]);
});

it('never has a key in a file in the clear, neither of the keyring nor of a profile', async () => {
  const secrets = await openSystemKeyStore();
  await secrets.set('grep', 'lsk_in-the-clear');
  randomFile(root, 'bystander', 100);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.some(({ name }) => name.endsWith('.keyring'))).toBe(true);
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    expect([name, bytes.includes('lsk_')]).toEqual([name, false]);
  }
});
