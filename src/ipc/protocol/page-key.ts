/**
 * Defines how a page authenticates to the browser host with the key that the host creates at each start: the URL
 * fragment that delivers the key, the request header and the WebSocket protocol that send it back. URLs of pictures and
 * videos contain only half of the key, and that half permits no commands. Pure.
 */

/** The printed address ends with `#key=...`: browsers send fragments to no server. */
export const KEY_FRAGMENT = '#key=';
/** Header of a request that carries bytes of a file. */
export const KEY_HEADER = 'x-linkshot-key';
/** The WebSocket offers this protocol and `key.` with the key; the host selects this one. */
export const PAGE_PROTOCOL = 'linkshot';
export const KEY_PROTOCOL_PREFIX = 'key.';

/** The half of the key that the URLs of pictures and videos contain. It permits no command. */
export const mediaKeyOf = (key: string): string => key.slice(Math.floor(key.length / 2));
