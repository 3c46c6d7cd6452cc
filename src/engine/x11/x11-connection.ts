/** A connection to an X server. Every request is answered or fails, even when the server dies. */
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import type { Answer, XClient, XDisplay, XError, XEvent, XScreen } from 'x11';
import { err, ok, type Result } from '../../api/errors.ts';
import { parseDisplayName, readCookie } from './display-address.ts';

export interface XServer {
  /** The value of `DISPLAY`, such as `:0`. */
  readonly display: string;
  /** XAUTHORITY and HOME locate the authentication cookie. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface XConnection {
  readonly display: XDisplay;
  readonly screen: XScreen;
  /**
   * Sends one request. It keeps the process alive until it is answered; an idle connection does not. Rejects with XGone
   * or an XError.
   */
  ask<T>(send: (client: XClient, answer: Answer<T>) => void): Promise<T>;
  /** Sends a raw request that the library does not support; resolves to the reply after its first eight bytes. */
  askBytes(request: Buffer): Promise<Buffer>;
  /** The major opcode of this extension; null: the server does not have it. */
  extension(name: string): Promise<number | null>;
  onEvent(listener: (event: XEvent) => void): void;
  /** Aborted when the connection ends for any reason. */
  readonly over: AbortSignal;
  close(): Promise<void>;
}

/** The connection ended before the reply. */
export class XConnectionClosed extends Error {
  override readonly name = 'XGone';
}

/** Error codes of the protocol. */
export const BAD_ACCESS = 10;
export const isXError = (error: unknown): error is XError => error instanceof Error && 'error' in error;

const CLOSE_MS = 1_000;
/** Sends the handshake in one piece, because a refusal of a partial one could not be read. All requests are small. */
const OPTIONS = { bufferRequests: true, disableBigRequests: true } as const;

/** Errors are descriptive sentences; rejects with the signal's reason. */
export const connectX = async (server: XServer, signal: AbortSignal): Promise<Result<XConnection, string>> => {
  const { display: name } = server;
  const address = parseDisplayName(name);
  if (!address) return err(`DISPLAY is ${name}, which names no screen.`);
  const auth = await readCookie(address.number, server.environment);
  // Loaded only where an X server is used.
  const { default: x11 } = await import('x11');
  signal.throwIfAborted();
  const socket = connectSocket(address.socket);
  const destroySocket = () => socket.destroy();
  signal.addEventListener('abort', destroySocket);
  try {
    const opened = await new Promise<Result<XDisplay, XError>>((answer) => {
      const client = x11.createClient({ display: name, stream: socket, auth, ...OPTIONS }, (error, display) =>
        answer(error ? err(error) : ok(display)),
      );
      // A refusal arrives here; later errors belong to a request or to the end of the connection.
      client.on('error', (error) => answer(err(error)));
    });
    signal.throwIfAborted();
    if (opened.ok) {
      const { client } = opened.value;
      // Another server, or this one after it began again, gives names other numbers than the one before.
      client.atoms = { ...client.atoms };
      return ok(wrap(opened.value, address.screen, socket));
    }
    socket.destroy();
    return err(reasonOf(opened.error, name));
  } finally {
    signal.removeEventListener('abort', destroySocket);
  }
};

const reasonOf = (error: NodeJS.ErrnoException, name: string): string => {
  if (error.code !== undefined)
    return `There is no X server at ${name} (${error.code}). Run it inside a desktop session, or set DISPLAY.`;
  const message = error.message.replace(/^X server connection failed: /, '').trim();
  return `The X server ${name} refuses Linkshot (${message}). Run it as the user of that desktop, or set XAUTHORITY.`;
};

const wrap = (display: XDisplay, screenNumber: number, socket: ReturnType<typeof connectSocket>): XConnection => {
  const { client } = display;
  const screen = display.screen[screenNumber] ?? display.screen[0];
  if (!screen) throw new Error('An X server without a screen.');
  const ended = new AbortController();
  const waiting = new Set<(error: Error) => void>();
  const end = () => {
    if (ended.signal.aborted) return;
    ended.abort();
    for (const reject of waiting) reject(new XConnectionClosed('The X server closed the connection.'));
    waiting.clear();
  };
  socket.on('close', end);
  client.on('end', () => socket.destroy());
  // The library continues after such an error, but replies may then be assigned to the wrong requests.
  client.on('error', (error) => {
    if (!isXError(error)) socket.destroy();
  });
  client.importRequestsFromTemplates(client, { Bytes: [(bytes) => bytes, (reply) => reply] });
  socket.unref();

  const ask: XConnection['ask'] = <T>(send: (client: XClient, answer: Answer<T>) => void) =>
    new Promise<T>((resolve, reject) => {
      if (ended.signal.aborted) {
        reject(new XConnectionClosed('The X server closed the connection.'));
        return;
      }
      waiting.add(reject);
      socket.ref();
      send(client, (error, value) => {
        waiting.delete(reject);
        if (waiting.size === 0) socket.unref();
        if (error) reject(error);
        else resolve(value);
        return true;
      });
    });

  return {
    display,
    screen,
    ask,
    askBytes: (request) =>
      ask<Buffer>((_, answer) =>
        (client as XClient & { Bytes(request: Buffer, answer: Answer<Buffer>): void }).Bytes(request, answer),
      ),
    async extension(name) {
      const { present, majorOpcode } = await ask<{ present: number; majorOpcode: number }>((x, answer) =>
        x.QueryExtension(name, answer),
      );
      return present ? majorOpcode : null;
    },
    onEvent: (listener) => void client.on('event', listener),
    over: ended.signal,
    async close() {
      if (ended.signal.aborted) return;
      const closed = once(ended.signal, 'abort');
      client.terminate();
      // Does not wait for a server that does not respond.
      const timeout = setTimeout(() => socket.destroy(), CLOSE_MS);
      await closed;
      clearTimeout(timeout);
    },
  };
};
