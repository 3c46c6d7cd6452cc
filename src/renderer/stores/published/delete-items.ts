/** Deletes published items so that it can be taken back for some seconds, and says so until then. */

import type { ItemId } from '../../../api/ids.ts';
import type { EngineStore } from '../engine-store.ts';
import type { Toasts } from '../messages/toasts.ts';
import type { Library } from './library-store.ts';

interface Deps {
  readonly engine: EngineStore;
  readonly library: Library;
  readonly toasts: Toasts;
}

export const createRemoval = ({ engine, library, toasts }: Deps) => ({
  /** Several at once are answered one by one: what could not be deleted is told and stays chosen. */
  remove: async (ids: readonly ItemId[]): Promise<void> => {
    const asked = await engine.run('library.delete', { ids: [...ids], when: 'after-undo' });
    if (asked === null) return;
    const [failed] = asked.answers.flatMap(({ failure }) => failure ?? []);
    if (failed) toasts.show({ kind: 'failure', failure: failed });
    const leaving = asked.answers.filter(({ failure }) => failure === null);
    const until = Math.max(0, ...leaving.map(({ item }) => item?.deletingAt ?? 0));
    if (leaving.length > 0) toasts.show({ kind: 'deleted', ids: leaving.map(({ id }) => id), until });
    library.letGo(leaving.map(({ id }) => id));
  },
  /** Gives the person more time to take it back. Answers until when; null where that is not possible any more. */
  hold: async (ids: readonly ItemId[]): Promise<number | null> => {
    const asked = await engine.ask('library.delete', { ids: [...ids], when: 'longer' });
    if (!asked.ok) return null;
    const times = asked.value.answers.flatMap(({ item }) => item?.deletingAt ?? []);
    return times.length === 0 ? null : Math.min(...times);
  },
  undo: async (ids: readonly ItemId[]): Promise<void> => {
    const asked = await engine.run('library.undelete', { ids: [...ids] });
    if (asked !== null) toasts.undone(ids);
  },
  /** Takes items out of the library that the service has no more. */
  forget: async (ids: readonly ItemId[]): Promise<void> => {
    await engine.run('library.forget', { ids: [...ids] });
  },
});

export type Removal = ReturnType<typeof createRemoval>;
