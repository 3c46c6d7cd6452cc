/** Composes everything about accounts: responses, plans and request log, sign-in, and the device connection. */

import { createConnections } from '../connect/connections.ts';
import { createDeviceCodes } from '../connect/device-codes.ts';
import { createDeviceRequests } from '../connect/device-requests.ts';
import { registerConnectRoutes } from '../connect/device-routes.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/route.ts';
import { registerAccountPages } from '../pages/account/account-routes.ts';
import { registerConnectPages } from '../pages/account/connect-routes.ts';
import { createRequireAccount, registerAccountScope } from '../pages/account/frame.ts';
import type { Passwords } from '../sharing/password-hashing.ts';
import { createAccountReplies } from './account-reply.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { createRequestLog, registerRequestLog } from './request-log.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createTrials } from './trial.ts';

export interface AccountModule {
  registerRoutes(app: App): void;
  /** Writes the buffered entries of the request log. */
  close(): void;
}

const SWEEP_EVERY_MS = 60_000;

export const createAccountModule = (deps: ServerDeps, passwords: Passwords): AccountModule => {
  const sessions = createSessions(deps);
  const signIn = createSignIn(deps, passwords);
  const requireAccount = createRequireAccount(deps, sessions);
  const trials = createTrials(deps);
  const requestLog = createRequestLog(deps);
  const answers = createAccountReplies(deps, trials);
  const codes = createDeviceCodes(deps);
  const requests = createDeviceRequests(deps);
  const connections = createConnections(deps, answers);

  const sweeping = setInterval(() => {
    try {
      for (const part of [sessions, signIn, trials, codes, requests]) part.sweep();
    } catch (error) {
      deps.log(`Forgetting what has expired failed and will be tried again: ${String(error)}`);
    }
  }, SWEEP_EVERY_MS).unref();

  return {
    registerRoutes: (app) => {
      registerRequestLog(app, requestLog, deps.clock);
      registerAccountRoutes(app, { answers, trials, requestLog });
      registerConnectRoutes(app, deps, { codes, requests, connections });
      registerAccountScope(app, deps, (scope) => {
        registerAccountPages(scope, deps, { answers, requestLog, sessions, signIn, trials, requireAccount });
        registerConnectPages(scope, deps, { codes, requests, sessions, requireAccount });
      });
    },
    close: () => {
      clearInterval(sweeping);
      requestLog.close();
    },
  };
};
