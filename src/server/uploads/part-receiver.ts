/**
 * `PUT .../parts/{index}`: receives one part of an upload, checks it against the manifest and confirms it durably. The
 * first part shows the type of the file; if a file of this type and size may not be published, the upload is cancelled
 * (API document, "upload a part").
 */
import type { IncomingMessage } from 'node:http';
import { detectMedia, type MediaKind } from '../../api/detect-media-kind.ts';
import { LIMITS, partLength } from '../../api/limits.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { limitsOf, refuseOversizedMedia } from '../accounts/plan.ts';
import type { ServerDeps } from '../deps.ts';
import { invalidInput, ProblemError, serverBusy } from '../problem-details.ts';
import type { WriteLease } from '../storage/write-lease.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import type { InFlightControls, InFlightPart, InFlightParts } from './in-flight-parts.ts';
import { hasPart } from './part-bitmap.ts';
import { type Buffers, createBuffers, receivePartBody } from './part-body.ts';
import { createPartLeases, uploadGone } from './part-leases.ts';
import { createStagedObjectCache } from './staged-object-cache.ts';
import type { UploadRow, UploadStore } from './upload-store.ts';

interface PartRequest {
  readonly account: AccountRow;
  readonly row: UploadRow;
  readonly index: number;
  /** The request; its `Content-Length` has been checked. */
  readonly raw: IncomingMessage;
  /** Called right before the body is read. */
  readonly invite: () => void;
}

export interface PartReceiver {
  /** Resolves with the upload's confirmed row. */
  receive(request: PartRequest): Promise<UploadRow>;
  /** All parts of the upload are confirmed: resolves when no request writes to its file, and the file is closed. */
  writesDone(row: UploadRow): Promise<void>;
  close(): Promise<void>;
}

/** The part must have exactly its length by the manifest; checked before a byte of it is read. Throws INVALID_INPUT. */
export const checkPartHeaders = (row: UploadRow, index: number, contentLength: string | undefined): void => {
  if (index >= row.chunkCount) {
    throw invalidInput({ path: '/index', message: `must be below ${row.chunkCount}, the number of parts` });
  }
  const expected = partLength(row.size, index);
  if (contentLength === undefined || !/^\d+$/.test(contentLength) || Number(contentLength) !== expected) {
    throw invalidInput({ path: '/content-length', message: `must be ${expected}, the size of part ${index}` });
  }
};

/** With fewer missing bytes the completion is near. */
const NEARLY_COMPLETE_BYTES = 4 * LIMITS.partBytes;

