/**
 * Rejects a request of HTTP/1.1 without a Host field, with several, or with a full URL as its target that names another
 * host than the Host field (see RFC 9112, section 3.2). Also reads the query of a target. Pure.
 */

const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;

/** As Node's `IncomingMessage`. */
interface RequestHead {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
}

const hostsOf = (rawHeaders: readonly string[]): readonly string[] =>
  rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.length === 4 && /^host$/i.test(rawHeaders[at - 1] ?? ''),
  );

/**
 * What the client must fix, or null. A proxy and this server may read an ambiguous request differently, so it is
 * rejected.
 */
export const hostFault = (target: string, { rawHeaders, httpVersion }: RequestHead): string | null => {
  const hosts = hostsOf(rawHeaders);
  if (hosts.length === 0 && httpVersion === '1.1') return 'is required';
  if (hosts.length > 1) return 'must be given once';
  if (target.startsWith('/') || !ABSOLUTE_FORM.test(target)) return null;
  const named = URL.parse(target);
  const host = URL.parse(`http://${hosts[0] ?? ''}`);
  const isSame = named !== null && named.username === '' && named.host === host?.host;
  return isSame ? null : 'must name the same host as the request line';
};

/** The query of a request target in any form. */
export const queryOf = (target: string): URLSearchParams => {
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
};
