/**
 * Converts a row of the endpoint table into the options of a Fastify route, so that every path and shape is defined
 * once.
 */

// Adds `summary` to schemas.
import type {} from '@fastify/swagger';
import type { TSchema } from 'typebox';
import type { Endpoint } from '../../api/endpoints/endpoint.ts';

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