/** `nearlyComplete` is called early enough to prepare for a completion, possibly repeatedly. */
export const createPartReceiver = (
  deps: ServerDeps,
  store: UploadStore,
  inFlightParts: InFlightParts,
  nearlyComplete: () => void,
): PartReceiver => {
  const buffers: Buffers = createBuffers();
  const confirmations: GroupCommit = createGroupCommit(store);
  const leases = createPartLeases(store);
  const files = createStagedObjectCache(deps.objects);
  const stallMs = deps.config.limits.partStallSeconds * 1_000;

  /** A repeat is only compared; the row decides on arrival whether possibly new bytes are written. */
  const receive = (request: PartRequest, flight: InFlightPart, control: (controls: InFlightControls) => void) =>
    hasPart(request.row.received, request.index) ? repeat(request, flight, control) : first(request, flight, control);

  const repeat = async (
    request: PartRequest,
    flight: InFlightPart,
    control: (controls: InFlightControls) => void,
  ): Promise<UploadRow> => {
    const { row, index, raw, invite } = request;
    const body = receivePartBody(raw, { length: partLength(row.size, index), buffer: null, stallMs });
    control({ replaced: body.discard, aborted: body.abort });
    invite();
    const { digest } = await body.received;
    await checkHash(row, index, digest);
    return await latest(row, flight, index);
  };

  const first = async (
    request: PartRequest,
    flight: InFlightPart,
    control: (controls: InFlightControls) => void,
  ): Promise<UploadRow> => {
    const { row, index, raw, invite } = request;
    const length = partLength(row.size, index);
    const buffer = buffers.lend(length);
    if (buffer === null) throw serverBusy('The server receives too many parts at the moment; try again soon.');
    try {
      const body = receivePartBody(raw, { length, buffer, stallMs });
      control({ replaced: body.discard, aborted: body.abort });
      invite();
      const { digest, bytes } = await body.received;
      await checkHash(row, index, digest);
      if (bytes !== null && !(await flight.isReplaced())) {
        return await leases.lend(row.id, index, (lease, now) => keep({ ...request, row: now }, flight, bytes, lease));
      }
    } finally {
      buffer.giveBack();
    }
    // Without the buffer: the requests that took over may last as long as their clients like.
    return await latest(row, flight, index);
  };

  const checkHash = async (row: UploadRow, index: number, digest: Buffer): Promise<void> => {
    const expected = await store.hashOf(row.id, index);
    if (expected === undefined) {
      // The response to a repeat says that the item is gone.
      if ((await store.byId(row.id))?.state === 'COMPLETED') return;
      throw uploadGone();
    }
    if (digest.equals(expected)) return;
    throw new ProblemError('UPLOAD_PART_MISMATCH', `The bytes of part ${index} do not match its hash; send it again.`);
  };

  /** The response for valid bytes that another request has stored or is about to store. */
  const latest = async (row: UploadRow, flight: InFlightPart, index: number): Promise<UploadRow> => {
    await flight.successorsEnded();
    const now = await store.byId(row.id);
    if (now === undefined || hasEnded(now)) throw uploadGone();
    if (hasPart(now.received, index)) return now;
    throw new ProblemError(
      'UPLOAD_STALLED',
      'A newer request for this part took over and did not finish; send it again.',
    );
  };

  const keep = async (
    { account, row, index }: PartRequest,
    flight: InFlightPart,
    bytes: Buffer,
    lease: WriteLease,
  ): Promise<UploadRow> => {
    const mediaKind = index === 0 ? await admitMedia(account, row, flight, bytes) : undefined;
    if (row.size - row.receivedBytes <= NEARLY_COMPLETE_BYTES) nearlyComplete();
    const confirmed = await files
      .using(row.objectId, async (staged) => {
        await staged.write(lease, bytes);
        return await confirmations.confirm(
          { uploadId: row.id, index, length: bytes.length, ...(mediaKind && { mediaKind }) },
          staged,
        );
      })
      .catch(async (error: unknown) => {
        const now = await store.byId(row.id);
        // The file of an upload that ended meanwhile is rightly missing.
        if (now === undefined || hasEnded(now)) throw uploadGone();
        // Another node has confirmed the part, and may have completed the upload.
        if (hasPart(now.received, index)) return now;
        throw error;
      });
    if (hasEnded(confirmed)) throw uploadGone();
    return confirmed;
  };

  /** Decides by the first part whether the file may be published; if not, cancels the upload immediately. */
  const admitMedia = async (
    account: AccountRow,
    row: UploadRow,
    flight: InFlightPart,
    bytes: Buffer,
  ): Promise<MediaKind> => {
    try {
      const kind = await detectMedia(bytes);
      if (kind === null) {
        throw new ProblemError(
          'UPLOAD_FORMAT_UNSUPPORTED',
          'Only PNG, JPEG, WebP and AVIF images and MP4 and WebM videos are accepted; convert the file first.',
        );
      }
      refuseOversizedMedia(limitsOf(deps.config, account, deps.clock.now()), kind.type, row.size);
      return kind;
    } catch (refusal) {
      if (refusal instanceof ProblemError) {
        await store.end(row, 'CANCELLED');
        inFlightParts.abort(row.id, uploadGone(), flight);
      }
      throw refusal;
    }
  };

  return {
    receive: ({ account, row, index, ...rest }) =>
      inFlightParts.run({ accountId: account.id, uploadId: row.id, index }, (flight, control) =>
        receive({ account, row, index, ...rest }, flight, control),
      ),
    writesDone: async ({ id, objectId }) => {
      await leases.released(id);
      await files.release(objectId);
    },
    close: files.close,
  };
};

/** Without an item. */
const hasEnded = (row: UploadRow | undefined): boolean =>
  row === undefined || row.state === 'CANCELLED' || row.state === 'EXPIRED';
