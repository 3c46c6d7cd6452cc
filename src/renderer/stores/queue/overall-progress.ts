/** How far the whole queue is, with the files that the page still has to hand over, as the window says it everywhere. */

import { type Coming, createQueueProgress, type QueueProgress } from '../../../ipc/protocol/queue-progress.ts';
import type { Queue } from '../../../ipc/protocol/state.ts';
import type { PendingFile } from '../file-input/pending-files.ts';

export interface Progress {
  /** Null while nothing runs or all of it is paused. Asked while drawing, so what cannot be read breaks no more than that. */
  of(queue: Queue, offers: readonly PendingFile[]): QueueProgress | null;
}

/** Nobody has to do anything for it to go on. */
const isComing = ({ state }: PendingFile): boolean => state === 'waiting' || state === 'sending';

export const createProgress = (): Progress => {
  const follow = createQueueProgress();
  let offered: readonly PendingFile[] = [];
  let coming: Coming = [];
  return {
    of: (queue, offers) => {
      if (offers !== offered) coming = offers.filter(isComing).map(({ size }) => size);
      offered = offers;
      const progress = follow(queue, coming);
      return queue.paused ? null : progress;
    },
  };
};
