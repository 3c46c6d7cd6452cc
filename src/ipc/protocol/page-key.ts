/** How the page of the browser host gets the key of the run and shows it with each request. Pure. */

/** The address that is printed ends with `#key=...`: browsers send no fragment to any server. */
export const KEY_FRAGMENT = '#key=';
/** Header of a request that brings bytes of a file. */
export const KEY_HEADER = 'x-linkshot-key';
/** The WebSocket offers this protocol and `key.` with the key; the host selects this one. */
export const PAGE_PROTOCOL = 'linkshot';
export const KEY_PROTOCOL_PREFIX = 'key.';

/** The half of the key that the addresses of pictures and videos contain. It permits no command. */
export const mediaKeyOf = (key: string): string => key.slice(Math.floor(key.length / 2));
