/**
 * Streams the bytes of published items from the service to the page, so that the account's key never reaches the page.
 * The page can show them only as a picture or a video, and no cache stores them.
 */
import type { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import type { ErrorCode } from '../api/errors.ts';
import { ItemId } from '../api/ids.ts';
import type { Engine } from '../engine/engine.ts';

export interface PublishedMediaEngine {
  readonly library: Pick<Engine['library'], 'media'>;
}

export interface PublishedMedia {
  readonly status: number;
  /** Added to the common headers, or replacing them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body. */
  readonly body: Readable | null;
}

const ADDRESS = /^\/media\/([^/]+?)(\/preview)?$/;
const RANGE = /^bytes=\d*-\d*$/;
/** Media types that the service accepts; any other claimed type is served as opaque bytes. */
const SHOWN = /^(?:image\/(?:png|jpeg|webp|avif)|video\/(?:mp4|webm))$/;

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'accept-ranges': 'bytes',
} as const;

/** Null: the path is not a media URL. `range`: value of the request's Range header. */
export const openPublishedMedia = async (
  engine: PublishedMediaEngine,
  pathname: string,
  range: string | null,
  signal: AbortSignal,
): Promise<PublishedMedia | null> => {
  const [, id, preview] = ADDRESS.exec(pathname) ?? [];
  if (id === undefined || !Value.Check(ItemId, id)) return null;
  const validRange = range !== null && RANGE.test(range) ? range : null;
  const reply = await engine.library.media(id, preview ? 'preview' : 'file', validRange, signal);
  if (!reply.ok) return { status: statusOf(reply.error.code), headers: HEADERS, body: null };
  const { status, type, length, range: answered, body } = reply.value;
  const headers = {
    ...HEADERS,
    'content-type': SHOWN.test(type) ? type : 'application/octet-stream',
    ...(length !== null && { 'content-length': String(length) }),
    ...(answered !== null && { 'content-range': answered }),
  };
  return { status, headers, body };
};

/** The page asks the engine for the error message; a player or picture only needs the status. */
const statusOf = (code: ErrorCode): number => {
  switch (code) {
    case 'MEDIA_PROCESSING':
      return 409;
    case 'COMMAND_INVALID':
    case 'NOT_FOUND':
    case 'SHARE_UNAVAILABLE':
    case 'CONTENT_GONE':
      return 404;
    default:
      return 502;
  }
};
