/** The commands of the library and its links. */
import type { libraryCommands } from '../../contract/commands/library.ts';
import { ok } from '../../contract/errors.ts';
import { done, type HandlerDeps, type HandlersOf } from './handlers.ts';

export const libraryHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof libraryCommands> => ({
  'library.search': (query) => ok(engine.search(query)),
  'link.copy': ({ id }) => engine.copyLink(id),
  'link.open': ({ id }) => done(engine.openLink(id)),
});
