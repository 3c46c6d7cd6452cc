/**
 * Opens pages in the user's browser: pages of a service in use, over https, or over http on this computer; and any web
 * address that the user has confirmed.
 */
import { shell } from 'electron';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { isSafeAddress } from '../../api/service-address.ts';
import { notOpened } from '../../engine/open-browser.ts';
import type { Opener } from '../../engine/ports.ts';

const openExternally = (url: URL): Promise<Result<void>> =>
  shell.openExternal(url.href).then(
    () => ok(undefined),
    ({ message }: Error) => notOpened(message, url),
  );

/** `servers` returns the addresses of the services in use. */
export const createBrowserOpener = (servers: () => readonly string[]): Required<Opener> => ({
  open: async (address) => {
    const url = URL.parse(address);
    const isKnown = servers().some((server) => URL.parse(server)?.hostname === url?.hostname);
    if (!url || !isSafeAddress(url) || !isKnown)
      return err(failure('ADDRESS_INVALID', 'Only pages of the connected service can be opened.'));
    return openExternally(url);
  },
  openAny: async (address) => {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return err(failure('ADDRESS_INVALID', 'Only web addresses can be opened.'));
    return openExternally(url);
  },
});
