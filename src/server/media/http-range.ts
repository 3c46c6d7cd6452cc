/** Byte ranges and validators of media responses (RFC 9110, 13 and 14). Pure. */

export type ByteRange =
  /** No Range, several ranges, another unit or a malformed one: the whole representation. */
  | { readonly kind: 'whole' }
  /** `end` is inclusive. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;
const WHOLE: ByteRange = { kind: 'whole' };
const UNSATISFIABLE: ByteRange = { kind: 'unsatisfiable' };

/** Parses a Range header for `size` bytes. */
export const parseRange = (header: string | undefined, size: number): ByteRange => {
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

export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Null: unknown. */
  readonly lastModified: Date | null;
}

/** HTTP dates have whole seconds. */
const seconds = (date: Date | null): number => (date === null ? Number.NaN : Math.floor(date.getTime() / 1_000));

/** Whether a Range applies: an If-Range must match strongly, so a weak tag never does. */
export const ifRangeMatches = (header: string | undefined, { etag, lastModified }: Validators): boolean => {
  if (header === undefined) return true;
  const value = header.trim();
  if (value.startsWith('"') || value.startsWith('W/')) return value === etag;
  return Math.floor(Date.parse(value) / 1_000) === seconds(lastModified);
};

/**
 * Whether the preconditions hold (else 412). If-Match compares strongly and takes precedence over If-Unmodified-Since.
 */
export const isAsRequired = (
  headers: { readonly 'if-match'?: string | undefined; readonly 'if-unmodified-since'?: string | undefined },
  { etag, lastModified }: Validators,
): boolean => {
  const tags = headers['if-match'];
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim() === etag);
  const since = headers['if-unmodified-since'];
  // An unparsable or incomparable date is ignored.
  return since === undefined || !(Math.floor(Date.parse(since) / 1_000) < seconds(lastModified));
};

/**
 * Whether the client's copy is still valid (304). If-None-Match compares weakly and takes precedence over
 * If-Modified-Since.
 */
export const isUnchanged = (
  headers: { readonly 'if-none-match'?: string | undefined; readonly 'if-modified-since'?: string | undefined },
  { etag, lastModified }: Validators,
): boolean => {
  const tags = headers['if-none-match'];
  if (tags !== undefined)
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const since = headers['if-modified-since'];
  return since !== undefined && Math.floor(Date.parse(since) / 1_000) >= seconds(lastModified);
};
