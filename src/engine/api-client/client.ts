/**
 * Typed client of the service's API: calls the operations of `api/endpoints/endpoint-table.ts`, validates each
 * successful reply against its schema, and streams the bytes of items. It follows no redirects, so that the key is sent
 * only to the configured address.
 */
import { Readable } from 'node:stream';
import Type, { type TSchema } from 'typebox';
import type { Dispatcher } from 'undici';
import type { Endpoint } from '../../api/endpoints/endpoint.ts';
import { API, type ApiOperation, pathOf, type ReplyOf } from '../../api/endpoints/endpoint-table.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { ResumableUpload } from '../../api/resumable-upload.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import type { Clock } from '../ports.ts';
import { type HttpPool, openHttpPool } from './http-pool.ts';
import { type MediaReply, type MediaRequest, requestMedia } from './media-download.ts';
import type { BodySlice, EncodedForm } from './multipart-form.ts';
import { type RateHeaders, type RateLimiter, readRateHeaders } from './rate-limiter.ts';
import { failureOfError, failureOfRefusal } from './request-errors.ts';
import { createAdaptiveTimeout, type RequestWatch, TIMEOUTS, type Timeouts, watchRequest } from './request-timeout.ts';
import { retryAfterMs } from './retry-after.ts';
import { cleanReply, hasUnsafeAddress, withoutNewerValues, withoutUnknownOptions } from './sanitize-reply.ts';

export interface ServiceClient {
  /** The address as returned by `normaliseAddress`. */
  readonly server: string;
  /**
   * Sends one request when the rate limiter allows it. Errors: those of the service, of the network, NOT_THE_SERVICE,
   * UNSAFE_ANSWER, REDIRECT_REFUSED, REPLY_TIMEOUT; CANCELLED when `signal` was aborted.
   */
  call<K extends ApiOperation>(operation: K, input: CallInput, signal: AbortSignal): Promise<Result<ReplyOf<K>>>;
  /** The bytes of an item. Errors: those of the service and of the network; CANCELLED. */
  media(request: MediaRequest, signal: AbortSignal): Promise<Result<MediaReply>>;
  /** All further requests use this key; requests refused with the old key meanwhile are repeated with it. */
  rekey(key: string): void;
  /** Opens new connections from now on: those from before a suspend are dead and would only time out. */
  reconnect(): void;
  /** See `RateLimiter`. */
  restsUntil(): number | null;
  /**
   * An instant of this computer's clock by that of the service, as its last reply gives it. Never later than by this
   * clock, which may be ahead, or may have been ahead at that instant and set back since.
   */
  serviceTime(at: number): number;
  close(): Promise<void>;
}

interface CallInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly form?: EncodedForm;
  /** Called with the bytes of the file sent since the last call; negative where they are sent again. */
  readonly onSent?: (bytes: number) => void;
}

export interface ServiceClientDeps {
  readonly clock: Clock;
  readonly gate: RateLimiter;
  readonly server: string;
  /** Null: as a guest. */
  readonly key: string | null;
  readonly timeouts?: Timeouts;
}

/** Three parts in flight, plus small requests beside them. */
const CONNECTIONS = 6;
/** For images and a seeking video player: separate connections, so that uploads never wait for downloads. */
const MEDIA_CONNECTIONS = 4;
const MEDIA_IDLE_MS = 30_000;
/** Operations for which the service processes the whole upload before it replies. */
const PROCESSES_UPLOAD: ReadonlySet<ApiOperation> = new Set(['completeUpload', 'createFolder', 'uploadFile']);
const LARGEST_REPLY_BYTES = 4 * 1024 * 1024;
/** Bodies are sent in slices of this size, so that progress and stalls are visible on slow links too. */
const SLICE_BYTES = 256 * 1024;

