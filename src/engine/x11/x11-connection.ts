/**
 * Connects to an X server, and parses display names and access cookies for that. Every request is answered or fails,
 * even when the server dies.
 */
import { readFile } from 'node:fs/promises';
import { connect as connectSocket, type NetConnectOpts } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Answer, XClient, XDisplay, XError, XEvent, XScreen } from 'x11';
import { err, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';

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
   * Sends one request. It keeps the process alive until it is answered; an idle connection does not. Rejects with
   * XConnectionClosed or an XError.
   */
  ask<T>(send: (client: XClient, answer: Answer<T>) => void): Promise<T>;
  /** Sends a raw request that the library does not support; resolves to the reply after its first eight bytes. */
  askBytes(request: Buffer): Promise<Buffer>;
  /** Sends a raw request that has no reply; resolves when the server has handled it. */
  sendBytes(request: Buffer): Promise<void>;
  /**
   * Sends a raw request that is answered again and again, each time with the second byte of the reply and what follows
   * its first eight; false ends it. One per connection. Resolves at the end.
   */
  stream(request: Buffer, onReply: (detail: number, reply: Buffer) => boolean): Promise<void>;
  /** The major opcode of this extension; null: the server does not have it. */
  extension(name: string): Promise<number | null>;
  onEvent(listener: (event: XEvent) => void): void;
  /** Aborted when the connection ends for any reason. */
  readonly over: AbortSignal;
  close(): Promise<void>;
}

/** The connection ended before the reply. */
export class XConnectionClosed extends Error {
  override readonly name = 'XConnectionClosed';
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
  const unfollow = onAbort(signal, () => socket.destroy());
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
    unfollow();
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
  let onStreamed: (detail: number, reply: Buffer) => boolean = () => false;
  client.importRequestsFromTemplates(client, {
    Bytes: [(bytes) => bytes, (reply) => reply],
    SendBytes: [(bytes) => bytes],
    Stream: [(bytes) => bytes, (reply, detail) => onStreamed(detail, reply) || undefined, true],
  });
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
    async sendBytes(request) {
      await ask<unknown>((_, answer) =>
        (client as XClient & { SendBytes(request: Buffer, answer: Answer<unknown>): void }).SendBytes(request, answer),
      );
    },
    async stream(request, onReply) {
      onStreamed = onReply;
      await ask<unknown>((_, answer) =>
        (client as XClient & { Stream(request: Buffer, answer: Answer<unknown>): void }).Stream(request, answer),
      );
    },
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
      const closed = new Promise<void>((resolve) => onAbort(ended.signal, resolve));
      client.terminate();
      // Does not wait for a server that does not respond.
      const timeout = setTimeout(() => socket.destroy(), CLOSE_MS);
      await closed;
      clearTimeout(timeout);
    },
  };
};

// Parses `DISPLAY` to the address of an X server, and finds the cookie for its authentication.

interface XAddress {
  readonly number: string;
  readonly screen: number;
  readonly socket: NetConnectOpts;
}

/** `:0`, `:1.0`, `unix:0`, `host:10.0`; null: invalid. */
export const parseDisplayName = (display: string): XAddress | null => {
  const [, host = '', number, screen] = /^([^/:]*):(\d{1,5})(?:\.(\d{1,3}))?$/.exec(display) ?? [];
  if (number === undefined) return null;
  const socket =
    host === '' || host === 'unix' ? { path: `/tmp/.X11-unix/X${number}` } : { host, port: 6000 + Number(number) };
  return { number, screen: Number(screen ?? 0), socket };
};

interface Cookie {
  readonly name: string;
  readonly data: string;
}

const NO_COOKIE: Cookie = { name: '', data: '' };
const FAMILY_WILD = 65_535;

/** The cookie for display `number`: of this host, else any for this number, because the host name may have changed. */
export const findCookie = (authority: Buffer, number: string, host: string): Cookie => {
  let offset = 0;
  const short = (): number => {
    const value = offset + 2 <= authority.length ? authority.readUInt16BE(offset) : 0;
    offset += 2;
    return value;
  };
  const text = (): string => {
    const length = short();
    offset += length;
    return authority.toString('latin1', offset - length, offset);
  };
  let other: Cookie | null = null;
  while (offset < authority.length) {
    const family = short();
    const [address, display, name, data] = [text(), text(), text(), text()];
    // Ignores a truncated last entry.
    if (offset > authority.length) break;
    if (display !== '' && display !== number) continue;
    if (family === FAMILY_WILD || address === host) return { name, data };
    other ??= { name, data };
  }
  return other ?? NO_COOKIE;
};

/** Empty without a file or an entry: many servers admit their own user without a cookie. */
const readCookie = async (
  number: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Cookie> => {
  const { XAUTHORITY, HOME } = environment;
  const path = XAUTHORITY || (HOME && join(HOME, '.Xauthority'));
  if (!path) return NO_COOKIE;
  return readFile(path).then(
    (authority) => findCookie(authority, number, hostname()),
    () => NO_COOKIE,
  );
};
