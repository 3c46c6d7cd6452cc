/** Raw HTTP over a bare socket, for what client libraries do not send: half bodies, wrong lengths, silence. */
import { connect, type Socket } from 'node:net';

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawRequest {
  readonly socket: Socket;
  /** The first complete response; rejects when the connection closes first. */
  readonly answer: Promise<RawAnswer>;
  /** Resolves when the server has read the head; for requests with `expect: 100-continue`. */
  readonly begun: Promise<void>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  send(bytes: string | Uint8Array): void;
}

const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/;

/** Opens a connection to `url` and sends a request head; the caller sends the body. */
export const rawRequest = (url: string, requestLine: string, headers: Readonly<Record<string, string>>): RawRequest => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (CONTINUE.test(text)) begin();
      const parsed = parse(text.replace(CONTINUE, ''));
      if (parsed !== null) resolve(parsed);
    });
    socket.once('close', () => reject(new Error(`The connection ended after: ${text}`)));
    socket.once('error', reject);
  });
  answer.catch(() => {});
  socket.on('error', () => {});
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`${requestLine} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return { socket, answer, begun, closed, send: (bytes) => void socket.write(bytes) };
};

const parse = (text: string): RawAnswer | null => {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return null;
  return { status: Number(first.split(' ')[1]), headers, body };
};
