/**
 * Request bodies that nobody wants: a refused client gets its answer even while it is still sending, but it may not
 * keep the server reading for long.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const DISCARD_MS = 5_000;

/**
 * Once the answer is out, reads the rest of the body into nothing for a few seconds, then cuts the connection. A connection
 * that is to be closed is closed for writing only until then: unread bytes would reset it, and Windows drops an answer that
 * a reset overtakes.
 */
export const discardBody = (request: FastifyRequest, reply: FastifyReply): void => {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  const { socket } = raw;
  if (isAwaitingContinue(request)) reply.header('connection', 'close');
  // Node calls this after an answer with `Connection: close`.
  socket.destroySoon = () => void socket.end();
  let cut: NodeJS.Timeout | undefined;
  reply.raw.once('finish', () => {
    if (raw.complete || raw.destroyed) return;
    raw.resume();
    cut = setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  });
  // The body has been read to its end, or the connection has ended.
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

/** Tells a client that waits for it (`Expect: 100-continue`) to send the body. */
export const inviteBody = (request: FastifyRequest, reply: FastifyReply): void => {
  if (awaiting.delete(request.raw)) reply.raw.writeContinue();
};
