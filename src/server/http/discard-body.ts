/**
 * Discards unwanted request bodies: a refused client gets its response while it is still sending, for a limited time.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const DISCARD_MS = 5_000;

/**
 * After the response, reads and discards the rest of the body for a few seconds, then closes the connection. Until then
 * the connection is only half-closed: unread bytes would reset it, and Windows drops a response that a reset overtakes.
 */
export const discardBody = (request: FastifyRequest, reply: FastifyReply): void => {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  const { socket } = raw;
  if (isAwaitingContinue(request)) reply.header('connection', 'close');
  // Node calls this after a response with `Connection: close`.
  socket.destroySoon = () => void socket.end();
  let cut: NodeJS.Timeout | undefined;
  reply.raw.once('finish', () => {
    if (raw.complete || raw.destroyed) return;
    raw.resume();
    cut = setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  });
  // The body was read completely, or the connection was closed.
  raw.once('close', () => {
    clearTimeout(cut);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (socket.writableEnded) socket.destroySoon();
  });
};

const awaiting = new WeakSet<object>();

/** `Expect: 100-continue` was sent: the client waits for `inviteBody` before it sends the body. */
export const holdBody = (raw: object): void => {
  awaiting.add(raw);
};

const isAwaitingContinue = (request: FastifyRequest): boolean => awaiting.has(request.raw);

/** Asks a client that waits for it (`Expect: 100-continue`) to send the body. */
export const inviteBody = (request: FastifyRequest, reply: FastifyReply): void => {
  if (awaiting.delete(request.raw)) reply.raw.writeContinue();
};
