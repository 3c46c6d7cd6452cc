/** How far the whole queue is, as the window says it everywhere. */

import { type BatchProgress, createBatch } from '../../contract/app/batch.ts';
import type { Queue } from '../../contract/app/state.ts';

export interface Progress {
  /** Null while nothing runs or all of it is paused. Asked while drawing, so what cannot be read breaks no more than that. */
  of(queue: Queue): BatchProgress | null;
}

export const createProgress = (): Progress => {
  const follow = createBatch();
  return {
    of: (queue) => {
      const progress = follow(queue);
      return queue.paused ? null : progress;
    },
  };
};
