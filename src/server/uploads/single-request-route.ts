/**
 * `POST /api/v1/uploads`: an image or a video in one request (API decisions 3), with the same checks of the file as in
 * a resumable upload.
 */

import { detectMedia, type MediaKind } from '../../api/detect-media-kind.ts';
import { API } from '../../api/endpoints/endpoint-table.ts';
import { LIMITS } from '../../api/limits.ts';
import type { CreatedContent } from '../../api/single-request-upload.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { limitsOf, quotaOf, refuseOversizedMedia, refuseOversizedUpload } from '../accounts/plan.ts';
import type { ContentRow } from '../content/content-rows.ts';
import { presentContent } from '../content/present-content.ts';
import type { Publisher } from '../content/publish-item.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import type { Inspector } from '../media/media-inspector.ts';
import { ProblemError } from '../problem-details.ts';
import { sourceOf } from '../storage/file-source.ts';
import type { Announced, ReceivedFile, SingleRequestReceiver, Watch } from './single-request-receiver.ts';

const BUSY_RETRY_MS = 3_000;

interface MediaWatch extends Watch {
  /** The type of the file, once it is complete. Throws UPLOAD_FORMAT_UNSUPPORTED. */
  readonly kind: () => Promise<MediaKind>;
}

/** Refuses a file as soon as its size or its first bytes are decisive. */
const watchMedia = (deps: ServerDeps, account: AccountRow, announced: Announced): MediaWatch => {
  const now = deps.clock.now();
  const limits = limitsOf(deps.config, account, now);
  const limitBytes = quotaOf(deps.config, account, now);
  let head: Buffer[] = [];
  let kind: MediaKind | undefined;

  const decide = async (): Promise<MediaKind> => {
    if (kind !== undefined) return kind;
    const found = await detectMedia(Buffer.concat(head).subarray(0, LIMITS.partBytes));
    if (found === null) {
      throw new ProblemError(
        'UPLOAD_FORMAT_UNSUPPORTED',
        'Only PNG, JPEG, WebP and AVIF images and MP4 and WebM videos are accepted; convert the file first.',
      );
    }
    head = [];
    kind = found;
    return found;
  };

  /** A file that may exceed the limit of every account is read on: only that decides which limit to name. */
  const refuseByType = (type: MediaKind['type'], size: number): void => {
    const ceiling = type === 'IMAGE' ? limits.serverImageBytes : limits.serverVideoBytes;
    if (size > ceiling || announced.most <= ceiling) refuseOversizedMedia(limits, type, size);
  };

  /** The limit of the type should be named; a file over every limit may be refused before its type is known. */
  const refuseOversized = async (size: number): Promise<void> => {
    if (size > limits.maxUploadBytes) kind ??= (await detectMedia(Buffer.concat(head))) ?? undefined;
    else if (size >= LIMITS.partBytes) await decide();
    if (kind !== undefined) refuseByType(kind.type, Math.max(size, announced.least));
    refuseOversizedUpload(limits, size);
  };

  return {
    admit: (size) => refuseOversizedUpload(limits, size),
    see: async (chunk, size) => {
      if (kind === undefined) head.push(chunk);
      await refuseOversized(size);
      if (account.storageUsed + size > limitBytes) {
        throw new ProblemError(
          'QUOTA_EXCEEDED',
          'The account has no space left for this file; delete something first.',
          {
            params: { limitBytes, usedBytes: account.storageUsed },
          },
        );
      }
    },
    kind: decide,
  };
};

export interface SingleRequestUploadDeps {
  readonly intake: SingleRequestReceiver;
  readonly publisher: Publisher;
  readonly inspector: Inspector;
}

export const registerSingleRequestRoute = (app: App, deps: ServerDeps, parts: SingleRequestUploadDeps): void => {
  const { config, clock, objects } = deps;
  const { intake, publisher, inspector } = parts;
  const stop = new AbortController();

  const publish = async (file: ReceivedFile, kind: MediaKind): Promise<ContentRow> => {
    const { account, objectId, size, filename, fields } = file;
    refuseOversizedMedia(limitsOf(config, account, clock.now()), kind.type, size);
    const prepared = await publisher.prepare(fields, filename);
    const source = sourceOf(objects, objectId, size);
    const inspection = await inspector.inspect({ id: objectId, accountId: account.id, source, kind }, stop.signal);
    if (!inspection.ok) {
      const { code, detail, params } = inspection;
      throw new ProblemError(code, detail, {
        ...(params && { params }),
        ...(code === 'UPLOAD_SERVER_BUSY' && { retryAfterMs: BUSY_RETRY_MS }),
      });
    }
    await objects.commit(objectId);
    const { type, mime } = kind;
    const item = {
      objectId,
      type,
      mime,
      size,
      originalName: filename,
      metadata: inspection.metadata,
      fields: prepared,
    };
    return await file.publish((tx) => publisher.publish(tx, account.id, item));
  };

  const route = routeOf(API.uploadFile);
  app.route({
    ...route,
    config: { ...route.config, readsOwnBody: true },
    handler: async (request, reply) => {
      const received = await intake.take(request, reply, {
        endpoint: API.uploadFile,
        watch: (account, announced) => {
          inspector.expect();
          return watchMedia(deps, account, announced);
        },
        make: async (file, watch) => publish(file, await watch.kind()),
      });
      const content = 'made' in received ? presentContent(deps, received.made) : received.replayed;
      return reply.code(201).send({ ...content, content } satisfies CreatedContent);
    },
  });

  app.addHook('onClose', async () => stop.abort(new Error('The server stops.')));
};
