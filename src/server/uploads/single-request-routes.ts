/** The two routes that take a file whole as `multipart/form-data`, and the places and keys that they share. */
import fastifyMultipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { ContentId } from '../../api/ids.ts';
import type { Content } from '../../api/content.ts';
import type { Publisher } from '../content/publish-item.ts';
import type { ServerDeps } from '../deps.ts';
import { registerFolderRoute } from '../folders/folder-routes.ts';
import type { App } from '../http/route.ts';
import type { Inspector } from '../media/inspector.ts';
import { registerWholeFileRoute } from './single-request-upload.ts';
import { createIntake } from './single-request-receiver.ts';

export interface WholeFileNeeds {
  readonly publisher: Publisher;
  readonly inspector: Inspector;
  /** The item as its owner sees it; null once it was deleted or has expired. */
  readonly contentOf: (id: ContentId) => Content | null;
}

export const registerWholeFileRoutes = (app: App, deps: ServerDeps, needs: WholeFileNeeds): void => {
  const { publisher, inspector, contentOf } = needs;
  const intake = createIntake(deps, contentOf);
  app.register((scope, _options, registered) => {
    // Nothing else than a form is taken here, so nothing else is read.
    scope.removeAllContentTypeParsers();
    scope.register(fastifyMultipart);
    const routes = scope.withTypeProvider<TypeBoxTypeProvider>();
    registerWholeFileRoute(routes, deps, { intake, publisher, inspector });
    registerFolderRoute(routes, deps, { intake, publisher });
    registered();
  });
};
