/** Compares paths in the order of their UTF-8 bytes. Pure. */

/** Compares by code point, which is the order of UTF-8 bytes; JavaScript's own order differs beyond U+FFFF. */
export const comparePaths = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
    if (isHigh(x) !== isHigh(y)) return isHigh(x) ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
};
