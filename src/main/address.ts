/** The address of the app's own page: a scheme of its own, so that it has an origin and no file of the disk is reachable. */
import type { Privileges } from 'electron';

export const SCHEME = 'app';
export const PAGE = `${SCHEME}://linkshot/index.html`;

/** `standard` and `secure` give it an origin, `'self'` in the CSP, and the clipboard. */
export const PRIVILEGES: Privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };

/** Whether a frame shows the app's own page. Custom schemes have no `URL.origin` everywhere, so the parts are compared. */
export const isOwnAddress = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && url.protocol === `${SCHEME}:` && url.host === 'linkshot';
};
