/**
 * `GET|HEAD /api/media/{id}`, `/preview` and `/preview.jpg`: the bytes of an item, of its preview, and of its preview
 * as JPEG for chats, for requesters with access. The first two support Range.
 */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { parseRange } from '../../base/common/http-range.ts';
import { type ContentRow, contentRows } from '../content/content-rows.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { closedSignal } from '../http/closed-signal.ts';
import { ProblemError } from '../problem-details.ts';
import { ANSWERS, type Standing } from '../sharing/access-rules.ts';
import {
  changesTooOften,
  createRequestAccess,
  LOOKS,
  type RequestAccess,
  requireDownload,
  requireToRead,
} from '../sharing/requester-access.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { ifRangeMatches, isAsRequired, isUnchanged, type Validators } from './conditional-requests.ts';
import { contentDisposition, downloadName, mediaHeaders } from './download-headers.ts';
import { PREVIEW_MIME } from './inspector-protocol.ts';
import { createJpegPreviews } from './jpeg-previews.ts';
import type { Inspector } from './media-inspector.ts';
import { createTransfers, type Sending } from './send-object.ts';

/** Such as `talk.webp` for `talk.mp4`. */
const previewName = ({ originalName }: ContentRow): string => `${originalName.replace(/\.[^.]+$/, '')}.webp`;

const MediaRequest = {
  params: Type.Object({ id: Type.String() }),
  querystring: Type.Object({ download: Type.Optional(Type.String({ description: '1: as an attachment' })) }),
};

/**
 * Other sites may show a picture that anyone with its link may load, which the link formats of the app write. Their
 * requests carry no cookie (SameSite=Lax), so an owner or a viewer with a grant never gets more on another site.
 */
const picturePolicy = ({ standing }: RequestAccess): 'cross-origin' | 'same-origin' =>
  standing === 'public' || standing === 'unlisted' ? 'cross-origin' : 'same-origin';

/** Objects are immutable, so the object's id is a sufficient validator; it is hashed because ids are internal. */
const etagOf = (objectId: ObjectId): string =>
  `"${createHash('sha256').update(objectId).digest('base64url').slice(0, 22)}"`;

/** The outgoing object and its metadata. */
interface Outgoing {
  readonly objectId: ObjectId;
  readonly size: number;
  readonly type: string;
  readonly disposition: string;
  readonly lastModified: Validators['lastModified'];
  /** Cross-Origin-Resource-Policy. */
  readonly policy: 'cross-origin' | 'same-origin';
}

/** What a requester gets, and by which access. */
interface Decided {
  readonly visit: RequestAccess & { readonly row: ContentRow };
  readonly outgoing: Outgoing;
}

/** The part of an object that answers a request. */
interface Opened {
  readonly etag: string;
  /** Of a condition of the request. */
  readonly refusal: 412 | 304 | null;
  readonly range: ReturnType<typeof parseRange>;
  readonly start: number;
  readonly end: number;
  /** Null: the response has no bytes. */
  readonly bytes: Readable | null;
}

/** Without a charset clients would guess. */
const contentTypeOf = (mime: string): string => (mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime);

/** How long a chat that unfurls a new link waits for its preview; few chats wait longer than five seconds. */
const PREVIEW_WAIT_MS = 3_000;
const PREVIEW_LOOK_MS = 100;

const conditionStatus = (headers: FastifyRequest['headers'], validators: Validators): 412 | 304 | null => {
  if (!isAsRequired(headers, validators)) return 412;
  return isUnchanged(headers, validators) ? 304 : null;
};

const isGuarded = (row: ContentRow): boolean =>
  row.visibility === 'private' ||
  row.passwordHash !== null ||
  row.oneTime === 1 ||
  row.viewLimit !== null ||
  row.moderationHold !== null;

