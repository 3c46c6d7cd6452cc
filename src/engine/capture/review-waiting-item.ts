/** Opens the editor for a capture that waits in the queue until the user has looked at it. */
import type { Result } from '../../api/errors.ts';
import type { CaptureId } from '../../api/ids.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import { DONE } from '../empty-result.ts';
import type { Random } from '../ports.ts';
import { NOT_WAITING, waitsForReview } from '../upload-check/check-before-upload.ts';
import type { CaptureApi } from './capture-interface.ts';
import type { PendingCaptures } from './pending-captures.ts';
import { measurePicture } from './write-png.ts';

interface ReviewDeps {
  readonly random: Random;
  readonly pending: PendingCaptures;
  readonly queued: () => readonly QueueItem[];
  /** Ok where neither a session nor the editor is open. */
  readonly mayOpen: () => Result<unknown>;
  readonly onChange: () => void;
}

export const createReview =
  ({ random, pending, queued, mayOpen, onChange }: ReviewDeps): CaptureApi['review'] =>
  async ({ item: id }) => {
    const item = queued().find((one) => one.id === id);
    const size = item && waitsForReview(item) ? await measurePicture(item.source.path) : null;
    if (!item || !size) return NOT_WAITING;
    const may = mayOpen();
    if (!may.ok) return may;
    const { name, createdAt: takenAt, source } = item;
    const capture = { id: random.uuid() as string as CaptureId, path: source.path, name, ...size, takenAt, item: id };
    pending.note({ ...capture, status: { is: 'editing' } });
    onChange();
    return DONE;
  };
