/**
 * Converts a row of the endpoint table into the options of a Fastify route, so that every path and shape is defined
 * once. Also defines the type of the server's Fastify instance (`App`) and the flags of a route, and sends replies that
 * are already serialized as JSON.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
// Adds `summary` to schemas.
import type {} from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, RawServerDefault } from 'fastify';
import type { TSchema } from 'typebox';
import type { Endpoint } from '../../api/endpoints/endpoint.ts';

/** The server's Fastify instance. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Makes the pipeline check key, scope and budget. Without it a route serves guests. */
    endpoint?: Endpoint;
    /** Without a request budget; no key is checked. */
    unmetered?: true;
    /** The handler reads the body itself, after checks that must precede the first byte. */
    readsOwnBody?: true;
    /** Is answered after a stop was requested too. */
    whileStopping?: true;
  }
}

type SchemaOf<E extends Endpoint> = (E extends { params: infer S extends TSchema } ? { params: S } : unknown) &
  (E extends { query: infer S extends TSchema } ? { querystring: S } : unknown) &
  (E extends { headers: infer S extends TSchema } ? { headers: S } : unknown) &
  (E extends { body: infer S extends TSchema } ? { body: S } : unknown) & { summary: string };

/** `app.route({ ...routeOf(API.readAccount), handler })`: the table validates and types the request. */
export const routeOf = <const E extends Endpoint>(endpoint: E) => ({
  method: endpoint.method,
  url: endpoint.path,
  config: { endpoint },
  schema: {
    summary: endpoint.summary,
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.headers && { headers: endpoint.headers }),
    ...(endpoint.body && { body: endpoint.body }),
    ...(endpoint.reply && { response: { [endpoint.status]: endpoint.reply } }),
  } as SchemaOf<E>,
});

// Sends JSON that was serialized before, for frequent requests with rarely changing responses.

/** `json` is the text of what the route's reply schema describes. */
export const sendSerializedJson = (reply: FastifyReply, json: string): void => {
  reply.header('content-type', 'application/json; charset=utf-8').send(json);
};
