/** Handlers of the library and link commands. */

import { ok } from '../../../api/errors.ts';
import type { libraryCommands } from '../../protocol/commands/library.ts';
import { DONE, done, type HandlerDeps, type HandlersOf } from './handlers.ts';

export const libraryHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof libraryCommands> => ({
  'library.search': (query) => ok(engine.search(query)),
  'library.find': ({ link }) => ok({ item: engine.findItem(link) }),
  'library.refresh': async ({ ids }, signal) => ok({ answers: await engine.refreshItems(ids, signal) }),
  'library.update': async ({ ids, change }, signal) => ok({ answers: await engine.updateItems(ids, change, signal) }),
  'library.delete': async ({ ids, when }, signal) => ok({ answers: await engine.deleteItems(ids, when, signal) }),
  'library.undelete': ({ ids }) => ok({ answers: engine.undeleteItems(ids) }),
  'library.forget': ({ ids }) => {
    engine.forgetItems(ids);
    return DONE;
  },
  'library.sync': (_, signal) => engine.syncLibrary(signal),
  'library.views': ({ id, days }, signal) => engine.viewsOf(id, days, signal),
  'library.folder': ({ id }, signal) => engine.folderFiles(id, signal),
  'library.folderFile': ({ id, path }, signal) => engine.folderFile(id, path, signal),
  'link.copy': (input) => engine.copyLink(input),
  'link.format': (input) => engine.formatLinks(input),
  'link.open': ({ id }) => done(engine.openLink(id)),
});
