/**
 * `POST .../resumable`: starts a resumable upload. Validates the manifest (the size and the SHA-256 of every part),
 * allocates the object and records the upload, only once per Idempotency-Key.
 */
import { createHash } from 'node:crypto';
import type { RequestKey, UploadId } from '../../api/ids.ts';
import { partCount } from '../../api/limits.ts';
import { fingerprintText, type StartUpload } from '../../api/resumable-upload.ts';
import { type AccountRow, accountStore } from '../accounts/accounts.ts';
import { requireActiveAccount } from '../accounts/authenticate.ts';
import { limitsOf, quotaOf, refuseOversizedUpload } from '../accounts/plan.ts';
import type { ServerDeps } from '../deps.ts';
import { bytesGone, invalidInput, ProblemError } from '../problem-details.ts';
import { holdStaged } from '../storage/object-rows.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { discardObject } from '../storage/write-and-discard-object.ts';
import { storedFilename } from './sanitize-filename.ts';
import { type NewUpload, type UploadRow, type UploadStore, uploadStore } from './upload-store.ts';

const PENDING_RETRY_MS = 60_000;

/**
 * Starts an upload, or returns the one that the key has started before. Throws ACCOUNT_MISMATCH, IDEMPOTENCY_CONFLICT,
 * UPLOAD_TOO_LARGE, INVALID_INPUT, QUOTA_EXCEEDED and, with too many pending uploads, UPLOAD_USER_BUSY.
 */
export const createStarter = (deps: ServerDeps, store: UploadStore) => {
  const { config, clock, random, objects, records } = deps;

  /** Refuses the key of an upload of other bytes. */
  const same = (row: UploadRow | undefined, body: StartUpload): UploadRow | undefined => {
    if (row === undefined || (row.size === body.size && row.fingerprint === body.fingerprint)) return row;
    throw new ProblemError(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key has started an upload of other bytes; use a new key.',
    );
  };

  const checkSpace = (account: AccountRow, size: number, pending: number): void => {
    const limitBytes = quotaOf(config, account, clock.now());
    if (account.storageUsed + size > limitBytes) {
      throw new ProblemError('QUOTA_EXCEEDED', 'The account has no space left for this file; delete something first.', {
        params: { limitBytes, usedBytes: account.storageUsed },
      });
    }
    const { pendingUploads } = config.limits;
    if (pending >= pendingUploads) {
      throw new ProblemError(
        'UPLOAD_USER_BUSY',
        `The account has ${pendingUploads} unfinished uploads; finish or cancel one first.`,
        { retryAfterMs: PENDING_RETRY_MS },
      );
    }
  };

  return async (account: AccountRow, key: RequestKey, body: StartUpload): Promise<UploadRow> => {
    if (body.accountId !== account.id) {
      throw new ProblemError('ACCOUNT_MISMATCH', 'The API key belongs to another account than accountId names.');
    }
    const before = same(await store.byKey(account.id, key), body);
    if (before !== undefined) {
      checkManifest(body);
      return before;
    }
    refuseOversizedUpload(limitsOf(config, account, clock.now()), body.size);
    checkManifest(body);
    checkSpace(account, body.size, (await store.pendingOf(account.id)).length);

    const upload: NewUpload = {
      id: random.uuid() as UploadId,
      accountId: account.id,
      idempotencyKey: key,
      objectId: random.uuid() as ObjectId,
      filename: storedFilename(body.filename),
      size: body.size,
      chunkCount: partCount(body.size),
      fingerprint: body.fingerprint,
      expiresAt: clock.now() + config.limits.pendingUploadSeconds * 1_000,
    };
    await objects.stage(upload.objectId, upload.size);
    try {
      // Creating the file took a moment; a twin of this request may have been faster.
      const row = await records.transaction(async (tx) => {
        const uploads = uploadStore(tx);
        const now = requireActiveAccount(await accountStore(tx).lock(account.id));
        const other = same(await uploads.byKey(account.id, key), body);
        if (other !== undefined) return other;
        checkSpace(now, body.size, (await uploads.pendingOf(account.id)).length);
        if (!(await holdStaged(tx, upload.objectId))) throw bytesGone();
        return await uploads.insert(upload, body.chunkHashes, clock.now());
      });
      if (row.id !== upload.id) await discardObject(deps, upload.objectId);
      return row;
    } catch (error) {
      await discardObject(deps, upload.objectId, error);
      throw error;
    }
  };
};

const checkManifest = ({ size, chunkHashes, fingerprint }: StartUpload): void => {
  const count = partCount(size);
  if (chunkHashes.length !== count) {
    throw invalidInput({ path: '/chunkHashes', message: `must have ${count} items for a file of ${size} bytes` });
  }
  const expected = createHash('sha256').update(fingerprintText(size, chunkHashes), 'utf8').digest('hex');
  if (fingerprint !== expected) {
    throw invalidInput({ path: '/fingerprint', message: 'does not match size and chunkHashes' });
  }
};
