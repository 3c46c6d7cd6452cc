/**
 * The bytes of published items for the page, streamed through the engine, so that the account's key never reaches it.
 * Promise: what comes from the service can be shown as a picture or a video and as nothing else, and nothing keeps it.
 */
import type { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import type { ErrorCode } from '../api/errors.ts';
import { ItemId } from '../api/ids.ts';
import type { Engine } from '../engine/engine.ts';

export type PageMediaEngine = Pick<Engine, 'media'>;

export interface PageMedia {
  readonly status: number;
  /** Beside those of every answer, or in their place. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body. */
  readonly body: Readable | null;
}

const ADDRESS = /^\/media\/([^/]+?)(\/preview)?$/;
const RANGE = /^bytes=\d*-\d*$/;
/** What the service takes; whatever else it may claim is bytes without a meaning. */
const SHOWN = /^(?:image\/(?:png|jpeg|webp|avif)|video\/(?:mp4|webm))$/;

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'accept-ranges': 'bytes',
} as const;

/** Null: the path is no address of this kind. `range`: value of the request's Range header. */
export const openPageMedia = async (
  engine: PageMediaEngine,
  pathname: string,
  range: string | null,
  signal: AbortSignal,
): Promise<PageMedia | null> => {
  const [, id, preview] = ADDRESS.exec(pathname) ?? [];
  if (id === undefined || !Value.Check(ItemId, id)) return null;
  const asked = range !== null && RANGE.test(range) ? range : null;
  const reply = await engine.media(id, preview ? 'preview' : 'file', asked, signal);
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

/** The page asks the engine for the reason in words; a player and a picture only need to know that there is nothing. */
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
