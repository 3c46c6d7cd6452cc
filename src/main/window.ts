/** The one window: the app's page in a sandbox, which can go nowhere else, open nothing and ask for no permission. */
import { join } from 'node:path';
import { BrowserWindow } from 'electron';
import { DESKTOP_CHANNELS } from '../contract/desktop.ts';
import type { AppEvent } from '../contract/ipc.ts';
import { isOwnAddress, pageAddress } from './address.ts';

export interface AppWindow {
  /** Opens it, or brings it to the front. */
  show(): void;
  send(event: AppEvent): void;
  /** From now on closing the window really closes it. */
  release(): void;
}

const create = (): BrowserWindow => {
  const window = new BrowserWindow({
    width: 960,
    height: 720,
    minWidth: 420,
    minHeight: 480,
    show: false,
    title: 'Linkshot',
    autoHideMenuBar: true,
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    },
  });
  const { webContents } = window;
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-navigate', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  const mayAsk = (permission: string): boolean => permission === 'clipboard-sanitized-write';
  webContents.session.setPermissionRequestHandler((_, permission, answer) => answer(mayAsk(permission)));
  webContents.session.setPermissionCheckHandler((_, permission) => mayAsk(permission));
  return window;
};

export const createAppWindow = (): AppWindow => {
  let window: BrowserWindow | null = null;
  let isReleased = false;

  const open = (): BrowserWindow => {
    const fresh = create();
    fresh.once('ready-to-show', () => fresh.show());
    // The work goes on in the tray.
    fresh.on('close', (event) => {
      if (isReleased) return;
      event.preventDefault();
      fresh.hide();
    });
    fresh.on('closed', () => {
      window = null;
    });
    void fresh.loadURL(pageAddress('index'));
    return fresh;
  };

  return {
    show: () => {
      if (!window) {
        window = open();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    send: (event) => window?.webContents.send(DESKTOP_CHANNELS.event, event),
    release: () => {
      isReleased = true;
    },
  };
};
