/** Opens pages in the user's browser: only pages of a service in use, by https or on this computer. */
import { shell } from 'electron';
import { err, failure, ok } from '../../api/errors.ts';
import type { Opener } from '../../engine/ports.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** `servers` returns the addresses of the services in use. */
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
