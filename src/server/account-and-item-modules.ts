/**
 * Composes the two large modules of the server, one for accounts and one for shared items, each with its routes and
 * background work. Also registers the routes that take a complete file in one request.
 */
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Content } from '../api/content.ts';
import type { ContentId } from '../api/ids.ts';
import { createAccountReplies } from './accounts/account-reply.ts';
import { registerAccountRoutes } from './accounts/account-routes.ts';
import { createTrials } from './accounts/plan-trial.ts';
import { createRequestLog, registerRequestLog } from './accounts/request-log.ts';
import { createSessions } from './accounts/sessions.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { type ContentRows, contentRows } from './content/content-rows.ts';
import { presentContent } from './content/present-content.ts';
import { createPublisher, type Publisher } from './content/publish-item.ts';
import type { ServerDeps } from './deps.ts';
import { createAuthorizationCodes } from './device-auth/authorization-codes.ts';
import { registerDeviceAuthRoutes } from './device-auth/device-auth-routes.ts';
import { createDeviceKeys } from './device-auth/device-keys.ts';
import { createDeviceRequests } from './device-auth/device-requests.ts';
import { registerFolderRoute } from './folders/folder-routes.ts';
import type { App } from './http/app-type.ts';
import { createItemDeletion } from './items/delete-items.ts';
import { registerItemRoutes, registerItemSummaryRoutes } from './items/item-routes.ts';
import { registerListRoutes } from './lists/list-routes.ts';
import type { Inspector } from './media/media-inspector.ts';
import { createMediaJobs } from './media/media-jobs.ts';
import { registerMediaRoutes } from './media/media-routes.ts';
import { registerNoteRoutes } from './notes/note-routes.ts';
import { registerConnectPages } from './pages/account/connect-routes.ts';
import { registerItemPages } from './pages/account/items-routes.ts';
import { createRequireAccount } from './pages/account/require-sign-in.ts';
import { registerSecurityPages } from './pages/account/security-routes.ts';
import { registerAccountPages } from './pages/account/sign-in-and-account-page-routes.ts';
import { withFormsAndErrorPages } from './pages/account/with-forms-and-error-pages.ts';
import { registerPageRoutes } from './pages/public-page-routes.ts';
import type { Passwords } from './passwords.ts';
import { createRenderer } from './rendering/renderer.ts';
import { createOpener, registerOpenLinkRoute } from './sharing/open-link.ts';
import { createSingleRequestReceiver } from './uploads/single-request-receiver.ts';
import { registerSingleRequestRoute } from './uploads/single-request-route.ts';

interface ContentModule {
  readonly publisher: Publisher;
  readonly store: ContentRows;
  /** The item as its owner sees it; null if deleted or expired. */
  readonly contentOf: (id: ContentId) => Promise<Content | null>;
  registerRoutes(app: App): void;
  /** Resumes pending previews and videos, and starts the expiry of items. */
  start(): void;
  /** Another node may have left something to process. */
  wake(): void;
  close(): Promise<void>;
}

const ITEM_SWEEP_EVERY_MS = 5_000;

/** Everything about shared items: publishing, reading, media, share pages, processing and expiry. */
export const createContentModule = (deps: ServerDeps, passwords: Passwords, inspector: Inspector): ContentModule => {
  const store = contentRows(deps.records);
  const processing = createMediaJobs(deps, inspector);
  const publisher = createPublisher(deps, passwords, processing.wake);
  const removal = createItemDeletion(deps);
  const opener = createOpener(deps, passwords);
  const renderer = createRenderer({
    log: deps.log,
    clock: deps.clock,
    limits: deps.config.rendering,
    fairness: deps.config.fairness,
  });
  let sweeping: NodeJS.Timeout | undefined;
  let swept = Promise.resolve();

  const contentOf = async (id: ContentId): Promise<Content | null> => {
    const row = await store.byId(id);
    const isGone = row === undefined || (row.expiresAt !== null && row.expiresAt <= deps.clock.now());
    return isGone ? null : presentContent(deps, row);
  };

  const sweep = async (): Promise<void> => {
    try {
      await removal.sweepExpired();
      await opener.sweep();
    } catch (error) {
      deps.log(`Freeing expired items failed and will be tried again: ${String(error)}`, { level: 'warn' });
    }
  };

  return {
    store,
    publisher,
    contentOf,
    registerRoutes: (app) => {
      app.register(fastifyCookie);
      registerItemRoutes(app, deps, passwords);
      registerItemSummaryRoutes(app, deps);
      registerListRoutes(app, deps);
      registerNoteRoutes(app, deps, { publisher, contentOf });
      registerMediaRoutes(app, deps, inspector);
      registerOpenLinkRoute(app, deps, opener);
      registerPageRoutes(app, deps, opener, renderer);
    },
    start: () => {
      if (!deps.runsJobs) return;
      processing.wake();
      swept = sweep();
      sweeping = setInterval(() => {
        swept = swept.then(sweep);
      }, ITEM_SWEEP_EVERY_MS).unref();
    },
    wake: processing.wake,
    close: async () => {
      clearInterval(sweeping);
      await swept;
      await renderer.close();
      await processing.close();
    },
  };
};

