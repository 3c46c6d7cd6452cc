/**
 * Validates and normalises addresses of services: https, or http on this machine only, because keys and files travel to
 * them. Also says which web addresses a reply may contain. Pure.
 */
import { err, failure, ok, type Result } from './errors.ts';

/**
 * An absolute web address in the characters of RFC 3986, without user info: every character in it belongs to the
 * address wherever the address is printed, copied or opened.
 */
export const WEB_ADDRESS =
  "^https?://(?:[0-9A-Za-z._~-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:[/?#][0-9A-Za-z._~:/?#\\[\\]@!$&'()*+,;=%-]{0,2000})?$";

const ADDRESS = new RegExp(WEB_ADDRESS);

/** Whether clients accept the address in a reply. */
export const isWebAddress = (text: string): boolean => ADDRESS.test(text) && URL.canParse(text);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Reachable without a network. */
export const isOnThisMachine = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

/** Https anywhere, http on loopback only. */
export const isSafeAddress = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isOnThisMachine(url));

/**
 * The address of a service as it is stored and compared: scheme, host, port and a base path without a trailing slash. A
 * bare host name means https, and http on loopback, where certificates are rare. Errors: ADDRESS_INVALID,
 * INSECURE_ADDRESS.
 */
export const normaliseAddress = (typed: string): Result<string> => {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const bare = hasScheme ? null : URL.parse(`http://${text}`);
  const url = bare && isSafeAddress(bare) ? bare : URL.parse(hasScheme ? text : `https://${text}`);
  if (!url?.hostname || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    return err(failure('ADDRESS_INVALID', 'Enter the address of the service, for example https://share.example.org.'));
  }
  if (!isSafeAddress(url)) {
    return err(failure('INSECURE_ADDRESS', 'Use an https:// address; plain http is allowed on this computer only.'));
  }
  return ok(`${url.origin}${url.pathname.replace(/\/+$/, '')}`);
};
