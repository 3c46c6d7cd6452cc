/** Sends JSON that is already serialized, for frequent requests with rarely changing responses. */

import type { FastifyReply } from 'fastify';

/** `json` is the text of what the route's reply schema describes. */
export const sendSerializedJson = (reply: FastifyReply, json: string): void => {
  reply.header('content-type', 'application/json; charset=utf-8').send(json);
};