interface AccountModule {
  registerRoutes(app: App): void;
  /** Writes the buffered entries of the request log. */
  close(): Promise<void>;
}

const ACCOUNT_SWEEP_EVERY_MS = 60_000;

/** Everything about accounts: responses, plans and request log, sign-in, and the device connection. */
export const createAccountModule = (deps: ServerDeps, passwords: Passwords): AccountModule => {
  const sessions = createSessions(deps);
  const signIn = createSignIn(deps, passwords);
  const requireAccount = createRequireAccount(deps, sessions);
  const trials = createTrials(deps);
  const requestLog = createRequestLog(deps);
  const answers = createAccountReplies(deps, trials);
  const codes = createAuthorizationCodes(deps);
  const requests = createDeviceRequests(deps);
  const connections = createDeviceKeys(deps, answers);

  const sweep = async (): Promise<void> => {
    try {
      for (const part of [sessions, signIn, trials, codes, requests]) await part.sweep();
    } catch (error) {
      deps.log(`Forgetting what has expired failed and will be tried again: ${String(error)}`, { level: 'warn' });
    }
  };
  let swept = Promise.resolve();
  const sweeping = !deps.runsJobs
    ? undefined
    : setInterval(() => {
        swept = swept.then(sweep);
      }, ACCOUNT_SWEEP_EVERY_MS).unref();

  return {
    registerRoutes: (app) => {
      registerRequestLog(app, requestLog, deps.clock);
      registerAccountRoutes(app, { answers, trials, requestLog });
      registerDeviceAuthRoutes(app, deps, { codes, requests, connections });
      withFormsAndErrorPages(app, deps, (scope) => {
        registerAccountPages(scope, deps, { answers, sessions, signIn, trials, requireAccount });
        registerItemPages(scope, deps, { passwords, requireAccount });
        registerSecurityPages(scope, deps, { passwords, requestLog, sessions, signIn, requireAccount });
        registerConnectPages(scope, deps, { codes, requests, sessions, requireAccount });
      });
    },
    close: async () => {
      clearInterval(sweeping);
      await swept;
      await requestLog.close();
    },
  };
};

interface SingleRequestDeps {
  readonly publisher: Publisher;
  readonly inspector: Inspector;
  /** The item as its owner sees it; null if deleted or expired. */
  readonly contentOf: (id: ContentId) => Promise<Content | null>;
}

/** The two routes that accept a file as `multipart/form-data`, and the slots and keys that they share. */
export const registerSingleRequestRoutes = (app: App, deps: ServerDeps, needs: SingleRequestDeps): void => {
  const { publisher, inspector, contentOf } = needs;
  const intake = createSingleRequestReceiver(deps, contentOf);
  app.register((scope, _options, registered) => {
    // Only forms are accepted here, so nothing else is parsed.
    scope.removeAllContentTypeParsers();
    scope.register(fastifyMultipart);
    const routes = scope.withTypeProvider<TypeBoxTypeProvider>();
    registerSingleRequestRoute(routes, deps, { intake, publisher, inspector });
    registerFolderRoute(routes, deps, { intake, publisher });
    registered();
  });
};
