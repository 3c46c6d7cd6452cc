/** Creates a random id, such as of one run of text recognition (a reading). Also works on a page without HTTPS. */

export const newRandomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
