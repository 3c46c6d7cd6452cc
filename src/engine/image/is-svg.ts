/**
 * Detects SVG drawings by their first element. Scans each character once, because a crafted file could slow a regular
 * expression down without bound.
 */

const HEAD_CHARACTERS = 8 * 1024;
const SVG = /^<(?:[\w-]{1,32}:)?svg[\s>/]/i;

/** What may precede the first element, by its start and end. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

export const isSvg = (head: Buffer): boolean => {
  const text = head.toString('utf8', 0, HEAD_CHARACTERS).replace(/^\uFEFF/, '');
  let at = 0;
  for (;;) {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
    const next = endOfSkipped(text, at);
    if (next === null) return SVG.test(text.slice(at, at + 64));
    if (next < 0) return false;
    at = next;
  }
};

/** Offset after a part that may be skipped; negative where it does not end, null where there is no such part. */
const endOfSkipped = (text: string, at: number): number | null => {
  if (/^<!doctype/i.test(text.slice(at, at + 9))) return endOfDoctype(text, at);
  for (const [beginning, end] of SKIPPED) {
    if (!text.startsWith(beginning, at)) continue;
    const found = text.indexOf(end, at + beginning.length);
    return found < 0 ? -1 : found + end.length;
  }
  return null;
};

/** A document type may contain declarations in brackets. */
const endOfDoctype = (text: string, at: number): number => {
  const [bracket, close] = [text.indexOf('[', at), text.indexOf('>', at)];
  if (close < 0) return -1;
  if (bracket < 0 || bracket > close) return close + 1;
  const end = text.indexOf(']', bracket);
  const after = end < 0 ? -1 : text.indexOf('>', end);
  return after < 0 ? -1 : after + 1;
};
