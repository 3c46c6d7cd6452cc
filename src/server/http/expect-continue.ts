/** Delays and sends `100 Continue`, for which a client with `Expect: 100-continue` waits before it sends its body. */
import type { FastifyReply, FastifyRequest } from 'fastify';

const awaiting = new WeakSet<object>();

/** `Expect: 100-continue` was sent: the client waits for `inviteBody` before it sends the body. */
export const holdBody = (raw: object): void => {
  awaiting.add(raw);
};

/** Whether the client still waits to be asked for the body. */
export const isAwaitingContinue = (request: FastifyRequest): boolean => awaiting.has(request.raw);

/** Asks a client that waits for it (`Expect: 100-continue`) to send the body. */
export const inviteBody = (request: FastifyRequest, reply: FastifyReply): void => {
  if (awaiting.delete(request.raw)) reply.raw.writeContinue();
};
