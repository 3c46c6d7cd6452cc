/**
 * `POST .../complete`: publishes a complete upload as exactly one item (API decisions 1, "States"). Cancels the upload
 * if its bytes are refused, and returns it to UPLOADING after any other error. Concurrent requests wait for the running
 * one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Content } from '../../api/content.ts';
import type { MediaKind } from '../../api/detect-media-kind.ts';
import { type ServiceErrorCode, unreachable } from '../../api/errors.ts';
import type { ContentId, RequestKey, UploadId } from '../../api/ids.ts';
import type { CompleteUpload } from '../../api/resumable-upload.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { limitsOf, refuseOversizedMedia } from '../accounts/plan.ts';
import { defaultVisibility, type PreparedFields, type Publisher } from '../content/publish-item.ts';
import { checkTitle, titleFromName } from '../content/title-and-tags.ts';
import type { ServerDeps } from '../deps.ts';
import type { Inspector } from '../media/media-inspector.ts';
import { ProblemError, problemOf } from '../problem-details.ts';
import { sourceOf } from '../storage/file-source.ts';
import {
  type DigestedRequest,
  defaultVisibilityOf,
  digestedRequest,
  type FieldDefaults,
  fieldsDigest,
  isSameRequest,
} from './idempotency.ts';
import { partNumbers } from './part-bitmap.ts';
import { uploadGone } from './part-leases.ts';
import type { PartReceiver } from './part-receiver.ts';
import type { UploadRow, UploadStore } from './upload-store.ts';
import { RENEW_LEASE_MS, uploadStore } from './upload-store.ts';

/** The requester's account in its current state. */
type Requester = () => Promise<AccountRow>;

interface Attempt {
  readonly key: RequestKey;
  readonly digest: string;
  readonly outcome: Promise<UploadRow>;
}

interface AttemptRequest extends DigestedRequest {
  readonly key: RequestKey;
}

/** Refusals of the bytes themselves: a retry cannot help, so the upload is CANCELLED. */
const REFUSES_BYTES: ReadonlySet<ServiceErrorCode> = new Set([
  'UPLOAD_FORMAT_UNSUPPORTED',
  'IMAGE_TOO_LARGE',
  'VIDEO_TOO_LARGE',
  'VIDEO_NOT_SUITABLE',
]);
const BUSY_RETRY_MS = 3_000;
/** How often the row is read while another node completes the upload. */
const LOOK_AGAIN_MS = 200;

export interface Completion {
  /**
   * Resolves with the COMPLETED row. `row` belongs to the account of `requester`, which throws once it may no longer
   * complete.
   */
  complete(requester: Requester, row: UploadRow, request: CompleteUpload): Promise<UploadRow>;
  /** Cancels what is running; such uploads are UPLOADING again. */
  close(): Promise<void>;
}

