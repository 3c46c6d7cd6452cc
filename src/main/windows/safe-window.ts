/**
 * The only module that creates windows. Each shows one of the app's own pages in a sandbox. A page cannot leave the
 * app's URLs, open windows or get a permission other than writing the clipboard.
 */
import { join } from 'node:path';
import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import { isOwnAddress } from '../page-urls.ts';

/** `while-hidden`: the page keeps painting while it is hidden, so that its window appears with the right picture. */
export type Painting = 'when-shown' | 'while-hidden';

export type WindowOptions = Omit<BrowserWindowConstructorOptions, 'webPreferences'>;

export const createSafeWindow = (options: WindowOptions, painting: Painting): BrowserWindow => {
  const window = new BrowserWindow({
    ...options,
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      // Its dictionaries would come from a third party.
      spellcheck: false,
      backgroundThrottling: painting === 'when-shown',
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
  // The keys of the app's menu work without it; Alt would show it.
  window.setMenuBarVisibility(false);
  return window;
};
