/**
 * Processes images and videos after their publication: makes previews, and moves videos from PROCESSING to READY; an
 * item whose file is damaged becomes FAILED, with a reason. The rows of the items are the queue, so a restarted server
 * continues with the unfinished ones. A node claims an item before it processes it, and puts it off for a while if the
 * store works and yet does not give the item's file.
 */

import { kindOfMime } from '../../api/detect-media-kind.ts';
import { unreachable } from '../../api/errors.ts';
import { orOnAbort } from '../../base/common/on-abort.ts';
import { type ContentRow, contentRows } from '../content/content-rows.ts';
import { sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import { sourceOf } from '../storage/file-source.ts';
import { settleObject } from '../storage/object-rows.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { S3FullError, S3RefusedError, S3UnavailableError } from '../storage/s3-client.ts';
import { writeObject } from '../storage/write-and-discard-object.ts';
import { timerDelay } from '../timer-delay.ts';
import { createJobClaims, RENEW_CLAIM_MS } from './job-claims.ts';
import type { Inspector } from './media-inspector.ts';
import { createPostponedItems } from './postponed-items.ts';

const RETRY_MS = 5_000;
/** How well the clocks of nodes agree. */
const SOON_MS = 1_000;
/**
 * After so many tries that ended with an error of the server itself, or with the end of its process, an item is skipped, so
 * that the next ones proceed.
 */
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
  const { records, deletions, objects, sharedClock, log } = deps;
  const store = contentRows(records);
  const claims = createJobClaims(deps);
  const postponed = createPostponedItems(sharedClock, records.dialect);
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;
  /** There may be work that the running drain has not seen. */
  let isWoken = false;

  /** The file was inspected before it was published. Null: the server is stopping. */
  const process = async ({ accountId, objectId, size, mime, mediaStatus }: ContentRow): Promise<Outcome | null> => {
    if (objectId === null) return failed('The item has expired.');
    if ((await objects.size(objectId)) !== size) return failed('The stored file is damaged.');
    const source = sourceOf(objects, objectId, size);
    const preview = await inspector.preview({ id: objectId, accountId, source, kind: kindOfMime(mime) }, stop.signal);
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

  /** The preview of an item that was deleted meanwhile, or processed by another node, is deleted too. */
  const record = ({ id, seq, objectId }: ContentRow, outcome: Outcome): Promise<void> =>
    records.transaction(async (tx) => {
      const rows = contentRows(tx);
      const row = await rows.lock(id);
      const isOurs = row !== undefined && row.objectId === objectId && (await claims.finish(tx, seq));
      const { previewId } = outcome;
      if (!isOurs) {
        if (previewId !== null) await deletions.enqueue(tx, previewId);
        return;
      }
      // The sweep has taken the preview: the item still waits for one.
      if (previewId !== null && !(await settleObject(tx, previewId))) return;
      await rows.save({ ...row, ...outcome, previewWanted: 0 });
    });

  /** The result for an item on which the server failed repeatedly, for example with a full disk. */
  const letGo = async ({ objectId, size }: ContentRow): Promise<Outcome> => {
    const unreadable = (error: unknown): null => {
      if (isAway(error)) throw error;
      return null;
    };
    const stored = objectId === null ? null : await objects.size(objectId).catch(unreadable);
    return stored === size ? ready(null) : failed('The stored file cannot be read.');
  };

  // A refusal is a wrong clock or a revoked key of this node; a missing chunk is a damaged object.
  const isOfStore = (error: unknown): boolean => error instanceof S3UnavailableError || error instanceof S3RefusedError;

  const isAway = (error: unknown): boolean =>
    isOfStore(error) || ['unavailable', 'busy'].includes(records.dialect.kindOf(error) ?? '');

  /** Whether the store failed at this item alone; a full one takes the preview of no item. */
  const isOfItem = async (error: unknown): Promise<boolean> => {
    if (!isOfStore(error) || error instanceof S3FullError) return false;
    const works = objects.probe().then(
      () => true,
      () => false,
    );
    return await orOnAbort(works, stop.signal, () => false);
  };

  /** Says nothing about the item. */
  const isUnrelated = (error: unknown): boolean => stop.signal.aborted || isAway(error);

  const attempt = async (row: ContentRow, tries: number): Promise<Outcome | null> => {
    if (tries > TRIES) {
      log(`Processing object ${row.objectId} failed for good: the server ended over it ${TRIES} times.`, {
        level: 'warn',
      });
      return await letGo(row);
    }
    try {
      return await process(row);
    } catch (error) {
      // Deleted during the work: its file is rightly missing.
      if ((await store.byId(row.id))?.objectId !== row.objectId) return ready(null);
      if (isUnrelated(error) || tries < TRIES) throw error;
      log(`Processing object ${row.objectId} failed for good: ${String(error)}`, { level: 'warn' });
      return letGo(row);
    }
  };

  /** Among the oldest items of the accounts, the one whose account has the least recent usage. */
  const next = async (): Promise<ContentRow | undefined> => {
    const oldest = await store.oldestUnfinished(sql`${claims.free()} AND ${postponed.due()}`);
    const withDebts = oldest.map((row) => ({ row, debt: inspector.debtOf(row.accountId) }));
    return withDebts.toSorted((one, other) => one.debt - other.debt)[0]?.row;
  };

  /** Processes a claimed item. False: the server is stopping. */
  const work = async (row: ContentRow, tries: number): Promise<boolean> => {
    const renewing = setInterval(() => {
      claims.renew(row.seq).catch((error: unknown) => {
        log(`Renewing the claim on object ${row.objectId} failed: ${String(error)}`, { level: 'warn' });
      });
    }, RENEW_CLAIM_MS).unref();
    try {
      const outcome = await attempt(row, tries);
      if (outcome === null) {
        await claims.release(row.seq, false);
        return false;
      }
      await record(row, outcome);
      return true;
    } catch (error) {
      await claims.release(row.seq, !isUnrelated(error));
      if (!(await isOfItem(error))) throw error;
      log(`Processing object ${row.objectId} failed and will be tried again: ${String(error)}`, { level: 'warn' });
      postponed.add(row.seq);
      return true;
    } finally {
      clearInterval(renewing);
    }
  };

  const drain = async (): Promise<void> => {
    for (let row = await next(); row !== undefined; row = await next()) {
      if (stop.signal.aborted) return;
      const tries = await claims.take(row.seq);
      if (tries === null) continue;
      if (!(await work(row, tries))) return;
    }
    const ends = [await claims.nextEnd(), postponed.nextEnd()].filter((end) => end !== null);
    if (ends.length > 0 && !stop.signal.aborted)
      retry = setTimeout(wake, timerDelay(Math.max(SOON_MS, Math.min(...ends) - sharedClock.now()))).unref();
  };

  const wake = (): void => {
    if (stop.signal.aborted || !deps.runsJobs) return;
    isWoken = running !== null;
    if (isWoken) return;
    clearTimeout(retry);
    running = drain()
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        log(`Processing a file failed and will be tried again: ${String(error)}`, { level: 'warn' });
        retry = setTimeout(wake, RETRY_MS).unref();
      })
      .finally(() => {
        running = null;
        if (isWoken) wake();
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
