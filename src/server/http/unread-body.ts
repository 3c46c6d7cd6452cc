/**
 * Request bodies that nobody wants: a refused client gets its answer even while it is still sending, but it may not
 * keep the server reading for long.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const DISCARD_MS = 5_000;

/** Once the answer is out, reads the rest of the body into nothing for a few seconds, then cuts the connection. */
export const discardBody = (request: FastifyRequest, reply: FastifyReply): void => {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  if (isAwaitingContinue(request)) reply.header('connection', 'close');
  reply.raw.once('finish', () => {
    if (raw.complete || raw.destroyed) return;
    raw.resume();
    const cut = setTimeout(() => raw.socket.destroy(), DISCARD_MS).unref();
    raw.once('close', () => clearTimeout(cut));
  });
};

const awaiting = new WeakSet<object>();

/** `Expect: 100-continue` was sent: the client waits for `inviteBody` before it sends the body. */
export const holdBody = (raw: object): void => {
  awaiting.add(raw);
};

const isAwaitingContinue = (request: FastifyRequest): boolean => awaiting.has(request.raw);

/** Tells a client that waits for it (`Expect: 100-continue`) to send the body. */
export const inviteBody = (request: FastifyRequest, reply: FastifyReply): void => {
  if (awaiting.delete(request.raw)) reply.raw.writeContinue();
};
