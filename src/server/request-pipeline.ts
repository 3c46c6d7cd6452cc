/**
 * The checks before every handler: host, key, budget, permission and the account guard, all before a byte of the body
 * is read.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostFault } from '../base/common/request-target.ts';
import { createAuthenticator, type Requester, requireScope } from './accounts/authenticate.ts';
import type { ServerDeps } from './deps.ts';
import type { App } from './http/route-of-endpoint.ts';
import type { Charge } from './limits/budgets.ts';
import { networksOf } from './limits/network.ts';
import { invalidInput, ProblemError } from './problem.ts';

export const registerRequestPipeline = (app: App, deps: ServerDeps, charge: Charge): void => {
  const authenticate = createAuthenticator(deps);

  app.decorateRequest('requester');
  app.decorateRequest('identifyAgain', function (this: FastifyRequest) {
    this.requester = authenticate(this);
  });
  // A body may take long, and the key or the session may have ended meanwhile.
  app.addHook('preHandler', (request, _reply, done) => {
    const { readsOwnBody } = request.routeOptions.config;
    const hadBody = request.body !== undefined && request.body !== null && readsOwnBody !== true;
    try {
      if (hadBody && request.requester !== undefined) request.identifyAgain();
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    try {
      pass(request, reply);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  });

  const pass = (request: FastifyRequest, reply: FastifyReply): void => {
    const { endpoint, unmetered } = request.routeOptions.config;
    reply.header('x-content-type-options', 'nosniff');
    const fault = hostFault(request.originalUrl, request.raw.rawHeaders);
    if (fault !== null) {
      charge(reply, 'guest', networksOf(request));
      throw invalidInput({ path: '/host', message: fault });
    }
    if (unmetered) return;
    if (endpoint !== undefined && endpoint.scope !== null) reply.header('cache-control', 'no-store');
    const budget = endpoint?.budget ?? 'guest';
    const requester = identify(request, reply);
    request.requester = requester;
    if (requester.kind !== 'key' || budget === 'guest') charge(reply, 'guest', networksOf(request));
    else charge(reply, budget, requester.account.id);
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
   * requests.
   */
  const identify = (request: FastifyRequest, reply: FastifyReply): Requester => {
    try {
      return authenticate(request);
    } catch (error) {
      charge(reply, 'guest', networksOf(request));
      throw error;
    }
  };
};
