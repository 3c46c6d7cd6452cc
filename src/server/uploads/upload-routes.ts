/**
 * Routes of resumable uploads: start, list, read, complete and cancel uploads, and receive their parts (API document,
 * "Endpoints"; API decisions 1).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Content } from '../../api/content.ts';
import { API } from '../../api/endpoints/endpoint-table.ts';
import type { ContentId, RequestKey, UploadId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { ResumableUpload } from '../../api/resumable-upload.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { keyHolder, keyHolderNow } from '../accounts/authenticate.ts';
import { limitsOf, refuseOversizedUpload } from '../accounts/plan.ts';
import type { Publisher } from '../content/publish-item.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { inviteBody } from '../http/expect-continue.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import type { Inspector } from '../media/media-inspector.ts';
import { invalidInput, ProblemError } from '../problem-details.ts';
import { createCompletion } from './complete-upload.ts';
import { createInFlightParts } from './in-flight-parts.ts';
import { partNumbers } from './part-bitmap.ts';
import { uploadGone } from './part-leases.ts';
import { checkPartHeaders, createPartReceiver } from './part-receiver.ts';
import { createStarter } from './start-upload.ts';
import type { UploadRow, UploadStore } from './upload-store.ts';

export interface UploadParts {
  readonly store: UploadStore;
  readonly publisher: Publisher;
  readonly inspector: Inspector;
  /** The published item as its owner sees it; null if deleted or expired. */
  readonly contentOf: (id: ContentId) => Promise<Content | null>;
}

/** Uuids are case-insensitive. */
const canonical = <T extends UploadId | RequestKey>(uuid: T): T => uuid.toLowerCase() as T;

export const registerUploadRoutes = (app: App, deps: ServerDeps, parts: UploadParts): void => {
  const { store, contentOf } = parts;
  const inFlightParts = createInFlightParts(deps.slots, deps.config.limits.partsAtOnce);
  const start = createStarter(deps, store);
  const receiver = createPartReceiver(deps, store, inFlightParts, parts.inspector.expect);
  const completion = createCompletion(deps, store, { ...parts, writesDone: receiver.writesDone });

  /** Another account's upload looks like an unknown one. */
  const owned = async (account: AccountRow, id: UploadId): Promise<UploadRow> => {
    const row = await store.byId(canonical(id));
    if (row === undefined || row.accountId !== account.id) {
      throw new ProblemError('NOT_FOUND', 'There is no such upload; start a new one.');
    }
    return row;
  };

  const present = async (row: UploadRow): Promise<ResumableUpload> => ({
    id: row.id,
    state: row.state,
    filename: row.filename,
    size: row.size,
    chunkSize: LIMITS.partBytes,
    chunkCount: row.chunkCount,
    fingerprint: row.fingerprint,
    received: partNumbers(row.received, row.chunkCount, 'present'),
    receivedBytes: row.receivedBytes,
    expiresAt: new Date(row.expiresAt).toISOString(),
    content: row.contentId === null ? null : await published(row.contentId),
  });

  const published = async (id: ContentId): Promise<Content> => {
    const content = await contentOf(id);
    if (content !== null) return content;
    throw new ProblemError('CONTENT_GONE', 'The item of this upload was deleted or has expired; upload it again.');
  };

  app.route({
    ...routeOf(API.startUpload),
    // A size beyond every schema still gets the specific error: too large, with the limit.
    preValidation: async (request) => {
      const size = (request.body as { size?: unknown } | null | undefined)?.size;
      if (typeof size !== 'number' || size <= LIMITS.maxResumableBytes) return;
      refuseOversizedUpload(limitsOf(deps.config, keyHolder(request).account, deps.clock.now()), size);
    },
    handler: async (request) => {
      const { account } = keyHolder(request);
      return await present(await start(account, canonical(request.headers['idempotency-key']), request.body));
    },
  });

  app.route({
    ...routeOf(API.listUploads),
    handler: async (request) => ({
      items: await Promise.all((await store.pendingOf(keyHolder(request).account.id)).map(present)),
    }),
  });

  app.route({
    ...routeOf(API.readUpload),
    handler: async (request) => await present(await owned(keyHolder(request).account, request.params.id)),
  });

  app.route({
    ...routeOf(API.completeUpload),
    handler: async (request) => {
      const { account } = keyHolder(request);
      const completeRequest = { ...request.body, completeKey: canonical(request.body.completeKey) };
      const requester = async () => (await keyHolderNow(request)).account;
      const row = await owned(account, request.params.id);
      return await present(await completion.complete(requester, row, completeRequest));
    },
  });

  app.route({
    ...routeOf(API.cancelUpload),
    handler: async (request, reply) => {
      const seen = await owned(keyHolder(request).account, request.params.id);
      if (seen.state === 'COMPLETING') await store.reopenLost(seen.id);
      const row = await store.end(seen, 'CANCELLED');
      if (row.state === 'COMPLETING' || row.state === 'COMPLETED') {
        throw new ProblemError(
          'COMPLETE_CONFLICT',
          'The upload is being completed or has been; delete the item instead.',
        );
      }
      inFlightParts.abort(row.id, uploadGone());
      return reply.code(204).send();
    },
  });

  app.register((scope, _options, registered) => {
    // The body stays a stream: the handler reads it itself after all other checks.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const route = routeOf(API.putPart);
    scope.withTypeProvider<TypeBoxTypeProvider>().route({
      ...route,
      config: { ...route.config, readsOwnBody: true },
      preValidation: async (request) => {
        if (/^\d+$/.test(String((request.params as { index: unknown }).index))) return;
        throw invalidInput({ path: '/index', message: 'must be a whole number' });
      },
      handler: async (request, reply) => {
        const { account } = keyHolder(request);
        const { id, index } = request.params;
        const row = await owned(account, id);
        if (row.state === 'CANCELLED' || row.state === 'EXPIRED') throw uploadGone();
        checkPartHeaders(row, index, request.headers['content-length']);
        return await present(
          await receiver.receive({ account, row, index, raw: request.raw, invite: () => inviteBody(request, reply) }),
        );
      },
    });
    registered();
  });

  app.addHook('onClose', async () => {
    await completion.close();
    await receiver.close();
  });
};
