/** The desktop app: opens the profile, shows the window, and keeps tray, hotkey and window in step with the engine. */
import { join } from 'node:path';
import { app, dialog, Notification } from 'electron';
import { connectToInstance } from '../bridge/instance.ts';
import type { Failure } from '../contract/errors.ts';
import type { Capabilities } from '../contract/state.ts';
import { openSecrets } from '../engine/defaults.ts';
import { type Host, openHost } from '../host/host.ts';
import { createHotkey } from './hotkey.ts';
import { servePages } from './ipc.ts';
import { createNotifier, createOpener, electronClipboard } from './ports.ts';
import { servePage } from './protocol.ts';
import { createAppTray } from './tray.ts';
import { type AppWindow, createAppWindow } from './window.ts';

const CAPABILITIES: Capabilities = {
  hotkey: true,
  tray: true,
  overlay: 'none',
  panels: false,
  folders: true,
  clipboard: 'host',
};

export interface AppRequest {
  readonly profileDir: string;
  readonly rendererDir: string;
  readonly iconDir: string;
  readonly log: (line: string) => void;
}

/** Another start owns the profile: it comes to the front, and this one ends. */
const yieldTo = async (profileDir: string, error: Failure): Promise<void> => {
  const instance = error.code === 'PROFILE_BUSY' ? await connectToInstance(profileDir) : null;
  if (instance) {
    await instance.call('app.show', {});
    instance.close();
  } else dialog.showErrorBox('Linkshot cannot start', error.detail);
  app.exit(instance ? 0 : 1);
};

/** Keeps the parts of the desktop in step with the engine until the app quits, then closes all in order. */
const run = (host: Host, window: AppWindow, { rendererDir, iconDir, log }: AppRequest): void => {
  const { engine, dispatcher } = host;
  const ending = new AbortController();
  servePage({ engine, rendererDir });
  const stopServing = servePages({ ...host, onMark: () => {} }, ending.signal);
  const tray = createAppTray({ engine, show: window.show, quit: () => app.quit(), log }, iconDir);
  const hotkey = createHotkey({
    press: window.show,
    onFree: () => engine.withdraw('HOTKEY_TAKEN'),
    onTaken(failure) {
      log(failure.detail);
      engine.notify(failure);
      if (Notification.isSupported()) new Notification({ title: 'Linkshot', body: failure.detail }).show();
    },
  });
  const stopFollowing = dispatcher.on((event) => {
    window.send(event);
    tray.follow(event);
    if (event.type === 'state') hotkey.follow(event.state);
  });

  app.on('activate', () => window.show());
  app.on('before-quit', (event) => {
    if (ending.signal.aborted) return;
    event.preventDefault();
    ending.abort();
    window.release();
    stopFollowing();
    stopServing();
    hotkey.close();
    tray.close();
    void host.close().finally(() => app.exit(0));
  });
  window.show();
};

/** Resolves when the window is on its way, or when this start has handed over to one that runs already. */
export const startApp = async (request: AppRequest): Promise<void> => {
  const { profileDir, log } = request;
  app.setPath('userData', join(profileDir, 'desktop'));
  await app.whenReady();
  const window = createAppWindow();
  let host: Host | null = null;
  const opener = createOpener(() => {
    const { accounts = [], authorization = null } = host?.engine.state() ?? {};
    return [...accounts.map(({ connection }) => connection.server), ...(authorization ? [authorization.server] : [])];
  });
  const opened = await openHost({
    profileDir,
    secrets: await openSecrets(),
    clipboard: electronClipboard,
    notifier: createNotifier(opener),
    opener,
    environment: process.env,
    capabilities: CAPABILITIES,
    show: window.show,
    log,
  });
  if (!opened.ok) return yieldTo(profileDir, opened.error);
  host = opened.value;
  run(host, window, request);
};
