/** How far the whole queue is, as the window says it everywhere; null while nothing runs or all of it is paused. */

import { createStore } from 'zustand/vanilla';
import { type BatchProgress, createBatch } from '../../contract/app/batch.ts';
import type { EngineStore } from './engine.ts';

interface ProgressState {
  readonly progress: BatchProgress | null;
}

export const createProgress = ({ engine }: { readonly engine: Pick<EngineStore, 'store'> }) => {
  const follow = createBatch();
  const store = createStore<ProgressState>(() => ({ progress: null }));
  engine.store.subscribe(({ app }, before) => {
    if (app === null || app.queue === before.app?.queue) return;
    const progress = follow(app.queue);
    store.setState({ progress: app.queue.paused ? null : progress });
  });
  return { store };
};

export type Progress = ReturnType<typeof createProgress>;
