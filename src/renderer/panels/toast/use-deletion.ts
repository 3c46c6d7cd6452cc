/** Hook that deletes the item of a capture toast, and undoes that. */
import { useState } from 'react';
import type { Failure } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';

/** Deletes the item, with an undo as long as the engine keeps it. */
export const useDeletion = (id: ItemId) => {
  const { engine } = useAppStores();
  const [at, setAt] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [wasUndone, setUndone] = useState(false);
  const ids = [id];
  const ask = async (command: 'begin' | 'undo') => {
    const asked =
      command === 'begin'
        ? await engine.ask('library.delete', { ids, when: 'after-undo' })
        : await engine.ask('library.undelete', { ids });
    const answer = asked.ok ? asked.value.answers[0] : null;
    const why = asked.ok ? (answer?.failure ?? null) : asked.error;
    setFailure(why);
    // A request that failed has changed nothing: a deletion whose undo failed still runs.
    if (why !== null) return;
    setAt(answer?.item?.deletingAt ?? null);
    setUndone(command === 'undo');
  };
  return { at, failure, wasUndone, begin: () => void ask('begin'), undo: () => void ask('undo') };
};
