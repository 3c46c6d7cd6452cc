/**
 * The key that the browser host creates for each run: read from the URL fragment and kept for this tab. Unlike cookies,
 * page storage is per port, so a program on another port of this computer never gets it.
 */
import { KEY_FRAGMENT } from '../protocol/page-key.ts';

const NAME = 'linkshot-key';

const keyIn = (hash: string): string | null =>
  hash.startsWith(KEY_FRAGMENT) ? hash.slice(KEY_FRAGMENT.length) || null : null;

/**
 * Empty if the page was opened without a key; the host then refuses it. Call it once, before the router changes the
 * URL.
 */
export const takePageKey = (page: Window): string => {
  const { location, history, sessionStorage } = page;
  const given = keyIn(location.hash);
  if (given !== null) {
    sessionStorage.setItem(NAME, given);
    history.replaceState(null, '', location.pathname);
  }
  // Opening the URL of a new start in the tab of an earlier one changes only the fragment.
  page.addEventListener('hashchange', () => {
    if (keyIn(location.hash) !== null) location.reload();
  });
  return sessionStorage.getItem(NAME) ?? '';
};
