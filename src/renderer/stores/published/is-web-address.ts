/** Checks that an address is a web address: only those are made clickable. */

/** A share page has one. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
