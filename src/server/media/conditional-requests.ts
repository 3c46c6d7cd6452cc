/**
 * Evaluates the conditions of media requests: If-Range, If-Match, If-None-Match, and the conditions on dates (RFC 9110,
 * 13).
 */

export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Null: unknown. `edited`: unknown, but later than any date that a client may have from an earlier version. */
  readonly lastModified: Date | 'edited' | null;
}

/** HTTP dates have whole seconds. */
const seconds = (date: Validators['lastModified']): number => {
  if (date === 'edited') return Number.POSITIVE_INFINITY;
  return date === null ? Number.NaN : Math.floor(date.getTime() / 1_000);
};

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
