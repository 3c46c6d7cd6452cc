/**
 * Sends the bytes of stored objects to clients, once a download slot is free (`admit`). Access is checked every few
 * seconds during a transfer, and the connection is closed when access has ended.
 */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { onAbort } from '../../base/common/on-abort.ts';
import { createAuthenticator } from '../accounts/authenticate.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem-details.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { timerDelay } from '../timer-delay.ts';

/** After a change in the database, access is checked in a third of `limits.accessCheckSeconds`; 20 ms at least. */
const LOOK_LEAST_MS = 20;

export interface Sending {
  /** From `read`. */
  readonly bytes: Readable;
  /** How many they are. */
  readonly length: number;
  /** Aborts when the response has ended (`closedSignal`). */
  readonly closed: AbortSignal;
  /** Decides for the current state of authentication. A `ProblemError` also ends the transfer. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** When the access ends in any case, in milliseconds since 1970-01-01 UTC. */
  readonly endsAt: number | null;
}

export interface Transfers {
  /** Waits for a download slot; call it before the response has headers. Throws RATE_LIMITED, UPLOAD_SERVER_BUSY. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * Starts to read bytes of an object; `end` is inclusive. Call it before the response has headers: it rejects when no
   * byte can be read, such as after the object was removed.
   */
  read(
    objectId: ObjectId,
    range: { readonly start: number; readonly end: number },
    closed: AbortSignal,
  ): Promise<Readable>;
  /** Sends the bytes. A transfer that ends early closes the connection, so that the client notices. */
  send(request: FastifyRequest, reply: FastifyReply, sending: Sending): FastifyReply;
  /** Active transfers. */
  open(): number;
  close(): void;
}

interface Open {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly isStillAllowed: () => Promise<boolean>;
  version: number | null;
  lookedAt: number;
  /** Bytes that the response does not have yet. */
  left: number;
}

/**
 * Ends a transfer that may not go on. One whose bytes have all left this process is over for its client, which may have
 * sent the next request on the same connection, while the response still waits for its file to be closed.
 */
const cut = ({ reply: { raw }, left }: Open): void => {
  if (left > 0 || raw.writableLength > 0) raw.destroy();
};

export const createTransfers = (deps: ServerDeps): Transfers => {
  const { objects, records, reading, log, config, clock } = deps;
  /** Without a change too, because access also expires. */
  const lookAgainMs = config.limits.accessCheckSeconds * 1_000;
  const authenticate = createAuthenticator(deps);
  const transfers = new Set<Open>();

  const mayGoOn = async ({ request, isStillAllowed }: Open): Promise<boolean> => {
    try {
      request.requester = await authenticate(request);
      return await isStillAllowed();
    } catch (error) {
      if (error instanceof ProblemError) return false;
      log(`Looking at the access of a transfer failed and will be tried again: ${String(error)}`, { level: 'warn' });
      return true;
    }
  };

  const look = async (): Promise<void> => {
    if (transfers.size === 0) return;
    const version = records.version();
    const now = performance.now();
    for (const transfer of transfers) {
      if (version !== null && transfer.version === version && now - transfer.lookedAt < lookAgainMs) continue;
      transfer.version = version;
      transfer.lookedAt = now;
      if (!(await mayGoOn(transfer))) cut(transfer);
    }
  };

  let isLooking = false;
  const timer = setInterval(
    () => {
      if (isLooking) return;
      isLooking = true;
      look()
        .catch((error: unknown) => log(`Looking at the transfers failed: ${String(error)}`, { level: 'warn' }))
        .finally(() => {
          isLooking = false;
        });
    },
    Math.max(LOOK_LEAST_MS, lookAgainMs / 3),
  ).unref();

  return {
    admit: (request, reply) => reading.take(request, reply),
    read: async (objectId, range, closed) => {
      const bytes = objects.read(objectId, range, closed);
      // Until they are sent nobody else listens, and the client may go.
      bytes.on('error', () => {});
      await once(bytes, 'readable');
      return bytes;
    },
    send: (request, reply, { bytes, length, closed, isStillAllowed, endsAt }) => {
      if (closed.aborted) return reply.hijack();
      // The first check is soon: access may have ended in that time too.
      const transfer = { request, reply, isStillAllowed, version: -1, lookedAt: performance.now(), left: length };
      transfers.add(transfer);
      const end = endsAt === null ? undefined : setTimeout(() => cut(transfer), timerDelay(endsAt - clock.now()));
      onAbort(closed, () => {
        transfers.delete(transfer);
        clearTimeout(end);
      });
      // Fastify pipes them; to listen earlier would start them before the response has its headers.
      reply.raw.once('pipe', (source: Readable) => {
        source.on('data', (chunk: Buffer) => {
          transfer.left -= chunk.length;
        });
      });
      return reply.send(bytes);
    },
    open: () => transfers.size,
    close: () => clearInterval(timer),
  };
};
