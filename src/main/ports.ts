/** The engine's ports made of Electron. */
import { clipboard, Notification, shell } from 'electron';
import { err, failure, ok } from '../contract/errors.ts';
import type { Clipboard, Notifier, Opener } from '../engine/ports.ts';

export const electronClipboard: Clipboard = {
  writeText: async (text) => {
    try {
      await clipboard.writeText(text);
      return ok(undefined);
    } catch (error) {
      return err(failure('APP_FAILED', `The clipboard did not take the link: ${(error as Error).message}`));
    }
  },
  readText: async () => {
    try {
      return ok(await clipboard.readText());
    } catch (error) {
      return err(failure('APP_FAILED', `The clipboard cannot be read: ${(error as Error).message}`));
    }
  },
};

/** Shows a notice; a click on it opens the link. */
export const createNotifier = (opener: Opener): Notifier => ({
  linked: ({ name, url }) => {
    if (!Notification.isSupported()) return;
    const notice = new Notification({ title: 'The link is ready', body: name });
    notice.on('click', () => void opener.open(url));
    notice.show();
  },
});

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** `servers` answers the addresses of the services in use: only their pages are opened, by https or on this computer. */
export const createOpener = (servers: () => readonly string[]): Opener => ({
  open: async (address) => {
    const url = URL.parse(address);
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
    const isKnown = servers().some((server) => URL.parse(server)?.hostname === url?.hostname);
    if (!url || !isSafe || !isKnown)
      return err(failure('ADDRESS_INVALID', 'Only pages of the connected service are opened.'));
    await shell.openExternal(url.href);
    return ok(undefined);
  },
});
