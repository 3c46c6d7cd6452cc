/** Sends one request byte by byte over its own connection: for requests that no HTTP client would send. */
import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const LONGEST_WAIT_MS = 60_000;

/**
 * Sends `bytes` and reads to the end of the connection; with `after: 'leave'` the client says that nothing follows, which
 * ends a request that is not whole. Null when the server ended it without an answer; rejects when it does neither.
 */
export const exchange = (
  url: string,
  bytes: Buffer,
  { after }: { readonly after: 'listen' | 'leave' },
): Promise<RawReply | null> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const limit = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`No end after ${LONGEST_WAIT_MS} ms; so far: ${Buffer.concat(chunks).toString('latin1', 0, 500)}`),
      );
    }, LONGEST_WAIT_MS);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses a body may reset the connection after its answer.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(limit);
      resolve(parse(Buffer.concat(chunks).toString('latin1')));
    });
    if (after === 'leave') socket.end(bytes);
    else socket.write(bytes);
  });

const parse = (text: string): RawReply | null => {
  const answer = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const named = Object.fromEntries(headers);
  const body = answer.slice(end + 4);
  const length = Number(named['content-length'] ?? body.length);
  return { status: Number(first.split(' ')[1]), headers: named, body: body.slice(0, length) };
};
