import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { err, failure, ok } from '../../src/api/errors.ts';
import { systemClock } from '../../src/engine/node-ports.ts';
import { browserOpener } from '../../src/engine/open-browser.ts';
import type { SecretStore } from '../../src/engine/ports.ts';
import { createMemoryKeyStore, openSystemKeyStore, storeOrMemory } from '../../src/engine/profile/system-key-store.ts';
import { until } from '../support/engine.ts';
import { itWith } from '../support/only-on.ts';
import { PATIENCE_MS, soon } from '../support/poll-timeouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('engine-defaults');

describe('the browser opener', () => {
  itWith('programs of Linux')('hands the address to the system as one argument, whatever is in it', async () => {
    const path = process.env['PATH'];
    onTestFinished(() => {
      process.env['PATH'] = path;
    });
    const seen = join(root, 'seen');
    writeFileSync(
      join(root, 'xdg-open'),
      `#!/bin/sh\nprintf '%s|' "$#" "$@" > ${seen}.part && mv ${seen}.part ${seen}\n`,
    );
    chmodSync(join(root, 'xdg-open'), 0o755);
    process.env['PATH'] = `${root}${delimiter}${path}`;
    const opener = browserOpener('linux');
    expect(await opener.open('https://example.org/s/a?x=1&y=$(touch%20z);`id`')).toEqual({
      ok: true,
      value: undefined,
    });
    await until(() => existsSync(seen));
    expect(readFileSync(seen, 'utf8')).toBe('1|https://example.org/s/a?x=1&y=$(touch%20z);`id`|');
  });

  it('opens web addresses only, and plain http on this machine only', async () => {
    for (const address of ['file:///etc/passwd', 'javascript:alert(1)', 'http://example.org/', 'ms-word:x', '-h', '']) {
      expect(await browserOpener('linux').open(address)).toMatchObject({
        ok: false,
        error: { code: 'ADDRESS_INVALID' },
      });
    }
  });

  itWith('programs of Linux')(
    'reports that no browser opened, and does not wait for one that runs until it is closed',
    async () => {
      const path = process.env['PATH'];
      const programs = join(root, 'openers');
      mkdirSync(programs);
      onTestFinished(() => {
        process.env['PATH'] = path;
      });
      process.env['PATH'] = `${programs}${delimiter}${path}`;
      const opened = (script: string) => {
        writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
        return browserOpener('linux').open('https://example.org/');
      };
      expect(await opened('exit 4')).toMatchObject({
        ok: false,
        error: { code: 'APP_FAILED', detail: expect.stringContaining('Open https://example.org/ yourself') },
      });
      const closed = join(programs, 'closed');
      const runs = `while [ ! -e ${programs}/close ]; do sleep 0.1; done; touch ${closed}`;
      expect(await opened(runs)).toMatchObject({ ok: true });
      expect(existsSync(closed)).toBe(false);
      writeFileSync(join(programs, 'close'), '');
      await until(() => existsSync(closed));
      expect(await opened('exit 0')).toMatchObject({ ok: true });
    },
  );

  it('reports that the system has no opener', async () => {
    const path = process.env['PATH'];
    onTestFinished(() => {
      process.env['PATH'] = path;
    });
    process.env['PATH'] = join(root, 'nothing-here');
    expect(await browserOpener('linux').open('https://example.org/')).toMatchObject({
      ok: false,
      error: { code: 'APP_FAILED' },
    });
  });
});

describe('secrets', () => {
  it('of a session are kept until the process ends', async () => {
    const secrets = createMemoryKeyStore();
    expect(await secrets.get('a')).toEqual({ ok: true, value: null });
    await secrets.set('a', 'key');
    expect(await secrets.get('a')).toEqual({ ok: true, value: 'key' });
    await secrets.delete('a');
    expect(await secrets.get('a')).toEqual({ ok: true, value: null });
  });

  itWith('programs of Linux')('rest in the real key store of the desktop, where there is one', async () => {
    const home = join(root, 'home');
    mkdirSync(home, { mode: 0o700 });
    const script = `
      const { openSystemKeyStore } = await import(${JSON.stringify(new URL('../../src/engine/profile/system-key-store.ts', import.meta.url).href)});
      const secrets = await openSystemKeyStore();
      await secrets.set('https://example.org /profile', 'the key');
      const kept = await (await openSystemKeyStore()).get('https://example.org /profile');
      await secrets.delete('https://example.org /profile');
      console.log(JSON.stringify([secrets.place, kept, await secrets.get('https://example.org /profile')]));
    `;
    const unlocked =
      'printf test | gnome-keyring-daemon --unlock --components=secrets >&2; exec "$NODE" --input-type=module -e "$SCRIPT"';
    const env = {
      ...process.env,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_RUNTIME_DIR: home,
      NODE: process.execPath,
      SCRIPT: script,
    };
    const { stdout } = await promisify(execFile)('dbus-run-session', ['--', 'sh', '-c', unlocked], {
      env,
      timeout: PATIENCE_MS,
    });
    expect(JSON.parse(stdout)).toEqual(['keyring', { ok: true, value: 'the key' }, { ok: true, value: null }]);
  });

  it.each([
    ['replaces', async (store: SecretStore, name: string) => store.set(name, 'of another process')],
    ['removes', async (store: SecretStore, name: string) => store.delete(name)],
    ['removes under the hands of', async () => err(failure('KEY_STORE_FAILED', 'No such object'))],
  ])('rest in the key store also where another process %s the entry that finds it', async (_, meddle) => {
    const memory = createMemoryKeyStore();
    const names: string[] = [];
    const store: SecretStore = {
      ...memory,
      place: 'keyring',
      async set(name, secret) {
        names.push(name);
        const written = await memory.set(name, secret);
        return name === names[0] ? meddle(memory, name) : written;
      },
    };
    expect(await storeOrMemory(store, PATIENCE_MS)).toBe(store);
    // The other process removes the one that both use.
    for (const name of names.slice(1)) expect(await memory.get(name)).toEqual({ ok: true, value: null });
  });

  it('leave at most one entry behind, however many processes are killed while they open the key store', async () => {
    const entries = new Map<string, string>();
    const dying: SecretStore = {
      ...createMemoryKeyStore(),
      set: async (name, secret) => ok(void entries.set(name, secret)),
      get: () => new Promise(() => {}),
    };
    for (let turn = 0; turn < 3; turn++) await storeOrMemory(dying, 0);
    expect(entries.size).toBe(1);
  });

  itWith('desktop without a key store')(
    'are never given to a key store that keeps nothing: without a bus they stay in the session',
    async () => {
      const bus = process.env['DBUS_SESSION_BUS_ADDRESS'];
      onTestFinished(() => {
        if (bus === undefined) delete process.env['DBUS_SESSION_BUS_ADDRESS'];
        else process.env['DBUS_SESSION_BUS_ADDRESS'] = bus;
      });
      process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/bus';
      const secrets = await openSystemKeyStore();
      expect(secrets.place).toBe('session');
    },
  );
});

it('the clock sleeps as long as requested and wakes when it is aborted', async () => {
  const begun = systemClock.monotonic();
  await systemClock.sleep(30, soon());
  expect(systemClock.monotonic() - begun).toBeGreaterThanOrEqual(29);
  const abort = new AbortController();
  const sleeping = systemClock.sleep(60_000, abort.signal);
  abort.abort();
  await expect(sleeping).rejects.toThrow();
});
