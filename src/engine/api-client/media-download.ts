/**
 * Streams the bytes of an item or of its preview from the service, complete or by range. Requests carry the account's
 * key, so the owner's reads do not count as views (API decisions 6, row 4).
 */
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ContentId } from '../../api/ids.ts';
import type { HttpPool } from './http-pool.ts';
import { type RateHeaders, type RateLimiter, readRateHeaders } from './rate-limiter.ts';
import { failureOfError, failureOfRefusal } from './request-errors.ts';
import { retryAfterMs } from './retry-after.ts';

/** `original`: available also while a video is processed; `preview`: its small WebP. */
export type MediaKind = 'file' | 'original' | 'preview';

export interface MediaRequest {
  readonly id: ContentId;
  readonly kind: MediaKind;
  /** Value of a Range header; null: everything. */
  readonly range: string | null;
}

export interface MediaReply {
  /** 416: the range begins beyond the end. */
  readonly status: 200 | 206 | 416;
  readonly type: string;
  /** Bytes of this reply. */
  readonly length: number | null;
  /** Value of its Content-Range header. */
  readonly range: string | null;
  /** Must be read to its end, or destroyed. */
  readonly body: Readable;
}

export interface MediaDeps {
  readonly now: () => number;
  readonly gate: RateLimiter;
  /** A pool without a reply size limit. */
  readonly pool: HttpPool;
  /** The service's path before `/api`. */
  readonly prefix: string;
  readonly key: string | null;
}

/** Suffixes of the item's address. */
const TAILS: Readonly<Record<MediaKind, string>> = { file: '', original: '?download=1', preview: '/preview' };
const REFUSAL_BYTES = 64 * 1024;

const isStatus = (status: number): status is MediaReply['status'] => status === 200 || status === 206 || status === 416;

/** Errors: those of the service (MEDIA_PROCESSING, SHARE_UNAVAILABLE, …) and of the network; CANCELLED. */
export const requestMedia = async (
  { now, gate, pool, prefix, key }: MediaDeps,
  { id, kind, range }: MediaRequest,
  signal: AbortSignal,
): Promise<Result<MediaReply>> => {
  try {
    await gate.enter('guest', signal);
    let rate: RateHeaders | 'silent' | 'lost' = 'lost';
    try {
      const reply = await pool.request({
        method: 'GET',
        path: `${prefix}/api/media/${encodeURIComponent(id)}${TAILS[kind]}`,
        headers: {
          'cache-control': 'no-store',
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(range !== null && { range }),
        },
        signal,
      });
      rate = readRateHeaders(reply.headers);
      return await resultOf(reply, now());
    } finally {
      gate.done('guest', rate);
    }
  } catch (error) {
    return err(signal.aborted ? failure('CANCELLED', 'The request was cancelled.') : failureOfError(error));
  }
};

const resultOf = async (reply: Dispatcher.ResponseData, now: number): Promise<Result<MediaReply>> => {
  const { statusCode: status, headers, body } = reply;
  const header = (name: string): string | null => [headers[name]].flat()[0] ?? null;
  // A reader that stops early destroys the body, which is not an error; an active reader still receives errors.
  body.on('error', () => {});
  if (isStatus(status)) {
    const length = Number(header('content-length') ?? Number.NaN);
    return ok({
      status,
      type: header('content-type') ?? '',
      length: Number.isSafeInteger(length) ? length : null,
      range: header('content-range'),
      body,
    });
  }
  const text = await textOf(body);
  if (status < 400) return err(failure('NOT_THE_SERVICE', 'Something answered in place of the service.', { status }));
  const afterMs = retryAfterMs(header('retry-after') ?? undefined, header('date') ?? undefined, now);
  return err(failureOfRefusal({ status, text, afterMs }));
};

/** The body of an error reply, truncated to a limit. */
const textOf = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= REFUSAL_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
};
