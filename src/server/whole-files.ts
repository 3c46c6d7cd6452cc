/** The two routes that take a file whole as `multipart/form-data`, and the places and keys that they share. */
import fastifyMultipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { ContentId } from '../contract/ids.ts';
import type { Content } from '../contract/service/content.ts';
import type { Publisher } from './content/publish.ts';
import type { ServerDeps } from './deps.ts';
import { registerFolderRoute } from './folders/routes.ts';
import type { App } from './http/route.ts';
import type { Inspector } from './media/inspector.ts';
import { registerWholeFileRoute } from './uploads/whole-file.ts';
import { createIntake } from './uploads/whole-file-intake.ts';

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
