/** Many raw clients that block a server: silent ones, slow ones, and ones that do not read. */
import { connect, type Socket } from 'node:net';

export interface CrowdMember {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** Resolves with everything received when the connection is closed. */
  readonly closed: Promise<string>;
  /** Stops reading; `read` continues. */
  pause(): void;
  read(): void;
}

/** Opens a connection and sends `bytes`. */
export const join = (url: string, bytes: string, localAddress?: string): CrowdMember => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress !== undefined && { localAddress }) });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  if (bytes !== '') socket.write(bytes);
  return { socket, closed, text: () => text, pause: () => void socket.pause(), read: () => void socket.resume() };
};

/** A request head with its end. */
export const head = (url: string, line: string, headers: Readonly<Record<string, string>> = {}): string =>
  `${[`${line} HTTP/1.1`, `host: ${new URL(url).host}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;

/** Sends a byte repeatedly until the connection is closed. */
export const drip = ({ socket }: CrowdMember, everyMs = 20): void => {
  const timer = setInterval(() => socket.writable && socket.write('a'), everyMs).unref();
  socket.once('close', () => clearInterval(timer));
};
