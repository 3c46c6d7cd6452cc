/** Parses Range headers with one range of bytes (RFC 9110, 14.1.2); players request no more than one. Pure. */

export type ByteRange =
  /** No Range, several ranges, another unit or a malformed one: the whole representation. */
  | { readonly kind: 'whole' }
  /** `end` is inclusive. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;
const WHOLE: ByteRange = { kind: 'whole' };
const UNSATISFIABLE: ByteRange = { kind: 'unsatisfiable' };

/** Parses the Range header of a request for `size` bytes. Blanks around the one range are accepted, as in a list. */
export const parseRange = (header: string | null | undefined, size: number): ByteRange => {
  const [, first = '', last = ''] = SINGLE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return WHOLE;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? UNSATISFIABLE : { kind: 'part', start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return WHOLE;
  if (start >= size) return UNSATISFIABLE;
  return { kind: 'part', start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
};
