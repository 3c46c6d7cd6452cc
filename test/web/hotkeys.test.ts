/** The hotkeys of the browser host, on a real X server: the account's hotkey freezes the screen. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import { openX11Hotkeys } from '../../src/engine/hotkeys/x11-hotkeys.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import { startBrowserHost } from '../../src/web/start-browser-host.ts';
import { eventually } from '../support/eventually.ts';
import { openXScreen } from '../support/screen/x-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('web-hotkeys');
const rendererDir = join(root, 'renderer');
mkdirSync(rendererDir);
writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');

const start = async (profileDir: string, environment: Record<string, string | undefined>) => {
  const started = await startBrowserHost({
    ...{
      profileDir,
      rendererDir,
      port: 0,
      service: 'try-out',
      secrets: async () => createMemoryKeyStore(),
      environment,
    },
    opener: { open: async () => ok(undefined) },
    log: () => {},
  });
  if (!started.ok) throw new Error(started.error.detail);
  return started.value;
};
const stateOf = async (profileDir: string): Promise<AppState> => {
  const instance = await connectToInstance(profileDir);
  const state = await instance?.call('app.state', {});
  instance?.close();
  if (!state?.ok) throw new Error('no state');
  return state.value;
};

it('with an X server the hotkey of the account works until the host ends', async () => {
  const screen = await openXScreen(200, 100);
  onTestFinished(() => screen.close());
  const profile = join(root, 'heard');
  const host = await start(profile, screen.environment);
  await eventually(async () => {
    const { capabilities, hotkeys, effective } = await stateOf(profile);
    expect(capabilities.hotkey).toBe(true);
    expect(hotkeys).toMatchObject({
      way: 'x11',
      keys: [{ action: 'region', state: 'asked', failure: null }, {}, {}, {}, {}, {}],
    });
    expect(effective.hotkey).not.toBeNull();
  });
  const { hotkeys, capture } = await stateOf(profile);
  expect(capture).toBeNull();
  const accelerator = hotkeys.keys[0]?.accelerator ?? '';
  await screen.run('xdotool', 'key', accelerator.replace('Control', 'ctrl').toLowerCase());
  await eventually(async () =>
    expect((await stateOf(profile)).capture).toMatchObject({
      state: 'choosing',
      displays: [{ width: 200, height: 100 }],
    }),
  );
  const other = await openX11Hotkeys(screen.environment);
  expect(await other?.listen(accelerator, () => {})).toMatchObject({ ok: false, error: { code: 'HOTKEY_TAKEN' } });
  await host.close();
  await eventually(async () => expect(await other?.listen(accelerator, () => {})).toMatchObject({ ok: true }));
});

it('without one the page learns that hotkeys are unavailable', async () => {
  const profile = join(root, 'silent');
  const host = await start(profile, {});
  const { capabilities, hotkeys } = await stateOf(profile);
  await host.close();
  expect(capabilities.hotkey).toBe(false);
  expect(hotkeys).toMatchObject({ way: 'none', command: 'linkshot capture --select' });
});
