/** Parses the one range of bytes that a request asks for (RFC 9110, 14.1.2); players ask for only one. */

export interface ByteRange {
  readonly first: number;
  /** The last byte, inclusive. */
  readonly last: number;
}

/** Null: the whole file. `unsatisfiable`: it begins beyond the end. */
export const byteRangeOf = (header: string | null, size: number): ByteRange | 'unsatisfiable' | null => {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  // Reversed ends: not a valid range.
  if (from !== '' && to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
};
