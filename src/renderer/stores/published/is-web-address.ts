/** Checks whether an address is a web address (http or https): only such an address becomes a link or is opened. */

/** A share page has one. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
