/** Calculates the progress of the whole queue for the window, including files that the queue does not have yet. */

import type { Queue } from '../../../ipc/protocol/app-state.ts';
import {
  createQueueProgress,
  type PendingSizes,
  type QueueProgress,
} from '../../../ipc/protocol/queue-progress-tracker.ts';
import type { PendingFile } from '../file-input/pending-files.ts';

export interface Progress {
  /**
   * Null while nothing runs or everything is paused. Called during render, so that an error is contained by an error
   * boundary.
   */
  of(queue: Queue, pendingFiles: readonly PendingFile[]): QueueProgress | null;
}

/** Continues without the user. */
const isComing = ({ state }: PendingFile): boolean => state === 'waiting' || state === 'sending';

export const createProgress = (): Progress => {
  const follow = createQueueProgress();
  let seenFiles: readonly PendingFile[] = [];
  let coming: PendingSizes = [];
  return {
    of: (queue, pendingFiles) => {
      if (pendingFiles !== seenFiles) coming = pendingFiles.filter(isComing).map(({ size }) => size);
      seenFiles = pendingFiles;
      const progress = follow(queue, coming);
      return queue.paused ? null : progress;
    },
  };
};
