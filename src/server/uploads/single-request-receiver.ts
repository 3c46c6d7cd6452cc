/**
 * Receives a complete file in one request, for all routes that accept one, within the account's limit of concurrent
 * requests. The route then publishes the file; a repeated Idempotency-Key returns the earlier item and stores nothing
 * (API decisions 3, `POST /uploads`).
 */

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Content, ShareFields } from '../../api/content.ts';
import type { Endpoint } from '../../api/endpoints/endpoint.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { keyHolder, keyHolderNow } from '../accounts/authenticate.ts';
import type { ContentRow } from '../content/content-rows.ts';
import { defaultTitleOf } from '../content/title-and-tags.ts';
import type { Transaction } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import { inviteBody } from '../http/expect-continue.ts';
import { ProblemError } from '../problem-details.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { discardObject } from '../storage/write-and-discard-object.ts';
import {
  digestedRequest,
  fieldsDigest,
  type IdempotencyRecord,
  idempotencyStore,
  replayed,
  twinRunning,
} from './idempotency.ts';
import { storedFilename } from './sanitize-filename.ts';
import { readSingleRequestForm, type Sink } from './single-request-form.ts';

const BUSY_RETRY_MS = 2_000;

/**
 * Runs `work` in one of the `uploadsAtOnce` slots of the account. Throws IDEMPOTENCY_CONFLICT while a request with the same
 * `twin` runs, and UPLOAD_USER_BUSY when the account has no free slot; `twin` is null without an Idempotency-Key.
 */
const inSlot = async <T>(
  { slots, random, config }: Pick<ServerDeps, 'slots' | 'random' | 'config'>,
  { accountId, twin }: { readonly accountId: AccountId; readonly twin: string | null },
  work: () => Promise<T>,
): Promise<T> => {
  const limit = config.limits.uploadsAtOnce;
  const slot = await slots.take({ accountId, kind: 'file', name: twin ?? random.uuid(), limit, takesOver: false });
  if (slot === 'running') throw twinRunning();
  if (slot === 'busy') {
    throw new ProblemError(
      'UPLOAD_USER_BUSY',
      `The account sends ${limit} files already; send this one when one of them is done.`,
      { retryAfterMs: BUSY_RETRY_MS },
    );
  }
  try {
    return await work();
  } finally {
    await slot.release();
  }
};

/** A completely received file. The object is staged; it is removed unless it is committed on publication. */
export interface ReceivedFile {
  /** As of the end of the file. */
  readonly account: AccountRow;
  readonly objectId: ObjectId;
  readonly size: number;
  /** In its stored form. */
  readonly filename: string;
  readonly fields: ShareFields;
  /**
   * Publishes and records the Idempotency-Key in one transaction. Throws when the requester's key has ended meanwhile.
   */
  readonly publish: (insert: (tx: Transaction) => Promise<ContentRow>) => Promise<ContentRow>;
}

/** What Content-Length says about the size of a file in advance, in bytes; nothing without one (`most` is 0). */
export interface Announced {
  readonly least: number;
  readonly most: number;
}

/** Inspects the file while it is received; an exception refuses it, and the rest is discarded. */
export interface Watch {
  /** The file has at least `size` bytes; called for a repeated request too. */
  readonly admit: (size: number) => void;
  /** Called before each chunk of a new file is stored, with the size including it. */
  readonly see: (chunk: Buffer, size: number) => void | Promise<void>;
}

export interface SingleRequestReceiver {
  /**
   * Resolves with the result of `make`, or with the item of an earlier request. An exception of `make` leaves no object
   * behind.
   */
  take<T, W extends Watch>(
    request: FastifyRequest,
    reply: FastifyReply,
    way: {
      readonly endpoint: Endpoint;
      readonly watch: (account: AccountRow, announced: Announced) => W;
      readonly make: (file: ReceivedFile, watch: W) => Promise<T>;
    },
  ): Promise<{ readonly made: T } | { readonly replayed: Content }>;
}

/** More than the rest of any form besides the file. */
const FORM_BYTES = 512 * 1024;

export const createSingleRequestReceiver = (
  deps: ServerDeps,
  contentOf: (id: ContentId) => Promise<Content | null>,
): SingleRequestReceiver => {
  const { config, records, objects, random } = deps;
  const stallMs = config.limits.uploadStallSeconds * 1_000;

  /** Opens the object for the bytes; those of a repeated request are only compared. */
  const openTarget = async (objectId: ObjectId, before: IdempotencyRecord | undefined) => {
    if (before !== undefined) return { append: async () => {}, finish: async () => {}, close: async () => {} };
    return await objects.stageStream(objectId);
  };

  const receive = async (
    request: FastifyRequest,
    objectId: ObjectId,
    before: IdempotencyRecord | undefined,
    watch: Watch,
  ) => {
    const hash = createHash('sha256');
    const target = await openTarget(objectId, before);
    let size = 0;
    const sink: Sink = async (chunk) => {
      if (before === undefined) await watch.see(chunk, size + chunk.length);
      watch.admit(size + chunk.length);
      hash.update(chunk);
      await target.append(chunk);
      size += chunk.length;
    };
    try {
      const form = await readSingleRequestForm(request, { stallMs, sink });
      await target.finish();
      return { ...form, size, hash: hash.digest('hex') };
    } finally {
      await target.close();
    }
  };

  return {
    take: async (request, reply, { endpoint, watch, make }) => {
      const { account } = keyHolder(request);
      const key = request.headers['idempotency-key'];
      const place = typeof key === 'string' ? { account, route: endpoint.path, key } : null;
      const twin = place && `${account.id} ${place.route} ${place.key}`;

      return await inSlot(deps, { accountId: account.id, twin }, async () => {
        const before = place ? await idempotencyStore(records, deps).find(place) : undefined;
        const most = Number(request.headers['content-length'] ?? 0);
        const announced = { least: Math.max(0, most - FORM_BYTES), most };
        const watching = watch(account, announced);
        watching.admit(announced.least);
        const objectId = random.uuid() as ObjectId;
        try {
          inviteBody(request, reply);
          const { hash, filename, fields, size } = await receive(request, objectId, before, watching);
          const now = await keyHolderNow(request);
          const digested = await digestedRequest(
            fields,
            async (sent) => `${hash} ${await fieldsDigest(twin ?? objectId, sent)}`,
          );
          if (before !== undefined) return { replayed: await replayed(before, digested, contentOf, defaultTitleOf) };
          const publish = async (insert: (tx: Transaction) => Promise<ContentRow>): Promise<ContentRow> => {
            await keyHolderNow(request);
            return await records.transaction(async (tx) => {
              const row = await insert(tx);
              if (place) await idempotencyStore(tx, deps).record(place, { digest: digested.digest, contentId: row.id });
              return row;
            });
          };
          const file = { account: now.account, objectId, size, filename: storedFilename(filename), fields, publish };
          return { made: await make(file, watching) };
        } catch (error) {
          await discardObject(deps, objectId, error);
          throw error;
        }
      });
    },
  };
};
