/**
 * The key that the browser host creates at each start: how its page gets it, and how the page sends it back, whole when
 * it opens the WebSocket and with the bytes of files, and half of it in the URLs of pictures and videos. Pure.
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