export const registerMediaRoutes = (app: App, deps: ServerDeps, inspector: Pick<Inspector, 'jpegOf'>): void => {
  const { objects, records } = deps;
  const visits = createRequestAccess(deps);
  const transfers = createTransfers(deps);
  const jpegs = createJpegPreviews(deps, inspector);
  app.addHook('onClose', async () => {
    jpegs.close();
    transfers.close();
  });

  /**
   * The access of a requester who may have the bytes, or null for SHARE_UNAVAILABLE. `before` is that of an earlier look,
   * since which the request has waited.
   */
  const admit = async (
    request: FastifyRequest,
    id: string,
    before: Standing | null = null,
  ): Promise<(RequestAccess & { readonly row: ContentRow }) | null> => {
    const visit = await (before === null ? visits.look(request, id) : visits.lookAgain(request, id, before));
    const { row, standing } = visit;
    const { media } = ANSWERS[standing];
    if (row === undefined || media === 'unavailable') return null;
    if (media === 'open-first') throw new ProblemError('SHARE_OPEN_REQUIRED', 'Open the link on its page first.');
    requireToRead(request, standing);
    return { ...visit, row };
  };

  /** Retrying helps only during processing, which only videos wait for. */
  const notReady = ({ mediaStatus, type }: ContentRow): ProblemError =>
    mediaStatus === 'FAILED'
      ? new ProblemError(
          'MEDIA_PROCESSING',
          `The ${type === 'VIDEO' ? 'video' : 'image'} could not be processed; only its owner can download it.`,
        )
      : new ProblemError('MEDIA_PROCESSING', 'The video is still being processed; try again in a moment.', {
          retryAfterMs: 2_000,
        });

  /** Throws a refusal, or returns how to send the bytes. */
  const mediaOf = (row: ContentRow, objectId: ObjectId, visit: RequestAccess, download: boolean): Outgoing => {
    const owner = visit.standing === 'owner';
    if (download) requireDownload(row, visit.standing);
    const ready = row.mediaStatus === 'READY';
    if (!ready && !(owner && download)) throw notReady(row);
    const name = downloadName(row.originalName, row.mime);
    return {
      objectId,
      size: row.size,
      type: ready ? contentTypeOf(row.mime) : 'application/octet-stream',
      disposition: contentDisposition(download ? 'attachment' : 'inline', name),
      // The bytes of an edited note are newer than the item.
      lastModified: row.revision === 1 ? new Date(row.createdAt) : 'edited',
      policy: row.type === 'IMAGE' ? picturePolicy(visit) : 'same-origin',
    };
  };

  /** `before` spares asking for the size of the same object again. */
  const previewOf = async (
    { row, ...visit }: Decided['visit'],
    download: boolean,
    before: Outgoing | undefined,
  ): Promise<Outgoing> => {
    if (download) requireDownload(row, visit.standing);
    if (row.mediaStatus !== 'READY') throw notReady(row);
    if (row.previewId === null) throw new ProblemError('NOT_FOUND', 'This item has no preview, or not yet.');
    return {
      objectId: row.previewId,
      size: before?.objectId === row.previewId ? before.size : await objects.size(row.previewId),
      type: PREVIEW_MIME,
      disposition: download
        ? contentDisposition('attachment', previewName(row))
        : contentDisposition('inline', 'preview.webp'),
      lastModified: null,
      policy: 'same-origin',
    };
  };

  /** Waits for a preview that is being made, perhaps by another node. Throws NOT_FOUND. */
  const previewIdOf = async ({ id, ...row }: ContentRow, reply: FastifyReply): Promise<ObjectId> => {
    const end = performance.now() + PREVIEW_WAIT_MS;
    let now: Pick<ContentRow, 'previewId' | 'previewWanted'> | undefined = row;
    while (now?.previewId === null && now.previewWanted === 1 && performance.now() < end && !reply.raw.destroyed) {
      await sleep(PREVIEW_LOOK_MS);
      now = await contentRows(records).byId(id);
    }
    if (now?.previewId == null) throw new ProblemError('NOT_FOUND', 'This item has no preview, or not yet.');
    return now.previewId;
  };

  /** A one-time viewer's ten minutes also end in mid-stream. */
  const endOf = ({ standing, grant, row }: Decided['visit']): number | null =>
    standing === 'granted' && row.oneTime !== 0 && grant !== undefined ? grant.expiresAt : null;

  /** Rejects when the bytes cannot be read. */
  const open = async (request: FastifyRequest, outgoing: Outgoing, closed: AbortSignal): Promise<Opened> => {
    const { objectId, size, lastModified } = outgoing;
    const validators: Validators = { etag: etagOf(objectId), lastModified };
    const refusal = conditionStatus(request.headers, validators);
    // Ranges are defined for GET only (RFC 9110, 14.2).
    const isRangeAllowed =
      request.method === 'GET' && ifRangeMatches(request.headers['if-range']?.toString(), validators);
    const range = parseRange(isRangeAllowed ? request.headers.range : undefined, size);
    const { start, end } = range.kind === 'part' ? range : { start: 0, end: size - 1 };
    const hasBytes = request.method === 'GET' && refusal === null && range.kind !== 'unsatisfiable';
    const bytes = hasBytes ? await transfers.read(objectId, { start, end }, closed) : null;
    return { etag: validators.etag, refusal, range, start, end, bytes };
  };

  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    { visit, outgoing }: Decided,
    { etag, refusal, range, start, end, bytes }: Opened,
    { closed, isStillAllowed }: Pick<Sending, 'closed' | 'isStillAllowed'>,
  ): FastifyReply => {
    const { size, type, disposition, lastModified, policy } = outgoing;
    reply.headers({
      ...mediaHeaders(visit.standing),
      'cross-origin-resource-policy': policy,
      'cache-control': isGuarded(visit.row) ? 'no-store' : 'private, no-cache',
      'accept-ranges': 'bytes',
      etag,
      ...(lastModified instanceof Date && { 'last-modified': lastModified.toUTCString() }),
    });
    if (refusal !== null) return reply.code(refusal).send();
    if (range.kind === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
    reply.headers({ 'content-type': type, 'content-disposition': disposition, 'content-length': end - start + 1 });
    if (range.kind === 'part') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    if (bytes === null) return reply.send();
    const sending = { bytes, length: end - start + 1, closed, isStillAllowed, endsAt: endOf(visit) };
    return transfers.send(request, reply, sending);
  };

  /**
   * Sends what `decide` returns; null: not available. The requester waits for a download slot and for the store, and
   * meanwhile the access may end, and the bytes go with their item or with an edit of their note. So it decides once more
   * before the response has headers; `before` is what it has decided last.
   */
  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    decide: (before: Decided | null) => Promise<Decided | null>,
    isStillAllowed: () => Promise<boolean>,
  ): Promise<FastifyReply> => {
    let decided = await decide(null).catch((error: unknown) => {
      if (error instanceof ProblemError) throw error;
      return decide(null);
    });
    if (decided === null) return sendUnavailable(reply);
    const until = { closed: closedSignal(reply.raw), isStillAllowed };
    // Nothing is waited for without bytes.
    if (request.method !== 'GET')
      return send(request, reply, decided, await open(request, decided.outgoing, until.closed), until);
    await transfers.admit(request, reply);
    for (let look = 1; look <= LOOKS; look += 1) {
      const { outgoing } = decided;
      const [opened] = await Promise.allSettled([open(request, outgoing, until.closed)]);
      if (until.closed.aborted) return reply.hijack();
      // Bytes that are not sent are closed with the response.
      const now = await decide(decided);
      if (now === null) return sendUnavailable(reply);
      if (now.outgoing.objectId === outgoing.objectId) {
        if (opened.status === 'rejected') throw opened.reason;
        return send(request, reply, now, opened.value, until);
      }
      if (opened.status === 'fulfilled') opened.value.bytes?.destroy();
      decided = now;
    }
    throw changesTooOften();
  };

  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: ['GET', 'HEAD'],
    url: '/api/media/:id',
    schema: { summary: 'The bytes of an item', hide: true, ...MediaRequest },
    handler: (request, reply) => {
      /** Throws other refusals. */
      const decide = async (before: Decided | null) => {
        const visit = await admit(request, request.params.id, before?.visit.standing);
        if (visit === null || visit.row.objectId === null) return null;
        const download = request.query.download === '1';
        return { visit, outgoing: mediaOf(visit.row, visit.row.objectId, visit, download) };
      };
      return serve(request, reply, decide, async () => (await decide(null)) !== null);
    },
  });

  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: ['GET', 'HEAD'],
    url: '/api/media/:id/preview',
    schema: { summary: 'The preview of an item', hide: true, ...MediaRequest },
    handler: (request, reply) => {
      const isStillAllowed = async () => (await admit(request, request.params.id)) !== null;
      const decide = async (before: Decided | null) => {
        const visit = await admit(request, request.params.id, before?.visit.standing);
        const download = request.query.download === '1';
        return visit && { visit, outgoing: await previewOf(visit, download, before?.outgoing) };
      };
      return serve(request, reply, decide, isStillAllowed);
    },
  });

  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: ['GET', 'HEAD'],
    url: '/api/media/:id/preview.jpg',
    schema: { summary: 'The preview of an item as JPEG, for chats', hide: true, params: MediaRequest.params },
    handler: async (request, reply) => {
      const visit = await admit(request, request.params.id);
      if (visit === null) return sendUnavailable(reply);
      const { row } = visit;
      if (row.mediaStatus !== 'READY') throw notReady(row);
      await transfers.admit(request, reply);
      const closed = closedSignal(reply.raw);
      const convert = async (): Promise<Buffer> => await jpegs.of(await previewIdOf(row, reply), row.accountId, closed);
      const [converted] = await Promise.allSettled([convert()]);
      if (closed.aborted) return reply.hijack();
      // The item may have been deleted, locked or held meanwhile, and its preview goes with it.
      const now = await admit(request, row.id, visit.standing);
      if (now === null) return sendUnavailable(reply);
      if (converted.status === 'rejected') throw converted.reason;
      return reply
        .headers({
          ...mediaHeaders(now.standing),
          // Sites load what the link's tags and oEmbed name.
          'cross-origin-resource-policy': picturePolicy(now),
          'cache-control': isGuarded(now.row) ? 'no-store' : 'private, no-cache',
          'content-type': 'image/jpeg',
          'content-disposition': contentDisposition('inline', 'preview.jpg'),
        })
        .send(converted.value);
    },
  });
};
