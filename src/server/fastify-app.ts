/**
 * Builds the Fastify application with what applies to all routes: limits on connections and headers, error responses,
 * the checks before every handler, JSON bodies, metrics and the graceful stop.
 */
import { type IncomingHttpHeaders, maxHeaderSize } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { LIMITS } from '../api/limits.ts';
import type { ServerDeps } from './deps.ts';
import type { App } from './http/app-type.ts';
import type { ConnectionLimits } from './http/connection-limits.ts';
import { registerDrain } from './http/drain.ts';
import { answerFrameworkError, answerParserError, refuseConnection, registerErrors } from './http/error-responses.ts';
import { holdBody } from './http/expect-continue.ts';
import type { InFlight } from './http/in-flight-requests.ts';
import { registerInFlight } from './http/register-in-flight-requests.ts';
import { registerJsonBody } from './http/request-body.ts';
import { compileValidator } from './http/schema-compiler.ts';
import { type Budgets, createCharge } from './limits/request-budgets.ts';
import type { Metrics } from './operations/metrics.ts';
import { answerNotFound } from './pages/public-page-routes.ts';
import { registerRequestPipeline } from './request-pipeline.ts';

interface Watched {
  readonly connections: ConnectionLimits;
  readonly inFlight: InFlight;
  readonly metrics: Metrics | null;
  readonly budgets: Budgets;
}

const PROXY_REQUEST_ID = /^[\w.:-]{8,128}$/;

/** The id that the proxy has given the request; null: none that may stand in a log. */
const proxyRequestId = (headers: IncomingHttpHeaders): string | null => {
  const id = headers['x-request-id'];
  return typeof id === 'string' && PROXY_REQUEST_ID.test(id) ? id : null;
};

const CHECK_CONNECTIONS_MS = 5_000;

/** Fastify with everything that applies to all routes. */
export const buildApp = (deps: ServerDeps, { connections, inFlight, metrics, budgets }: Watched) => {
  const { config, random } = deps;
  const headersTimeout = Math.ceil(config.limits.headerSeconds * 1_000);
  const charge = createCharge(budgets);
  const app: App = Fastify({
    bodyLimit: LIMITS.jsonBodyBytes,
    trustProxy: config.web.trustProxy,
    genReqId: ({ headers }) => (config.web.trustProxy ? proxyRequestId(headers) : null) ?? random.uuid(),
    // Bodies have their own limits (http/in-flight-requests.ts); this one is for headers, including a connection that sends
    // nothing.
    http: {
      // Node's own answer has no problem document: `hostFault` refuses such a request.
      requireHostHeader: false,
      requestTimeout: 0,
      headersTimeout,
      connectionsCheckingInterval: Math.min(CHECK_CONNECTIONS_MS, headersTimeout),
    },
    // Idle connections of clients must not delay a stop.
    forceCloseConnections: true,
    // An id of any length reaches its route, where it is unknown.
    routerOptions: { maxParamLength: maxHeaderSize },
    frameworkErrors: (error, request, reply) =>
      answerFrameworkError(error, request, reply, { charge, deps, sendNotFoundPage: answerNotFound }),
    clientErrorHandler: (error, socket) => answerParserError(error, socket, random.uuid()),
  })
    .setValidatorCompiler(compileValidator)
    .setSerializerCompiler(() => (data) => JSON.stringify(data))
    .withTypeProvider<TypeBoxTypeProvider>();

  app.server.on('checkContinue', (request, response) => {
    holdBody(request);
    app.server.emit('request', request, response);
  });
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would reply 417 without a body.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  connections.guard(app.server, (socket, problem) => {
    metrics?.refused(problem.code);
    refuseConnection(socket, problem, random.uuid());
  });
  registerErrors(app, deps, answerNotFound);
  metrics?.observe(app);
  registerInFlight(app, inFlight, config.limits);
  registerRequestPipeline(app, deps, charge);
  const drain = registerDrain(app, inFlight, connections);
  registerJsonBody(app, config.limits.uploadStallSeconds * 1_000);
  return { app, drain };
};