export const createServiceClient = (deps: ServiceClientDeps): ServiceClient => {
  const { clock, gate, server, timeouts = TIMEOUTS } = deps;
  const { origin, pathname } = new URL(server);
  const prefix = pathname === '/' ? '' : pathname;
  const openPool = () =>
    openHttpPool(origin, {
      connections: CONNECTIONS,
      allowH2: false,
      connectTimeout: timeouts.connectMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: LARGEST_REPLY_BYTES,
    });
  let pool = openPool();
  const openMediaPool = () =>
    openHttpPool(origin, {
      connections: MEDIA_CONNECTIONS,
      allowH2: false,
      connectTimeout: timeouts.connectMs,
      headersTimeout: timeouts.replyMs,
      bodyTimeout: MEDIA_IDLE_MS,
    });
  /** Opened at the first media request. */
  let mediaPool: HttpPool | null = null;
  const bulkTimeout = createAdaptiveTimeout();
  let key = deps.key;
  /** How far this clock is ahead of the service's. */
  let aheadMs = 0;

  const send = async (endpoint: Endpoint, input: CallInput, watch: RequestWatch) => {
    const body = bodyOf(input, watch);
    return pool.request({
      method: endpoint.method,
      path: prefix + pathOf(endpoint, input.params),
      ...(input.query && { query: { ...input.query } }),
      headers: {
        accept: 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(endpoint.method === 'GET' && { 'cache-control': 'no-store' }),
        ...body.headers,
        ...input.headers,
      },
      body: body.content,
      signal: watch.signal,
    });
  };

  const request = async <K extends ApiOperation>(
    operation: K,
    input: CallInput,
    signal: AbortSignal,
  ): Promise<Result<ReplyOf<K>>> => {
    const endpoint: Endpoint = API[operation];
    try {
      await gate.enter(endpoint.budget, signal);
    } catch {
      return err(failure('CANCELLED', 'The request was cancelled before it was sent.', { params: { isSent: false } }));
    }
    const usualMs = PROCESSES_UPLOAD.has(operation) ? timeouts.completeMs : timeouts.replyMs;
    const isBulk = input.bytes !== undefined || input.form !== undefined;
    const replyMs = isBulk ? bulkTimeout.of(usualMs) : usualMs;
    const began = clock.monotonic();
    const watch = watchRequest({ clock, idleMs: timeouts.idleMs, replyMs }, signal);
    let rate: RateHeaders | 'silent' | 'lost' = 'lost';
    try {
      const reply = await send(endpoint, input, watch);
      const header = (name: string) => [reply.headers[name]].flat()[0];
      rate = readRateHeaders(reply.headers);
      const date = Date.parse(header('date') ?? '');
      if (!Number.isNaN(date)) aheadMs = clock.now() - date;
      watch.progress();
      const text = await reply.body.text();
      if (isBulk && clock.monotonic() - began < usualMs) bulkTimeout.reset();
      const afterMs = retryAfterMs(header('retry-after'), header('date'), clock.now());
      const result = resultOf(operation, endpoint, reply, text, afterMs);
      // UPLOAD_USER_BUSY concerns one item only: pausing all requests would keep the others' upload slots occupied.
      if (!result.ok && (result.error.code === 'RATE_LIMITED' || result.error.code === 'UPLOAD_SERVER_BUSY')) {
        gate.pause(result.error.afterMs ?? 0);
      }
      return result;
    } catch (error) {
      if (signal.aborted) return err(failure('CANCELLED', 'The request was cancelled.'));
      if (watch.fired === 'slept') {
        return err(failure('REPLY_TIMEOUT', 'The computer was asleep in the meantime.', { params: { slept: true } }));
      }
      if (watch.fired) {
        if (isBulk) bulkTimeout.increase();
        return err(failure('REPLY_TIMEOUT', 'The service stopped responding.'));
      }
      return err(failureOfError(error));
    } finally {
      watch.end();
      gate.done(endpoint.budget, rate);
    }
  };

  return {
    server,
    async call(operation, input, signal) {
      const used = key;
      let sent = 0;
      const onSent = (bytes: number) => {
        sent += bytes;
        input.onSent?.(bytes);
      };
      const result = await request(operation, { ...input, onSent }, signal);
      if (result.ok || result.error.status !== 401 || used === key) return result;
      onSent(-sent);
      return request(operation, input, signal);
    },
    media(request, signal) {
      mediaPool ??= openMediaPool();
      return requestMedia({ now: clock.now, gate, pool: mediaPool, prefix, key }, request, signal);
    },
    rekey(next) {
      key = next;
    },
    reconnect() {
      const old = pool;
      pool = openPool();
      // Requests in flight on the old connections end by themselves or by their timeout.
      old.close().catch(() => {});
      mediaPool?.close().catch(() => {});
      mediaPool = null;
    },
    restsUntil: gate.restsUntil,
    serviceTime: (at) => Math.min(at, clock.now()) - Math.max(0, aheadMs),
    async close() {
      await Promise.all([pool.destroy(), mediaPool?.destroy()]);
    },
  };
};

