/**
 * Sends errors as problem details (RFC 9457) with the request's id: errors of handlers, of the framework, of the HTTP
 * parser, and of refused connections. A browser that requests an unknown address gets a page instead. `refuse` prepares
 * an error for pages, which send it in their own format.
 */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceErrorCode } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { stackOf } from '../../base/common/error-text.ts';
import type { ServerDeps } from '../deps.ts';
import { networksOf } from '../limits/address-networks.ts';
import type { Charge } from '../limits/request-budgets.ts';
import { type Issue, invalidInput, PROBLEM_TYPE, ProblemError, problemBody, problemOf } from '../problem-details.ts';
import type { App } from './app-type.ts';
import { discardBody } from './discard-body.ts';

/** Sends the page of an unknown address; null: the client is not a browser. */
type SendNotFoundPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

type ErrorDeps = Pick<ServerDeps, 'config' | 'log' | 'records'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the problem that was sent; null: none. */
    refusedWith: ServiceErrorCode | null;
  }
}

export const registerErrors = (app: App, deps: ErrorDeps, sendNotFoundPage: SendNotFoundPage): void => {
  app.decorateRequest('refusedWith', null);
  app.setErrorHandler((error: unknown, request, reply) => answerError(error, request, reply, deps));
  app.setNotFoundHandler(
    (request, reply) =>
      sendNotFoundPage(request, reply) ??
      answerError(new ProblemError('NOT_FOUND', 'There is nothing at this address.'), request, reply, deps),
  );
};

/** Replies to requests that the framework refuses before any hook, such as an address that cannot be decoded. */
export const answerFrameworkError = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    charge,
    deps,
    sendNotFoundPage,
  }: { readonly charge: Charge; readonly deps: ErrorDeps; readonly sendNotFoundPage: SendNotFoundPage },
): void => {
  const answer = (refusal: unknown): void => {
    reply.header('x-request-id', request.id);
    const page = refusal === error ? sendNotFoundPage(request, reply) : null;
    if (page === null) void answerError(refusal, request, reply, deps);
  };
  let charged: Promise<void> | undefined;
  try {
    charged = charge(reply, 'guest', networksOf(request, deps.config.limits));
  } catch (limited) {
    answer(limited);
    return;
  }
  if (charged === undefined) answer(error);
  else charged.then(() => answer(error), answer);
};

const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply, deps: ErrorDeps): FastifyReply => {
  const problem = refuse(error, request, reply, deps);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(problemBody(problem, request.id));
};

/**
 * Prepares an error response in any format: status, Retry-After, and the discarding of an unread body. Logs errors of
 * the server: its own refusals, such as of a full queue, as a warning, all others with their stack.
 */
