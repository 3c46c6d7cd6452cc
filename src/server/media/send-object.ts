/**
 * Sends stored bytes to clients: the only path from an object to a response. A transfer takes a download slot, and it
 * ends with the access it started with: after a deletion, a change of access, a hold, a ban or the end of a key.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createAuthenticator } from '../accounts/authenticate.ts';
import { createReadVersion } from '../database.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';
import type { ObjectId } from '../storage/object-store.ts';

/** After a change in the database, access is checked within this time ... */
const LOOK_MS = 1_000;
/** ... and without one, because access also expires, within this one. */
const LOOK_AGAIN_MS = 3_000;

interface Sending {
  readonly objectId: ObjectId;
  /** `end` is inclusive. */
  readonly range: { readonly start: number; readonly end: number };
  /** Decides for the current state of authentication. A `ProblemError` also ends the transfer. */
  readonly isStillAllowed: () => boolean;
}

export interface Transfers {
  /** Waits for a download slot; call it before the response has headers. Throws RATE_LIMITED, UPLOAD_SERVER_BUSY. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Sends the bytes. A transfer that ends early closes the connection, so that the client notices. */
  send(request: FastifyRequest, reply: FastifyReply, sending: Sending): FastifyReply;
  /** Active transfers. */
  open(): number;
  close(): void;
}

interface Open {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly isStillAllowed: () => boolean;
  version: number;
  lookedAt: number;
}

export const createTransfers = (deps: ServerDeps): Transfers => {
  const { objects, database, reading, log } = deps;
  const authenticate = createAuthenticator(deps);
  const readVersion = createReadVersion(database);
  const transfers = new Set<Open>();

  const mayGoOn = ({ request, isStillAllowed }: Open): boolean => {
    try {
      request.requester = authenticate(request);
      return isStillAllowed();
    } catch (error) {
      if (error instanceof ProblemError) return false;
      log(`Looking at the access of a transfer failed and will be tried again: ${String(error)}`, { level: 'warn' });
      return true;
    }
  };

  const look = (): void => {
    if (transfers.size === 0) return;
    const version = readVersion();
    const now = performance.now();
    for (const transfer of transfers) {
      if (transfer.version === version && now - transfer.lookedAt < LOOK_AGAIN_MS) continue;
      transfer.version = version;
      transfer.lookedAt = now;
      if (!mayGoOn(transfer)) transfer.reply.raw.destroy();
    }
  };

  const timer = setInterval(look, LOOK_MS).unref();

  return {
    admit: (request, reply) => reading.take(request, reply),
    send: (request, reply, { objectId, range, isStillAllowed }) => {
      const aborted = new AbortController();
      // The first check is soon: access may have ended while this waited for a slot.
      const transfer = { request, reply, isStillAllowed, version: -1, lookedAt: performance.now() };
      transfers.add(transfer);
      reply.raw.once('close', () => {
        transfers.delete(transfer);
        aborted.abort();
      });
      return reply.send(objects.read(objectId, range, aborted.signal));
    },
    open: () => transfers.size,
    close: () => clearInterval(timer),
  };
};
