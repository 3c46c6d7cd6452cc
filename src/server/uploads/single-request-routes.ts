/** Registers the two routes that accept a file as `multipart/form-data`, and the slots and keys that they share. */
import fastifyMultipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Content } from '../../api/content.ts';
import type { ContentId } from '../../api/ids.ts';
import type { Publisher } from '../content/publish-item.ts';
import type { ServerDeps } from '../deps.ts';
import { registerFolderRoute } from '../folders/folder-routes.ts';
import type { App } from '../http/route.ts';
import type { Inspector } from '../media/inspector.ts';
import { createSingleRequestReceiver } from './single-request-receiver.ts';
import { registerSingleRequestRoute } from './single-request-upload.ts';

export interface SingleRequestDeps {
  readonly publisher: Publisher;
  readonly inspector: Inspector;
  /** The item as its owner sees it; null if deleted or expired. */
  readonly contentOf: (id: ContentId) => Content | null;
}

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
