/**
 * Processes images and videos after their publication: makes previews, and moves videos from PROCESSING to READY (or
 * FAILED with a reason). The rows themselves are the queue, so a killed server resumes where it was.
 */
import { unreachable } from '../../api/errors.ts';
import { kindOfMime } from '../../api/media-kind.ts';
import { type ContentRow, createContentStore } from '../content/content-store.ts';
import type { ServerDeps } from '../deps.ts';
import { type ObjectId, writeObject } from '../storage/object-store.ts';
import type { Inspector } from './inspector.ts';

const RETRY_MS = 5_000;
/** After so many errors of the server itself an item is skipped, so that the next ones proceed. */
const TRIES = 3;

export interface MediaJobs {
  /** There may be work. */
  wake(): void;
  /** Cancels the current work; the next start repeats it. */
  close(): Promise<void>;
}

type Outcome = Pick<ContentRow, 'mediaStatus' | 'mediaError' | 'previewId'>;

const failed = (mediaError: string): Outcome => ({ mediaStatus: 'FAILED', mediaError, previewId: null });
const ready = (previewId: ObjectId | null): Outcome => ({ mediaStatus: 'READY', mediaError: null, previewId });

export const createMediaJobs = (deps: ServerDeps, inspector: Pick<Inspector, 'preview' | 'debtOf'>): MediaJobs => {
  const { database, deletions, objects, log } = deps;
  const store = createContentStore(database);
  const stop = new AbortController();
  const failures = new Map<number, number>();
  let running: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;

  /** The file was inspected before it was published. Null: the server is stopping. */
  const process = async ({ accountId, objectId, size, mime, mediaStatus }: ContentRow): Promise<Outcome | null> => {
    if (objectId === null) return failed('The item has expired.');
    if ((await objects.size(objectId)) !== size) return failed('The stored file is damaged.');
    const preview = await objects.withSealedFile(
      objectId,
      (file) => inspector.preview({ id: objectId, accountId, file, kind: kindOfMime(mime) }, stop.signal),
      stop.signal,
    );
    switch (preview.kind) {
      case 'made':
        return ready(await writeObject(deps, preview.bytes));
      case 'none':
        return ready(null);
      case 'damaged':
        // A READY item stays READY: its viewers already use it.
        return mediaStatus === 'READY' ? ready(null) : failed(preview.reason);
      case 'later':
        return null;
      default:
        return unreachable(preview);
    }
  };

  /** The preview of an item deleted meanwhile is deleted too. */
  const record = database.transaction(({ id, objectId }: ContentRow, outcome: Outcome): void => {
    const row = store.byId(id);
    if (row !== undefined && row.objectId === objectId) store.save({ ...row, ...outcome, previewWanted: 0 });
    else if (outcome.previewId !== null) deletions.enqueue(outcome.previewId);
  });

  /** The result for an item on which the server failed repeatedly, for example with a full disk. */
  const letGo = async ({ objectId, size }: ContentRow): Promise<Outcome> => {
    const stored = objectId === null ? null : await objects.size(objectId).catch(() => null);
    return stored === size ? ready(null) : failed('The stored file cannot be read.');
  };

  const attempt = async (row: ContentRow): Promise<Outcome | null> => {
    try {
      const outcome = await process(row);
      failures.delete(row.seq);
      return outcome;
    } catch (error) {
      // Deleted during the work: its file is rightly missing.
      if (store.byId(row.id)?.objectId !== row.objectId) return ready(null);
      const count = (failures.get(row.seq) ?? 0) + 1;
      failures.set(row.seq, count);
      if (count < TRIES || stop.signal.aborted) throw error;
      failures.delete(row.seq);
      log(`Processing ${row.id} failed for good: ${String(error)}`, { level: 'warn' });
      return letGo(row);
    }
  };

  /** Among the oldest items of the accounts, the one whose account has the least recent usage. */
  const next = (): ContentRow | undefined =>
    store.oldestUnfinished().reduce<ContentRow | undefined>((best, row) => {
      const isBetter = best === undefined || inspector.debtOf(row.accountId) < inspector.debtOf(best.accountId);
      return isBetter ? row : best;
    }, undefined);

  const drain = async (): Promise<void> => {
    for (let row = next(); row !== undefined; row = next()) {
      if (stop.signal.aborted) return;
      const outcome = await attempt(row);
      if (outcome === null) return;
      record.immediate(row, outcome);
    }
  };

  const wake = (): void => {
    if (stop.signal.aborted || running !== null) return;
    clearTimeout(retry);
    running = drain()
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        log(`Processing a file failed and will be tried again: ${String(error)}`, { level: 'warn' });
        retry = setTimeout(wake, RETRY_MS).unref();
      })
      .finally(() => {
        running = null;
      });
  };

  return {
    wake,
    close: async () => {
      stop.abort(new Error('The server stops.'));
      clearTimeout(retry);
      await running;
    },
  };
};
