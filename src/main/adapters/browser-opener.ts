/**
 * Opens pages in the user's browser: pages of a service in use, over https, or over http on this computer; and any web
 * address that the user has confirmed.
 */
import { shell } from 'electron';
import { err, failure, ok } from '../../api/errors.ts';
import type { Opener } from '../../engine/ports.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** `servers` returns the addresses of the services in use. */
export const createBrowserOpener = (servers: () => readonly string[]): Opener => ({
  open: async (address) => {
    const url = URL.parse(address);
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
    const isKnown = servers().some((server) => URL.parse(server)?.hostname === url?.hostname);
    if (!url || !isSafe || !isKnown)
      return err(failure('ADDRESS_INVALID', 'Only pages of the connected service can be opened.'));
    await shell.openExternal(url.href);
    return ok(undefined);
  },
  openAny: async (address) => {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return err(failure('ADDRESS_INVALID', 'Only web addresses can be opened.'));
    await shell.openExternal(url.href);
    return ok(undefined);
  },
});