const bodyOf = (
  input: CallInput,
  watch: RequestWatch,
): { headers: Record<string, string>; content: string | Readable | null } => {
  const streamed = (from: Iterable<BodySlice> | AsyncIterable<BodySlice>) =>
    Readable.from(watched(from, watch, input.onSent ?? (() => {})), { objectMode: false, highWaterMark: 1 });
  if (input.form) return { headers: { ...input.form.headers }, content: streamed(input.form.slices(SLICE_BYTES)) };
  if (input.bytes) {
    const { bytes } = input;
    return {
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes.byteLength) },
      content: streamed(slices(bytes)),
    };
  }
  watch.sent();
  if (input.json === undefined) return { headers: {}, content: null };
  return { headers: { 'content-type': 'application/json' }, content: JSON.stringify(input.json) };
};

function* slices(all: Uint8Array): Generator<BodySlice> {
  for (let from = 0; from < all.byteLength; from += SLICE_BYTES) {
    const bytes = all.subarray(from, from + SLICE_BYTES);
    yield { bytes, fileBytes: bytes.byteLength };
  }
}

async function* watched(
  from: Iterable<BodySlice> | AsyncIterable<BodySlice>,
  watch: RequestWatch,
  onSent: (bytes: number) => void,
) {
  for await (const { bytes, fileBytes } of from) {
    watch.progress();
    yield bytes;
    onSent(fileBytes);
  }
  watch.sent();
}

const resultOf = <K extends ApiOperation>(
  operation: K,
  endpoint: Endpoint,
  reply: Dispatcher.ResponseData,
  text: string,
  afterMs: number | null,
): Result<ReplyOf<K>> => {
  const status = reply.statusCode;
  if (status >= 300 && status < 400) {
    const target = URL.parse(String(reply.headers.location ?? ''))?.origin;
    const detail = `The service sends requests elsewhere${target ? `, to ${target}` : ''}. Connect to its final address.`;
    return err(failure('REDIRECT_REFUSED', detail, { status, ...(target && { params: { target } }) }));
  }
  if (status >= 400) return err(failureOfRefusal({ status, text, afterMs }));
  if (status === endpoint.status) {
    if (endpoint.reply === null) return ok(undefined as ReplyOf<K>);
    const raw = parseJson(text, RETURNS_ACCOUNT.has(operation) ? withoutNewerValues : undefined);
    const isReply = checkOf(operation, endpoint.reply);
    const known = isReply(raw) ? raw : withoutUnknownOptions(endpoint.reply, raw);
    // Validated before cleaning: an id or address with such characters is rejected, not repaired.
    const value = isReply(known) && cleanReply(known, UNCLEANED_MEMBER[operation] ?? null);
    if (value) return ok(value as ReplyOf<K>);
    if (hasUnsafeAddress(raw)) return err(failure('UNSAFE_ANSWER', UNSAFE, { status }));
  }
  return err(
    failure(
      'NOT_THE_SERVICE',
      'Something else responded instead of the service, perhaps the sign-in page of a network.',
      {
        status,
      },
    ),
  );
};

const UNSAFE = 'The service sent an address with characters that no address has.';

/** The text of a note is the user's own and keeps its line breaks and tabs. */
const UNCLEANED_MEMBER: Partial<Record<ApiOperation, string>> = { readNoteText: 'text' };

const RETURNS_ACCOUNT = new Set<ApiOperation>([
  'readAccount',
  'readSubscription',
  'startTrial',
  'deviceToken',
  'renewKey',
]);

const parseJson = (text: string, revive?: (key: string, value: unknown) => unknown): unknown => {
  try {
    return JSON.parse(text, revive);
  } catch {
    // Not JSON: no schema accepts it.
    return undefined;
  }
};

const checks = new Map<ApiOperation, (value: unknown) => boolean>();

/**
 * Checking 2,048 part numbers for uniqueness costs more than sending a part, and duplicates are harmless, so part
 * replies skip it.
 */
const PartReply = Type.Object({ ...ResumableUpload.properties, received: Type.Array(Type.Integer({ minimum: 0 })) });

const checkOf = (operation: ApiOperation, reply: TSchema): ((value: unknown) => boolean) => {
  const known = checks.get(operation);
  if (known) return known;
  const validator = createValidator(operation === 'putPart' ? PartReply : reply);
  checks.set(operation, validator);
  return validator;
};
