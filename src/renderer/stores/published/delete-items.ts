/**
 * Deletes published items for the window, and extends or undoes a deletion during its undo period. It also removes
 * items from the library that no longer exist on the service.
 */

import type { ItemId } from '../../../api/ids.ts';
import type { EngineStore } from '../engine-store.ts';
import type { Toasts } from '../messages/toasts.ts';
import type { Library } from './library-store.ts';

interface Deps {
  readonly engine: EngineStore;
  readonly library: Library;
  readonly toasts: Toasts;
  readonly now: () => number;
}

export const createItemDeletion = ({ engine, library, toasts, now }: Deps) => ({
  /** Errors are per item: an item that could not be deleted is reported and stays selected. */
  remove: async (ids: readonly ItemId[]): Promise<void> => {
    const asked = await engine.run('library.delete', { ids: [...ids], when: 'after-undo' });
    if (asked === null) return;
    const [failed] = asked.answers.flatMap(({ failure }) => failure ?? []);
    if (failed) toasts.show({ kind: 'failure', failure: failed });
    const leaving = asked.answers.filter(({ failure }) => failure === null);
    const until = Math.max(0, ...leaving.map(({ item }) => item?.deletingAt ?? 0));
    if (leaving.length > 0) toasts.show({ kind: 'deleted', ids: leaving.map(({ id }) => id), until });
    library.deselect(leaving.map(({ id }) => id));
  },
  /** Extends the undo. Resolves to its new end; `over`: nothing can be undone any more; null: the host does not answer. */
  extendUndo: async (ids: readonly ItemId[]): Promise<number | 'over' | null> => {
    const asked = await engine.ask('library.delete', { ids: [...ids], when: 'longer' });
    if (!asked.ok) return null;
    const until = Math.max(0, ...asked.value.answers.map(({ item }) => item?.deletingAt ?? 0));
    return until > now() ? until : 'over';
  },
  undo: async (ids: readonly ItemId[]): Promise<void> => {
    const asked = await engine.run('library.undelete', { ids: [...ids] });
    if (asked === null) return;
    const failed = asked.answers.filter(({ failure }) => failure !== null);
    toasts.removeRestored(ids.filter((id) => !failed.some((answer) => answer.id === id)));
    const [why] = failed.flatMap(({ failure }) => failure ?? []);
    if (why) toasts.show({ kind: 'failure', failure: why });
  },
  /** Removes items from the library that no longer exist on the service. */
  forget: async (ids: readonly ItemId[]): Promise<void> => {
    await engine.run('library.forget', { ids: [...ids] });
  },
});

export type ItemDeletion = ReturnType<typeof createItemDeletion>;
