/**
 * Builds and recognises the URLs of the app's own pages. They have a custom scheme, so that they have an origin and no
 * file on disk is reachable. Also lists the privileges of this scheme in Electron.
 */
import type { Privileges } from 'electron';

export const SCHEME = 'app';

/** Each has its own HTML entry in src/renderer and its own kind of window. */
const PAGES = ['index', 'overlay', 'toast', 'recorder', 'pin'] as const;
export type PageName = (typeof PAGES)[number];

/** `part` follows `#`: the screen of the main window, the display of an overlay, the id of a pin. */
export const pageAddress = (page: PageName, part?: string): string =>
  `${SCHEME}://linkshot/${page}.html${part === undefined ? '' : `#${part}`}`;

/** `standard` and `secure` provide an origin, `'self'` in the CSP, and the clipboard; `stream` plays a recording. */
export const PRIVILEGES: Privileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  codeCache: true,
  stream: true,
};

/**
 * Whether a URL is the app's own. `URL.origin` is not available for custom schemes everywhere, so the parts are
 * compared.
 */
export const isOwnAddress = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && url.protocol === `${SCHEME}:` && url.host === 'linkshot';
};

/** The page of a URL; null if it is not one of ours. */
export const pageAt = (address: string): PageName | null => {
  if (!isOwnAddress(address)) return null;
  const path = URL.parse(address)?.pathname;
  return PAGES.find((page) => path === `/${page}.html`) ?? null;
};
