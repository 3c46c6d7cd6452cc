/**
 * Stores the key with which this page authenticates to the browser host: reads it from the URL fragment, keeps it in
 * the tab's session storage, and sends it to pages of the same origin that have no valid key. Each port has its own
 * session storage, unlike cookies, so a program on another port of this computer cannot read the key. A page with
 * unsaved work is not reloaded for a new key.
 */
import { KEY_FRAGMENT } from '../protocol/page-key.ts';
import type { HostConnectionState } from './transport.ts';

const NAME = 'linkshot-key';
const ASK = 'ask';

const keyIn = (hash: string): string | null =>
  hash.startsWith(KEY_FRAGMENT) ? hash.slice(KEY_FRAGMENT.length) || null : null;

export interface PageKey {
  /** Empty if the page was opened without a key; the host then refuses it. */
  current(): string;
  /** Replaces it with the key of a newer start. */
  renew(key: string): void;
}

/** The parts of a page that `takePageKey` needs. */
export type KeyPage = Pick<Window, 'location' | 'history' | 'sessionStorage' | 'addEventListener' | 'dispatchEvent'>;

/**
 * Call it once, before the router changes the URL. `reconnect` is called instead of a reload that would lose something.
 */
export const takePageKey = (page: KeyPage, reconnect: () => void): PageKey => {
  const { location, history, sessionStorage } = page;
  const given = keyIn(location.hash);
  if (given !== null) {
    sessionStorage.setItem(NAME, given);
    history.replaceState(null, '', location.pathname);
  }
  let key = sessionStorage.getItem(NAME) ?? '';
  const renew = (next: string): void => {
    sessionStorage.setItem(NAME, next);
    key = next;
    // Those who keep the user from leaving the page are asked, and no question is shown.
    if (page.dispatchEvent(new Event('beforeunload', { cancelable: true }))) location.reload();
    else reconnect();
  };
  // Opening the URL of a new start in the tab of an earlier one changes only the fragment.
  page.addEventListener('hashchange', ({ oldURL }) => {
    const next = keyIn(location.hash);
    if (next === null) return;
    history.replaceState(null, '', oldURL);
    renew(next);
  });
  return { current: () => key, renew };
};

/**
 * Gives the key to pages of this origin that the host refuses: the installed window, which starts without a key, and
 * tabs of an earlier start. A channel reaches only pages of the same origin, as `sessionStorage` does. `onLink` is the
 * transport's.
 */
export const sharePageKey = (
  key: PageKey,
  onLink: (listener: (link: HostConnectionState) => void) => unknown,
  channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'> = new BroadcastChannel(NAME),
): void => {
  let link: HostConnectionState = 'down';
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === ASK) {
      if (link === 'up') channel.postMessage({ key: key.current() });
      return;
    }
    const given = (data as { readonly key?: unknown } | null)?.key;
    if (link !== 'refused' || typeof given !== 'string' || given === key.current()) return;
    key.renew(given);
  };
  onLink((next) => {
    link = next;
    if (link === 'refused') channel.postMessage(ASK);
    if (link === 'up') channel.postMessage({ key: key.current() });
  });
};
