/**
 * Tracks every request in flight, from its header to the last byte of its body and its response, and counts those of
 * each network. Ends requests whose client sends or reads too slowly, with shorter limits while the server stops. A
 * timer checks them at least once a second, so that an arriving byte costs nothing.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerConfig } from '../config/config.ts';
import type { Network, Networks } from '../limits/address-networks.ts';
import { ProblemError } from '../problem-details.ts';

// Decides whether a request body arrives fast enough, and whether a client still reads its response. Pure.

/** `whole`: a small body, which has one time limit. `steady`: parts and files, which need a minimum rate. */
type BodyKind = 'whole' | 'steady';

interface PaceLimits {
  /** Concurrent requests of one network. */
  readonly atOnce: number;
  readonly wholeMs: number;
  readonly graceMs: number;
  readonly bytesPerMs: number;
  readonly readStallMs: number;
  /** In a drain a response must be read, and a body must progress, within these times. */
  readonly drainReadMs: number;
  readonly drainBodyMs: number;
  /** Even a client that reads does not delay a stop longer than this. */
  readonly drainDownloadMs: number;
}

export const paceLimits = ({ limits }: ServerConfig): PaceLimits => ({
  atOnce: limits.connectionsPerAddress,
  wholeMs: limits.requestSeconds * 1_000,
  graceMs: limits.bodyGraceSeconds * 1_000,
  bytesPerMs: limits.bodyBytesPerSecond / 1_000,
  readStallMs: limits.readStallSeconds * 1_000,
  drainReadMs: limits.drainReadSeconds * 1_000,
  drainBodyMs: limits.drainBodySeconds * 1_000,
  drainDownloadMs: limits.drainDownloadSeconds * 1_000,
});

/** Whether a body exceeds its limit after `bytes` in `elapsedMs`. */
export const isTooSlow = (kind: BodyKind, bytes: number, elapsedMs: number, limits: PaceLimits): boolean =>
  kind === 'whole' ? elapsedMs > limits.wholeMs : elapsedMs > limits.graceMs && bytes < limits.bytesPerMs * elapsedMs;

/** A growing byte count, and when it last grew. */
interface ByteProgress {
  readonly count: number;
  readonly at: number;
}

export const progressed = (before: ByteProgress, count: number, now: number): ByteProgress =>
  count === before.count ? before : { count, at: now };

/** Emitted on a request whose body is too slow, with the error to send. Without a listener the connection is cut. */
export const TOO_SLOW = Symbol('too slow');

const LOOK_MS = 1_000;
const LOOK_LEAST_MS = 20;
/** How long a client may still send after its response. */
const AFTER_ANSWER_MS = 5_000;

const READS = new Set(['GET', 'HEAD']);

interface Entry {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly startedAt: number;
  readonly startedWith: number;
  kind: BodyKind;
  networks: Networks | null;
  /** When the response ended or the body was refused; from then on the rest of the body has little time. */
  overAt: number | null;
  /** Null until the first check: most requests end earlier. */
  received: ByteProgress | null;
  sent: ByteProgress | null;
  /** Bytes received at the last check of a drain. */
  drained: ByteProgress | null;
}

export interface SocketUse {
  begin(socket: Socket): void;
  end(socket: Socket): void;
}

export interface InFlight {
  add(request: IncomingMessage, response: ServerResponse): void;
  /** Sets what is known once the route is. False: too many requests of its network are in flight. */
  setRoute(response: ServerResponse, facts: { readonly kind: BodyKind; readonly networks: Networks }): boolean;
  /** How long the client has read nothing of the pending output; 0 without any. */
  unreadMs(response: ServerResponse): number;
  /** Resolves when no request is in flight, or after `limitMs`; from now on stalled requests are cut soon. */
  drain(limitMs: number): Promise<void>;
  size(): number;
  close(): void;
}

