/**
 * Stores the key with which this page authenticates to the browser host: reads it from the URL fragment, keeps it in
 * the tab's session storage, and sends it to pages of the same origin that have no valid key. Each port has its own
 * session storage, unlike cookies, so a program on another port of this computer cannot read the key.
 */
import { KEY_FRAGMENT } from '../protocol/page-key.ts';
import type { HostConnectionState } from './transport.ts';

const NAME = 'linkshot-key';
const ASK = 'ask';

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

/** The parts of a page that `sharePageKey` needs. */
type KeyPage = Pick<Window, 'location' | 'sessionStorage'>;

/**
 * Gives the key to pages of this origin that the host refuses: the installed window, which starts without a key, and
 * tabs of an earlier start. A channel reaches only pages of the same origin, as `sessionStorage` does. `onLink` is the
 * transport's.
 */
export const sharePageKey = (
  page: KeyPage,
  key: string,
  onLink: (listener: (link: HostConnectionState) => void) => unknown,
  channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'> = new BroadcastChannel(NAME),
): void => {
  let link: HostConnectionState = 'down';
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === ASK) {
      if (link === 'up') channel.postMessage({ key });
      return;
    }
    const given = (data as { readonly key?: unknown } | null)?.key;
    if (link !== 'refused' || typeof given !== 'string' || given === key) return;
    page.sessionStorage.setItem(NAME, given);
    page.location.reload();
  };
  onLink((next) => {
    link = next;
    if (link === 'refused') channel.postMessage(ASK);
    if (link === 'up') channel.postMessage({ key });
  });
};