export const refuse = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, records }: ErrorDeps,
): ProblemError => {
  const problem = frameworkProblem(error) ?? problemOf(error, records.dialect);
  request.refusedWith = problem.code;
  if (problem.status >= 500) {
    const [level, text] = error === problem ? ['warn', problem.message] : ['error', stackOf(error)];
    log(text, { level, ...requestLogFields(request) });
  }
  const { connection, retryAfterMs } = problem.more;
  // The framework closes after any failed body: here the rest of it is read instead.
  if (connection === undefined) reply.removeHeader('connection');
  if (connection !== undefined) reply.header('connection', 'close');
  discardBody(request, reply);
  if (retryAfterMs !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  reply.code(problem.status);
  return problem;
};

/** Fields of a request for the log: the route and not the address, which contains the ids of links. */
const requestLogFields = ({ id, method, routeOptions, headers }: FastifyRequest) => {
  const traceId = TRACE_PARENT.exec(String(headers['traceparent']))?.[1];
  return { requestId: id, ...(traceId && { traceId }), method, route: routeOptions.url ?? 'unknown' };
};

/** The trace of W3C Trace Context that a proxy or a client has started. */
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The problem of a Fastify error; undefined for all others. */
const frameworkProblem = (error: unknown): ProblemError | undefined => {
  if (error instanceof ProblemError || !(error instanceof Error)) return undefined;
  const { code, statusCode, validation } = error as Partial<FastifyError> & Error;
  if (validation !== undefined) return invalidInput(...issuesOf(validation));
  switch (code) {
    case 'FST_ERR_NOT_FOUND':
      return new ProblemError('NOT_FOUND', 'There is nothing at this address.');
    case 'FST_ERR_BAD_URL':
      return invalidInput({ path: '', message: 'has an address that cannot be decoded' });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge();
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return invalidInput({ path: '/content-type', message: 'is not one that this endpoint takes' });
    default:
      return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
        ? invalidInput({ path: '', message: `is not valid: ${error.message}` })
        : undefined;
  }
};

export const bodyTooLarge = (): ProblemError =>
  new ProblemError('UPLOAD_TOO_LARGE', 'The JSON body is over 1 MB; send less.', {
    params: { limitBytes: LIMITS.jsonBodyBytes },
  });

/** A whole response as bytes, for a socket without a request. */
const rawAnswer = (problem: ProblemError, line: string, requestId: string): string => {
  const body = JSON.stringify({ ...problemBody(problem, requestId), status: Number.parseInt(line, 10) });
  const { retryAfterMs } = problem.more;
  return (
    `HTTP/1.1 ${line}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    (retryAfterMs === undefined ? '' : `Retry-After: ${Math.ceil(retryAfterMs / 1_000)}\r\n`) +
    `X-Request-Id: ${requestId}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`
  );
};

const CLOSE_MS = 1_000;

/** Replies to a surplus connection, and closes it. */
export const refuseConnection = (socket: Socket, problem: ProblemError, requestId: string): void => {
  const cut = setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  socket.on('error', () => {});
  socket.once('close', () => clearTimeout(cut));
  // Read what the client sends: an unread byte would reset the connection before the client has the response.
  socket.resume();
  socket.end(rawAnswer(problem, `${problem.status} ${STATUS_CODES[problem.status]}`, requestId));
};

/** Replies to bytes that are not HTTP, or to a header that does not arrive, on the bare socket. */
export const answerParserError = (error: ConnectionError, socket: Socket, requestId: string): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [problem, line] = parserProblem(error.code);
  // The client may never read, nor close its end.
  const cut = setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.end(rawAnswer(problem, line, requestId));
};

const parserProblem = (code: string): readonly [ProblemError, string] => {
  const unreadable = invalidInput({ path: '', message: 'is not HTTP that this server can read' });
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [
        new ProblemError('UPLOAD_STALLED', 'The request did not arrive in time; send it again.'),
        '408 Request Timeout',
      ];
    case 'HPE_HEADER_OVERFLOW':
      return [unreadable, '431 Request Header Fields Too Large'];
    default:
      return [unreadable, '400 Bad Request'];
  }
};

// Converts schema errors of a request to issues that say what would be right. Pure.

type Fault = NonNullable<FastifyError['validation']>[number];

/** If no schema of a choice matches, reports only the errors of the intended one. */
const issuesOf = (faults: readonly Fault[]): readonly Issue[] => {
  const choices = faults.filter(
    (fault) => fault.keyword === 'anyOf' && !faults.some((other) => contains(other, fault)),
  );
  const alone = faults.filter((fault) => !choices.some((choice) => choice === fault || contains(choice, fault)));
  return [
    ...alone.flatMap(issuesOfOne),
    ...choices.flatMap((choice) =>
      issuesOfChoice(
        choice,
        faults.filter((fault) => contains(choice, fault)),
      ),
    ),
  ];
};

/** Whether `fault` was found in one of the schemas of `choice`. */
const contains = (choice: Fault, fault: Fault): boolean =>
  choice.keyword === 'anyOf' &&
  fault.schemaPath.startsWith(branchesOf(choice)) &&
  fault.instancePath.startsWith(choice.instancePath);

const branchesOf = ({ schemaPath }: Fault): string => `${schemaPath}/anyOf/`;

const issuesOfChoice = (choice: Fault, faults: readonly Fault[]): readonly Issue[] => {
  const start = branchesOf(choice).length;
  const branches = Map.groupBy(faults, ({ schemaPath }) => schemaPath.slice(start).split('/', 1)[0]);
  const isAnother = ({ keyword, instancePath }: Fault): boolean =>
    keyword === 'const' || (keyword === 'type' && instancePath === choice.instancePath);
  const intended = [...branches.values()].filter((branch) => !branch.some(isAnother));
  if (intended.length > 0) return intended.flatMap(issuesOf);
  const constants = faults.filter(({ keyword }) => keyword === 'const');
  if (constants.length > 0) {
    const values = constants.map(({ params }) => String(params['allowedValue']));
    return [{ path: constants[0]?.instancePath ?? '', message: `must be one of ${values.join(', ')}` }];
  }
  const types = new Set(faults.map(({ params }) => String(params['type'])));
  return [{ path: choice.instancePath, message: `must be ${[...types].join(' or ')}` }];
};

const issuesOfOne = ({ keyword, instancePath, message, params }: Fault): readonly Issue[] => {
  // A schema that allows nothing; the error about the unknown field itself says more.
  if (keyword === 'boolean') return [];
  const missing = params['requiredProperties'];
  if (keyword === 'required' && Array.isArray(missing)) {
    return missing.map((name) => ({ path: `${instancePath}/${String(name)}`, message: 'is required' }));
  }
  const unknown = params['additionalProperties'];
  if (keyword === 'additionalProperties' && Array.isArray(unknown)) {
    return unknown.map((name) => ({ path: `${instancePath}/${String(name)}`, message: 'is not a known field' }));
  }
  return [{ path: instancePath, message: message ?? 'is not valid' }];
};
