/**
 * The key of the run in the browser: taken out of the address, and kept for this tab. Storage of a page belongs to its port
 * too, unlike a cookie, so that a program on another port of this computer never gets it.
 */
import { KEY_FRAGMENT } from '../protocol/page-key.ts';

const NAME = 'linkshot-key';

const keyIn = (hash: string): string | null =>
  hash.startsWith(KEY_FRAGMENT) ? hash.slice(KEY_FRAGMENT.length) || null : null;

/** Empty: the page was opened without a key, and the host refuses it. Call it once, before the address names a screen. */
export const takePageKey = (page: Window): string => {
  const { location, history, sessionStorage } = page;
  const given = keyIn(location.hash);
  if (given !== null) {
    sessionStorage.setItem(NAME, given);
    history.replaceState(null, '', location.pathname);
  }
  // The address of a new start, put into the tab of an earlier one, changes its fragment alone.
  page.addEventListener('hashchange', () => {
    if (keyIn(location.hash) !== null) location.reload();
  });
  return sessionStorage.getItem(NAME) ?? '';
};