export const createInFlight = (limits: PaceLimits, use: SocketUse): InFlight => {
  const entries = new Map<ServerResponse, Entry>();
  const perNetwork = new Map<Network, number>();
  let draining: { readonly since: number; readonly isEmpty: () => void } | null = null;

  const remove = (entry: Entry): void => {
    if (!entries.delete(entry.response)) return;
    use.end(entry.socket);
    for (const { network } of entry.networks ?? []) count(network, -1);
    if (entries.size === 0) draining?.isEmpty();
  };

  const count = (network: Network, change: 1 | -1): number => {
    const next = (perNetwork.get(network) ?? 0) + change;
    if (next > 0) perNetwork.set(network, next);
    else perNetwork.delete(network);
    return next;
  };

  const add = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const entry: Entry = {
      request,
      response,
      socket,
      startedAt: performance.now(),
      startedWith: socket.bytesRead,
      kind: 'whole',
      networks: null,
      overAt: null,
      received: null,
      sent: null,
      drained: null,
    };
    entries.set(response, entry);
    use.begin(socket);
    // Fires exactly once, after the response or when the client disconnects.
    response.on('close', () => {
      if (request.complete || socket.destroyed) remove(entry);
      else entry.overAt ??= performance.now();
    });
  };

  const lookAtBody = (entry: Entry, now: number): void => {
    const { request, socket, kind, startedAt, startedWith } = entry;
    const received = progressed(receivedOf(entry), socket.bytesRead, now);
    entry.received = received;
    if (request.complete) return;
    if (entry.overAt !== null) {
      if (now - entry.overAt > AFTER_ANSWER_MS) socket.destroy();
    } else if (isTooSlow(kind, entry.received.count - startedWith, now - startedAt, limits)) {
      entry.overAt = now;
      if (!request.emit(TOO_SLOW, tooSlow())) socket.destroy();
    } else if (draining !== null && hasStopped(entry, received, now)) {
      socket.destroy();
    }
  };

  /** In a drain a body must keep the minimum rate between checks: single bytes would delay the stop. */
  const hasStopped = (entry: Entry, received: ByteProgress, now: number): boolean => {
    if (now - received.at > limits.drainBodyMs) return true;
    entry.drained ??= { count: received.count, at: now };
    if (now - entry.drained.at < limits.drainBodyMs) return false;
    const isSlow = received.count - entry.drained.count < limits.bytesPerMs * limits.drainBodyMs;
    entry.drained = { count: received.count, at: now };
    return isSlow;
  };

  const lookAtAnswer = (entry: Entry, now: number): void => {
    const { socket } = entry;
    const sent = socket.writableLength === 0 ? { count: 0, at: now } : progressed(sentBy(entry), sentOf(socket), now);
    entry.sent = sent;
    const limitMs = draining === null ? limits.readStallMs : Math.min(limits.readStallMs, limits.drainReadMs);
    const isOverdue =
      draining !== null && now - draining.since > limits.drainDownloadMs && READS.has(entry.request.method ?? '');
    if (isOverdue || now - sent.at > limitMs) socket.destroy();
  };

  const look = (): void => {
    const now = performance.now();
    for (const entry of entries.values()) {
      if (entry.overAt !== null && (entry.request.complete || entry.socket.destroyed) && entry.response.closed) {
        remove(entry);
        continue;
      }
      lookAtBody(entry, now);
      lookAtAnswer(entry, now);
    }
  };

  const { wholeMs, graceMs, readStallMs, drainReadMs, drainBodyMs, drainDownloadMs } = limits;
  const quarters = [wholeMs / 4, graceMs / 4, readStallMs / 4];
  const everyMs = Math.max(LOOK_LEAST_MS, Math.min(LOOK_MS, ...quarters, drainReadMs, drainBodyMs, drainDownloadMs));
  const timer = setInterval(look, everyMs).unref();

  return {
    add,
    setRoute: (response, { kind, networks }) => {
      const entry = entries.get(response);
      if (entry === undefined) return true;
      entry.kind = kind;
      entry.networks = networks;
      return networks.map(({ network, factor }) => count(network, 1) <= limits.atOnce * factor).every(Boolean);
    },
    unreadMs: (response) => {
      const entry = entries.get(response);
      if (entry === undefined || entry.socket.writableLength === 0) return 0;
      const { count, at } = sentBy(entry);
      return sentOf(entry.socket) === count ? performance.now() - at : 0;
    },
    drain: async (limitMs) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      draining = { since: performance.now(), isEmpty: resolve };
      if (entries.size === 0) return;
      const limit = setTimeout(resolve, limitMs);
      look();
      await promise;
      clearTimeout(limit);
    },
    size: () => entries.size,
    close: () => clearInterval(timer),
  };
};

const receivedOf = ({ received, startedAt, startedWith }: Entry): ByteProgress =>
  received ?? { count: startedWith, at: startedAt };

const sentBy = ({ sent, startedAt }: Entry): ByteProgress => sent ?? { count: 0, at: startedAt };

/**
 * Grows with every byte that the operating system has accepted. Node exposes the rest of the current write only through
 * its handle.
 */
const sentOf = (socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number =>
  socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0);

const tooSlow = (): ProblemError =>
  new ProblemError('UPLOAD_STALLED', 'The body arrived too slowly; send the request again on a faster line.', {
    connection: 'close-after-answer',
  });
