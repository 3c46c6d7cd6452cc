/**
 * Checks every request before its handler runs and before its body is read: the host, who asks (API key or sign-in),
 * the request budget, the scope, and the account that the request names. Routes without a request budget get only the
 * host check. After Fastify has parsed a body, the key or sign-in is checked again, but not where the handler reads the
 * body itself.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostFault } from '../base/common/request-target.ts';
import { createAuthenticator, type Requester, requireScope } from './accounts/authenticate.ts';
import type { ServerDeps } from './deps.ts';
import type { App } from './http/app-type.ts';
import { networksOf } from './limits/address-networks.ts';
import type { Charge } from './limits/request-budgets.ts';
import { invalidInput, ProblemError } from './problem-details.ts';

export const registerRequestPipeline = (app: App, deps: ServerDeps, charge: Charge): void => {
  const authenticate = createAuthenticator(deps);

  app.decorateRequest('requester');
  app.decorateRequest('identifyAgain', async function (this: FastifyRequest) {
    this.requester = await authenticate(this);
  });
  // A body may take long, and the key or the session may have ended meanwhile.
  app.addHook('preHandler', (request, _reply, done) => {
    const { readsOwnBody } = request.routeOptions.config;
    const hadBody = request.body !== undefined && request.body !== null && readsOwnBody !== true;
    if (!hadBody || request.requester === undefined) {
      done();
      return;
    }
    request.identifyAgain().then(() => done(), done);
  });
  // Most requests are identified at once, and then nothing is awaited.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const later = pass(request, reply);
      if (later === undefined) done();
      else later.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  });

  const pass = (request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined => {
    const { endpoint, unmetered } = request.routeOptions.config;
    reply.header('x-content-type-options', 'nosniff');
    const fault = hostFault(request.originalUrl, request.raw);
    if (fault !== null) return refuse(request, reply, invalidInput({ path: '/host', message: fault }));
    if (unmetered) return undefined;
    if (endpoint !== undefined && endpoint.scope !== null) reply.header('cache-control', 'no-store');
    const identified = identify(request);
    if (identified instanceof ProblemError) return refuse(request, reply, identified);
    if (!(identified instanceof Promise)) return admit(request, reply, identified);
    return identified.then(
      (requester) => admit(request, reply, requester),
      (error: unknown) => refuse(request, reply, error),
    );
  };

  /** The error of a key that is known to have ended is returned. */
  const identify = (request: FastifyRequest): Requester | ProblemError | Promise<Requester> => {
    try {
      return authenticate(request);
    } catch (error) {
      if (error instanceof ProblemError) return error;
      throw error;
    }
  };

  /** The budget, the permission and the account guard. */
  const admit = (request: FastifyRequest, reply: FastifyReply, requester: Requester): Promise<void> | undefined => {
    const budget = request.routeOptions.config.endpoint?.budget ?? 'guest';
    request.requester = requester;
    const charged =
      requester.kind !== 'key' || budget === 'guest'
        ? charge(reply, 'guest', networksOf(request, deps.config.limits))
        : charge(reply, budget, requester.account.id);
    if (charged !== undefined) return charged.then(() => requirePermission(request, requester));
    requirePermission(request, requester);
    return undefined;
  };

  const requirePermission = (request: FastifyRequest, requester: Requester): void => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined || endpoint.scope === null) return;
    const { account } = requireScope(requester, endpoint.scope);
    const expected = endpoint.headers === undefined ? undefined : request.headers['x-service-account'];
    if (expected !== undefined && expected !== account.id) {
      throw new ProblemError(
        'ACCOUNT_MISMATCH',
        'The API key belongs to another account than X-Service-Account names.',
      );
    }
  };

  /**
   * An invalid key counts against the budget of its address, so that keys cannot be guessed faster than guests may send
   * requests. Throws or rejects with `error`.
   */
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<never> => {
    const charged = charge(reply, 'guest', networksOf(request, deps.config.limits));
    if (charged === undefined) throw error;
    return charged.then(() => {
      throw error;
    });
  };
};
