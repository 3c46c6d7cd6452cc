/** Removes the byte order mark that programs of Windows write before a text. Pure. */

/** Decoding by `Buffer` keeps the mark; `TextDecoder` drops it. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\ufeff/, '');
