/** Handlers of the queue commands. */
import { basename } from 'node:path';
import { err, failure, ok, type Result } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import type { AddedBy, NewItem } from '../../../engine/engine.ts';
import type { queueCommands } from '../../protocol/commands/queue.ts';
import { DONE, type Handler, type HandlerDeps, type HandlersOf, now } from './handlers.ts';

export const queueHandlers = ({ engine, sources }: HandlerDeps): HandlersOf<keyof typeof queueCommands> => {
  const add = async (items: readonly NewItem[], by: AddedBy): Promise<Result<{ ids: ItemId[] }>> => {
    const added = await engine.add(items, by);
    return added.ok ? ok({ ids: [...added.value] }) : added;
  };
  const forItems =
    (act: (ids: readonly ItemId[]) => void): Handler<'queue.pause'> =>
    ({ ids }) => {
      act(ids);
      return DONE;
    };
  return {
    'queue.add': async ({ tokens, share, fit }) => {
      const files = sources.take(tokens);
      if (!files) return err(failure('COMMAND_INVALID', 'One of the files is no longer at hand. Add it again.'));
      return add(
        files.map((file) => ({ ...(fit && { job: { kind: 'file', fit } }), ...file, ...(share && { share }) })),
        'window',
      );
    },
    'queue.addPaths': ({ paths, ...how }) =>
      add(
        paths.map((path) => ({ source: { owner: 'person', path }, name: basename(path), ...how })),
        'command',
      ),
    'queue.addSpooled': ({ path, name, ...how }) =>
      add([{ source: { owner: 'spool', path }, name, ...how }], 'command'),
    'queue.setShare': async ({ ids, change }) => ok({ answers: await engine.setShare(ids, change) }),
    'queue.pause': forItems(engine.pause),
    'queue.resume': forItems(engine.resume),
    'queue.retry': forItems(engine.retry),
    'queue.cancel': forItems(engine.cancel),
    'queue.dismiss': forItems(engine.dismiss),
    'queue.told': forItems(engine.markDelivered),
    'queue.replace': forItems(engine.replace),
    'queue.settled': ({ id, patienceMs }, signal) => engine.waitForItem(id, patienceMs, signal),
    'queue.move': ({ id, before }) => {
      engine.move(id, before);
      return DONE;
    },
    'queue.timeline': ({ id }) => ok({ events: [...engine.timeline(id)] }),
    'queue.pauseAll': now(() => engine.pauseAll()),
    'queue.resumeAll': now(() => engine.resumeAll()),
  };
};
