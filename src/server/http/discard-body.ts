/**
 * Discards the rest of the body of a refused request, so that its client gets the response. If the body takes longer
 * than a few seconds, the connection is closed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAwaitingContinue } from './expect-continue.ts';

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
