/** Composes everything about shared items: publishing, reading, media, share pages, processing and expiry. */
import fastifyCookie from '@fastify/cookie';
import type { Content } from '../../api/content.ts';
import type { ContentId } from '../../api/ids.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/route.ts';
import { registerListRoutes } from '../lists/list-routes.ts';
import type { Inspector } from '../media/inspector.ts';
import { createMediaJobs } from '../media/media-jobs.ts';
import { registerMediaRoutes } from '../media/media-routes.ts';
import { registerNoteRoutes } from '../notes/note-routes.ts';
import { createRenderer } from '../notes/renderer.ts';
import { registerPageRoutes } from '../pages/page-routes.ts';
import { createOpener } from '../sharing/open-link.ts';
import type { Passwords } from '../sharing/password-hashing.ts';
import { registerShareRoutes } from '../sharing/share-routes.ts';
import { presentContent } from './content-reply.ts';
import { registerContentRoutes } from './content-routes.ts';
import { type ContentStore, createContentStore } from './content-store.ts';
import { createRemoval } from './delete-items.ts';
import { createPublisher, type Publisher } from './publish-item.ts';
import { registerReportRoutes } from './reports.ts';

export interface ContentModule {
  readonly publisher: Publisher;
  readonly store: ContentStore;
  /** The item as its owner sees it; null if deleted or expired. */
  readonly contentOf: (id: ContentId) => Content | null;
  registerRoutes(app: App): void;
  /** Resumes pending previews and videos, and starts the expiry of items. */
  start(): void;
  close(): Promise<void>;
}

const SWEEP_EVERY_MS = 5_000;

export const createContentModule = (deps: ServerDeps, passwords: Passwords, inspector: Inspector): ContentModule => {
  const store = createContentStore(deps.database);
  const processing = createMediaJobs(deps, inspector);
  const publisher = createPublisher(deps, passwords, processing.wake);
  const removal = createRemoval(deps);
  const opener = createOpener(deps, passwords);
  const renderer = createRenderer({ log: deps.log, clock: deps.clock, limits: deps.config.rendering });
  let sweeping: NodeJS.Timeout | undefined;

  const contentOf = (id: ContentId): Content | null => {
    const row = store.byId(id);
    const isGone = row === undefined || (row.expiresAt !== null && row.expiresAt <= deps.clock.now());
    return isGone ? null : presentContent(deps, row);
  };

  const sweep = (): void => {
    try {
      removal.sweepExpired();
      opener.sweep();
    } catch (error) {
      deps.log(`Freeing expired items failed and will be tried again: ${String(error)}`);
    }
  };

  return {
    store,
    publisher,
    contentOf,
    registerRoutes: (app) => {
      app.register(fastifyCookie);
      registerContentRoutes(app, deps, passwords);
      registerReportRoutes(app, deps);
      registerListRoutes(app, deps);
      registerNoteRoutes(app, deps, { publisher, contentOf });
      registerMediaRoutes(app, deps);
      registerShareRoutes(app, deps, opener);
      registerPageRoutes(app, deps, opener, renderer);
    },
    start: () => {
      processing.wake();
      sweep();
      sweeping = setInterval(sweep, SWEEP_EVERY_MS).unref();
    },
    close: async () => {
      clearInterval(sweeping);
      await renderer.close();
      await processing.close();
    },
  };
};
