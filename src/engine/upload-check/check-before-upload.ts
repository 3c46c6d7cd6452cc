/**
 * Checks a capture for what looks secret before it is uploaded, where the user wants that. A capture with findings
 * waits in the queue until the user has looked at it. One that cannot be checked also waits, or is uploaded with a
 * notice to the user, as the setting says.
 */
import { type ErrorCode, err, type Failure, failure, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Redaction } from '../../ipc/protocol/vision.ts';
import type { Prepare } from '../upload/preparation-types.ts';
import { NOT_APPLIED_DETAIL } from './drawing-not-applied.ts';

export interface UploadCheckDeps {
  readonly settings: () => Pick<Settings, 'checkBeforeUpload'>;
  /** What looks secret in a picture. Errors: those of `VisionProcessClient.readThoroughly`. */
  readonly find: (path: string, signal: AbortSignal) => Promise<Result<Redaction>>;
  /** Whether the user has drawn on the picture in the editor. */
  readonly isDrawnOn: (picture: string) => Promise<boolean>;
  /** The capture will wait for the user. */
  readonly onFound: (id: ItemId) => void;
  readonly notify: (notice: Failure) => void;
}

const WAITS: ReadonlySet<ErrorCode> = new Set(['SECRETS_FOUND', 'SECRETS_UNCHECKED', 'DRAWING_NOT_APPLIED']);

/** Whether a capture waits in the queue until the user has looked at it. */
export const waitsForReview = (item: QueueItem): item is QueueItemIn<'queued'> =>
  item.state === 'queued' && item.error !== null && WAITS.has(item.error.failure.code);

/** The failure where it no longer does. */
export const NOT_WAITING = err(failure('CAPTURE_GONE', 'This capture no longer waits in the queue.'));

/** The preparation, after the check. */
export const checkBefore =
  (prepare: Prepare, { settings, find, isDrawnOn, onFound, notify }: UploadCheckDeps): Prepare =>
  async (item, context, signal) => {
    const rule = settings().checkBeforeUpload;
    if (item.origin !== 'capture' || item.job.kind !== 'file' || item.isReviewed) return prepare(item, context, signal);
    /** Refuses a picture in which the user has hidden something while it waited: it is not hidden there. */
    const prepareUndrawn = async (warn?: () => void): ReturnType<Prepare> => {
      if (await isDrawnOn(item.source.path)) {
        onFound(item.id);
        return err(failure('DRAWING_NOT_APPLIED', NOT_APPLIED_DETAIL, { params: { rule } }));
      }
      warn?.();
      return prepare(item, context, signal);
    };
    if (rule === 'off') return prepareUndrawn();
    // The preparation reports a file that cannot be read.
    const found = await find(item.source.path, signal).catch((error: unknown) =>
      err(failure('TEXT_NOT_READ', String(error))),
    );
    if (!found.ok) {
      const { code, detail } = found.error;
      if (signal.aborted || code === 'CANCELLED' || code.startsWith('SOURCE_')) return found;
      const params = { name: item.name, reason: code };
      if (rule === 'require') {
        onFound(item.id);
        return err(failure('SECRETS_UNCHECKED', detail, { params }));
      }
      const unchecked = `${item.name} was uploaded without a check for secrets. ${detail}`;
      return prepareUndrawn(() => notify(failure('UPLOADED_UNCHECKED', unchecked, { params })));
    }
    const count = found.value.found.length;
    if (count === 0) return prepareUndrawn();
    onFound(item.id);
    const detail = `${count} ${count === 1 ? 'place looks' : 'places look'} secret.`;
    return err(failure('SECRETS_FOUND', detail, { params: { count, rule } }));
  };
