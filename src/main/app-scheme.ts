/**
 * Serves `app://linkshot/` to the app's windows, with security headers: the built renderer, thumbnails, screenshots and
 * recordings of this computer, published items fetched from the service, and pinned images. Any other address is not
 * found.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { protocol } from 'electron';
import { decodePercent } from '../base/common/decode-percent.ts';
import { parseRange } from '../base/common/http-range.ts';
import { findLocalMedia, type LocalMedia, type LocalMediaEngine } from '../host/local-media-at-url.ts';
import { PAGE_HEADERS } from '../host/page-security-headers.ts';
import { openPublishedMedia, type PublishedMedia, type PublishedMediaEngine } from '../host/stream-published-media.ts';
import { isOwnAddress, SCHEME } from './page-urls.ts';
import type { Pins } from './windows/pins.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

type Body = ConstructorParameters<typeof Response>[0];

export interface AppSchemeDeps {
  readonly engine: LocalMediaEngine & PublishedMediaEngine;
  readonly rendererDir: string;
  /** Absent where images cannot be pinned. */
  readonly pins: Pick<Pins, 'png'> | null;
}

const answer = (status: number, body: Body | null, headers: Readonly<Record<string, string>>): Response =>
  new Response(body, { status, headers: { ...PAGE_HEADERS, ...headers } });

const notFound = (): Response => answer(404, 'Not found.', { 'cache-control': 'no-store' });

/** A file, or the requested part of it: a player seeks in it. */
const sendFile = async (path: string, headers: Record<string, string>, range: string | null): Promise<Response> => {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) return notFound();
  const { size } = facts;
  const wanted = parseRange(range, size);
  if (wanted.kind === 'unsatisfiable') return answer(416, null, { ...headers, 'content-range': `bytes */${size}` });
  const isPart = wanted.kind === 'part';
  const { start, end } = isPart ? wanted : { start: 0, end: size - 1 };
  // An empty stream has no last byte.
  const body = size === 0 ? null : streamOf(path, start, end);
  const ranged = isPart ? { 'content-range': `bytes ${start}-${end}/${size}` } : {};
  const length = String(end - start + 1);
  return answer(isPart ? 206 : 200, body, {
    ...headers,
    ...ranged,
    'accept-ranges': 'bytes',
    'content-length': length,
  });
};

const streamOf = (path: string, start: number, end: number): Body =>
  Readable.toWeb(createReadStream(path, { start, end })) as Body;

const sendPageFile = ({ type, cache, content }: LocalMedia, range: string | null): Promise<Response> | Response => {
  const headers = { 'content-type': type, 'cache-control': cache };
  return 'path' in content ? sendFile(content.path, headers, range) : answer(200, viewOf(content.bytes), headers);
};

const sendMedia = ({ status, headers, body }: PublishedMedia): Response =>
  answer(status, body && (Readable.toWeb(body) as Body), headers);

/** The path of a pinned image, as `pin.html` shows it. */
const PINNED = /^\/pins\/([0-9a-f-]+)$/;

const sendPinned = (png: Uint8Array | null): Response =>
  png ? answer(200, viewOf(png), { 'content-type': 'image/png', 'cache-control': 'no-store' }) : notFound();

/** Pixel data is large and not copied. It is never shared memory. */
const viewOf = (bytes: Uint8Array): Body => bytes as Uint8Array<ArrayBuffer>;

/** A file of the built renderer; null if the path leaves its folder. */
const rendererFile = (pathname: string, rendererDir: string): string | null => {
  const file = resolve(join(rendererDir, pathname));
  return file.startsWith(resolve(rendererDir) + sep) ? file : null;
};

/** Call it once, when the app is ready. */
export const serveAppScheme = ({ engine, rendererDir, pins }: AppSchemeDeps): void => {
  protocol.handle(SCHEME, async ({ url, method, headers, signal }) => {
    if (method !== 'GET' || !isOwnAddress(url)) return notFound();
    const pathname = decodePercent(new URL(url).pathname);
    if (pathname === null) return notFound();
    const beside = findLocalMedia(engine, pathname);
    if (beside) return sendPageFile(beside, headers.get('range'));
    const pinned = PINNED.exec(pathname)?.[1];
    if (pinned !== undefined) return sendPinned(pins?.png(pinned) ?? null);
    const media = await openPublishedMedia(engine, pathname, headers.get('range'), signal);
    if (media) return sendMedia(media);
    const file = rendererFile(pathname, rendererDir);
    const bytes = file && (await readFile(file).catch(() => null));
    if (!file || !bytes) return notFound();
    return answer(200, bytes, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  });
};
