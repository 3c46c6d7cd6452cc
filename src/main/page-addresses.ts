/** The addresses of the app's own pages: a scheme of its own, so that they have an origin and no file of the disk is reachable. */
import type { Privileges } from 'electron';

export const SCHEME = 'app';

/** Each has its own HTML entry in src/renderer and its own kind of window here. */
const PAGES = ['index', 'overlay', 'toast', 'recorder'] as const;
export type PageName = (typeof PAGES)[number];

/** `part` comes after `#`: the screen of the main window, the display of an overlay. */
export const pageAddress = (page: PageName, part?: string): string =>
  `${SCHEME}://linkshot/${page}.html${part === undefined ? '' : `#${part}`}`;

/** `standard` and `secure` give it an origin, `'self'` in the CSP, and the clipboard; `stream` plays a recording. */
export const PRIVILEGES: Privileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  codeCache: true,
  stream: true,
};

/** Whether an address is the app's own. Custom schemes have no `URL.origin` everywhere, so the parts are compared. */
export const isOwnAddress = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && url.protocol === `${SCHEME}:` && url.host === 'linkshot';
};

/** The page that an address shows; null where it is none of ours. */
export const pageAt = (address: string): PageName | null => {
  if (!isOwnAddress(address)) return null;
  const path = URL.parse(address)?.pathname;
  return PAGES.find((page) => path === `/${page}.html`) ?? null;
};
