/** The type of the server's Fastify instance (`App`), and the flags that a route may have. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
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
