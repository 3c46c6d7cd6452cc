/**
 * The HTTP server of the browser host: serves the page, its WebSocket, pictures and videos, and receives the files that
 * the page sends, in slices. The caller binds it to 127.0.0.1.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import fastifyStatic from '@fastify/static';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { failure } from '../api/errors.ts';
import { IntakeId } from '../api/ids.ts';
import { stackOf } from '../base/common/error-text.ts';
import { parseRange } from '../base/common/http-range.ts';
import { hostFault } from '../base/common/request-target.ts';
import { findLocalMedia, type LocalMediaEngine } from '../host/local-media-at-url.ts';
import { PAGE_HEADERS } from '../host/page-security-headers.ts';
import { openPublishedMedia, type PublishedMediaEngine } from '../host/stream-published-media.ts';
import type { Dispatcher } from '../ipc/host/dispatcher.ts';
import type { FileReceiver } from '../ipc/host/file-receiver.ts';
import { openRpcSession } from '../ipc/host/rpc-session.ts';
import { PAGE_PROTOCOL } from '../ipc/protocol/page-key.ts';
import { COMMAND_BYTES, SLICE_BYTES } from '../ipc/protocol/preload-api.ts';
import type { PagePresence } from './page-presence.ts';
import { createRequestGuard } from './request-guard.ts';

export interface BrowserHostServerDeps {
  readonly engine: LocalMediaEngine & PublishedMediaEngine;
  readonly dispatcher: Dispatcher;
  readonly intake: FileReceiver;
  readonly presence: PagePresence;
  /** The built renderer. */
  readonly rendererDir: string;
  /** Secret of this run; its holder is the user. */
  readonly key: string;
  /** That of a proxy, if there is one. */
  readonly origin?: string;
  readonly log: (line: string) => void;
}

/** Close code that tells the page not to retry. */
const STRANGER = 4401;
/** Time limit for a whole request, including a slice of a file. */
const REQUEST_MS = 300_000;

const SpoolRequest = Compile(Type.Object({ id: IntakeId, offset: Type.Integer({ minimum: 0 }) }));

/** The same bytes without a copy, in the type that a reply accepts. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

/** A file, or the requested part of it: a player seeks in a recording. */
const sendPart = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
  const facts = await stat(path).catch(() => null);
  if (!facts) return reply.code(404).header('cache-control', 'no-store').send();
  const { size } = facts;
  const wanted = parseRange(request.headers.range, size);
  reply.header('accept-ranges', 'bytes');
  if (wanted.kind === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const { start, end } = wanted.kind === 'part' ? wanted : { start: 0, end: size - 1 };
  if (wanted.kind === 'part') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', end - start + 1);
  // An empty stream has no last byte.
  return reply.send(size === 0 ? '' : createReadStream(path, { start, end }));
};

const sendPlain = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

/** Builds the HTTP server; the caller listens on 127.0.0.1. */
export const createBrowserHostServer = async (deps: BrowserHostServerDeps): Promise<FastifyInstance> => {
  const { engine, dispatcher, intake, presence, rendererDir, key, origin, log } = deps;
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    bodyLimit: SLICE_BYTES,
    requestTimeout: REQUEST_MS,
    // Undecodable addresses reach no hook, so the guard has not checked them.
    frameworkErrors: (_error, _request, reply) => void sendPlain(reply, 400, 'This address cannot be read.'),
  });
  const judge = createRequestGuard(key, () => [
    `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    ...(origin === undefined ? [] : [origin]),
  ]);

  const handleProtocols = (offered: Set<string>): string | false => offered.has(PAGE_PROTOCOL) && PAGE_PROTOCOL;
  await app.register(websocket, { options: { maxPayload: COMMAND_BYTES, handleProtocols } });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(PAGE_HEADERS);
    const fault = hostFault(request.originalUrl, request.raw);
    if (fault !== null) return sendPlain(reply, 400, `Host ${fault}.`);
    switch (judge(request)) {
      case 'welcome':
        return;
      case 'stranger':
        // Only an open socket can carry a reason to the page: it is accepted and closed immediately with a code.
        if (request.ws) return;
        return sendPlain(reply, 401, 'Open the address that Linkshot printed.');
      case 'foreign':
        return sendPlain(reply, 403, 'Linkshot only responds to its own page.');
    }
  });

  app.get('/bridge', { websocket: true }, (socket, request) => {
    if (judge(request) !== 'welcome') return socket.close(STRANGER, 'open the new address');
    const leave = presence.join();
    const session = openRpcSession(dispatcher, 'page', (text) => socket.send(text));
    socket.on('message', (data: Buffer) => {
      if (!session.receive(data.toString())) socket.close(1008, 'not a command');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      leave();
      session.close();
    });
  });

  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.put('/spool/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const slice = { id, offset: Number((request.query as { offset?: string }).offset) };
    if (!SpoolRequest.Check(slice) || !Buffer.isBuffer(request.body))
      return reply.code(400).send(failure('COMMAND_INVALID', 'This is not a slice of a file.'));
    const written = await intake.write(slice.id, slice.offset, request.body);
    return written.ok ? written.value : reply.code(409).send(written.error);
  });

  const sendPageFile = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = findLocalMedia(engine, new URL(request.url, 'http://page').pathname);
    if (!file) return reply.code(404).header('cache-control', 'no-store').send();
    const { type, cache, content } = file;
    reply.header('cache-control', cache).type(type);
    return 'path' in content ? sendPart(content.path, request, reply) : reply.send(viewOf(content.bytes));
  };
  for (const route of ['/thumbnails/:id', '/captures/:id/:what', '/recordings/:id']) app.get(route, sendPageFile);

  const sendMedia = async (request: FastifyRequest, reply: FastifyReply) => {
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    const { pathname } = new URL(request.url, 'http://page');
    const media = await openPublishedMedia(engine, pathname, request.headers.range ?? null, disconnected.signal);
    if (!media) return reply.code(404).header('cache-control', 'no-store').send();
    return reply
      .code(media.status)
      .headers(media.headers)
      .send(media.body ?? undefined);
  };
  for (const route of ['/media/:id', '/media/:id/preview']) app.get(route, { exposeHeadRoute: false }, sendMedia);

  await app.register(fastifyStatic, {
    root: rendererDir,
    setHeaders: (reply, path) => {
      // Vite puts a hash into every asset's name; the page itself must always be current.
      const isAsset = path.includes('/assets/');
      reply.header('cache-control', isAsset ? 'private, max-age=31536000, immutable' : 'no-store');
    },
  });

  app.setNotFoundHandler((_, reply) => sendPlain(reply, 404, 'Not found.'));
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    // Log the route and not the address, which may contain the key of pictures.
    if (status >= 500) log(`${request.method} ${request.routeOptions.url ?? '?'} failed: ${stackOf(error)}`);
    return reply.code(status).send(failure('APP_FAILED', 'Linkshot could not do this. Try again.'));
  });
  return app;
};
