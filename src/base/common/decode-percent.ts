/** Decodes the percent-encoding of an address or a part of one. Pure. */

/** Null: it is not UTF-8, or a `%` stands alone, for which `decodeURIComponent` throws. */
export const decodePercent = (text: string): string | null => {
  try {
    // biome-ignore lint/style/noRestrictedGlobals: the one place that catches what it throws
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};