export const createCompletion = (
  deps: ServerDeps,
  store: UploadStore,
  {
    publisher,
    inspector,
    contentOf,
    writesDone,
  }: {
    readonly publisher: Publisher;
    readonly inspector: Inspector;
    /** Null if deleted or expired. */
    readonly contentOf: (id: ContentId) => Promise<Content | null>;
    readonly writesDone: PartReceiver['writesDone'];
  },
): Completion => {
  const attempts = new Map<UploadId, Attempt>();
  const stop = new AbortController();

  /** Undefined: none is published yet; null: it was deleted or has expired. */
  const itemOf = async (id: UploadId): Promise<Content | null | undefined> => {
    const contentId = (await store.byId(id))?.contentId ?? null;
    return contentId === null ? undefined : await contentOf(contentId);
  };

  /** What an omitted field stands for: in the item, or as long as there is none, in one that were made now. */
  const defaultsOf = async (requester: Requester, { id, filename }: UploadRow): Promise<FieldDefaults | null> => {
    const item = await itemOf(id);
    if (item === null) return null;
    const visibility = item === undefined ? defaultVisibility(await requester()) : defaultVisibilityOf(item);
    return { title: checkTitle(titleFromName(filename)), visibility };
  };

  /** Of two completions with one key. Where the item is gone, so are its fields: the key alone tells a repeat. */
  const isRepeat = async (
    requester: Requester,
    row: UploadRow,
    { recorded, asked }: { readonly recorded: string | null; readonly asked: DigestedRequest },
  ): Promise<boolean> =>
    (await isSameRequest(recorded, asked, () => defaultsOf(requester, row))) || (await itemOf(row.id)) === null;

  const complete = async (requester: Requester, upload: UploadRow, request: CompleteUpload): Promise<UploadRow> => {
    const { id } = upload;
    const { completeKey: key, ...fields } = request;
    const asked = await digestedRequest(fields, (sent) => fieldsDigest(id, sent));
    const { digest } = asked;
    // Nothing is awaited between the look at the attempts and joining or creating one, so there is never a second one.
    for (;;) {
      const running = attempts.get(id);
      if (running !== undefined && running.key === key) {
        if (!(await isRepeat(requester, upload, { recorded: running.digest, asked }))) throw conflict();
        try {
          return await running.outcome;
        } catch (error) {
          // The other request's key has ended.
          if (problemOf(error, deps.records.dialect).status !== 401) throw error;
          continue;
        }
      }
      if (running !== undefined) {
        await running.outcome.catch(() => {});
        continue;
      }
      const outcome = decide(requester, id, { key, ...asked }).finally(() => attempts.delete(id));
      attempts.set(id, { key, digest, outcome });
      return await outcome;
    }
  };

  const decide = async (requester: Requester, id: UploadId, request: AttemptRequest): Promise<UploadRow> => {
    const row = await store.byId(id);
    if (row === undefined || row.state === 'CANCELLED' || row.state === 'EXPIRED') throw uploadGone();
    const sameKey = row.completeKey === request.key;
    if (sameKey && !(await isRepeat(requester, row, { recorded: row.completeDigest, asked: request })))
      throw conflict();
    switch (row.state) {
      case 'COMPLETED':
        if (!sameKey) throw conflict();
        return row;
      case 'COMPLETING':
        if (store.isLeased(row)) {
          await sleep(LOOK_AGAIN_MS, undefined, { signal: stop.signal });
          return await decide(requester, id, request);
        }
        // No attempt is running: the node has ended, or resetting the state had failed, for example on a full disk.
        return await attempt(requester, row, request);
      case 'UPLOADING':
        return await attempt(requester, row, request);
      default:
        return unreachable(row.state);
    }
  };

  const attempt = async (requester: Requester, row: UploadRow, request: AttemptRequest): Promise<UploadRow> => {
    const missing = partNumbers(row.received, row.chunkCount, 'missing');
    if (missing.length > 0 || row.mediaKind === null) {
      throw new ProblemError('UPLOAD_INCOMPLETE', `${missing.length} parts are missing; send them first.`, {
        params: { missing },
      });
    }
    const kind = JSON.parse(row.mediaKind) as MediaKind;
    const prepared = await publisher.prepare(request.fields, row.filename);
    await writesDone(row);
    const lease = await store.beginCompleting(row, request.key, request.digest);
    // Another node was faster, or the upload has ended.
    if (lease === null) return await decide(requester, row.id, request);
    const renewing = setInterval(() => {
      store.renew(row.id, lease).catch((error: unknown) => {
        deps.log(`Renewing the lease of upload ${row.id} failed: ${String(error)}`, { level: 'warn' });
      });
    }, RENEW_LEASE_MS).unref();
    try {
      return await publish(requester, row, { kind, prepared, lease });
    } catch (error) {
      await settleFailure(row, lease, problemOf(error, deps.records.dialect));
      throw error;
    } finally {
      clearInterval(renewing);
    }
  };

  const publish = async (
    requester: Requester,
    row: UploadRow,
    { kind, prepared: fields, lease }: { kind: MediaKind; prepared: PreparedFields; lease: string },
  ): Promise<UploadRow> => {
    const { objects, config, clock, records } = deps;
    refuseOversizedMedia(limitsOf(config, await requester(), clock.now()), kind.type, row.size);
    const source = sourceOf(objects, row.objectId, row.size);
    const inspection = await inspector.inspect(
      { id: row.objectId, accountId: row.accountId, source, kind },
      stop.signal,
    );
    if (!inspection.ok) {
      const { code, detail, params } = inspection;
      throw new ProblemError(code, detail, {
        ...(params && { params }),
        ...(code === 'UPLOAD_SERVER_BUSY' && { retryAfterMs: BUSY_RETRY_MS }),
      });
    }
    await objects.commit(row.objectId);
    await requester();
    return await records.transaction(async (tx) => {
      const content = await publisher.publish(tx, row.accountId, {
        objectId: row.objectId,
        type: kind.type,
        mime: kind.mime,
        size: row.size,
        originalName: row.filename,
        metadata: inspection.metadata,
        fields,
      });
      return await uploadStore(tx).complete(row.id, content.id, lease, clock.now());
    });
  };

  /** An error here would hide the one being sent; the next try, or `reopenLost`, repairs the state. */
  const settleFailure = async (row: UploadRow, lease: string, problem: ProblemError): Promise<void> => {
    try {
      if (REFUSES_BYTES.has(problem.code)) await store.end(row, 'CANCELLED', lease);
      else await store.reopen(row.id, lease);
    } catch (error) {
      deps.log(`Upload ${row.id} stays COMPLETING for now: ${String(error)}`, { level: 'warn' });
    }
  };

  return {
    complete,
    close: async () => {
      stop.abort(new Error('The server stops.'));
      await Promise.allSettled([...attempts.values()].map(({ outcome }) => outcome));
    },
  };
};

const conflict = (): ProblemError =>
  new ProblemError(
    'COMPLETE_CONFLICT',
    'The upload was completed with another completeKey or other fields; read its state to see the item.',
  );
