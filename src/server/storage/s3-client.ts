/**
 * Sends single requests to an S3-compatible store, signed with the SHA-256 of their body. Retries a request a few times
 * while the store is busy or unreachable, but not where it answers nothing: the client of the server gets an answer in
 * time. Errors never contain credentials.
 */
import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import { Agent, type Dispatcher, errors, request as send } from 'undici';
import type { Clock, Random } from '../clock-and-random.ts';
import { createSendWindow } from './send-window.ts';

export interface S3Settings {
  /** Like `https://s3.example.org`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before all keys, without slashes at its ends; may be empty. */
  readonly prefix: string;
  /** The bucket is in the path and not in the host name. */
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The store has refused a request, for example because of a revoked key: it does so until the operator acts. */
export class S3RefusedError extends Error {
  override readonly name = 'S3RefusedError';
  readonly code: string = 'OBJECTS_REFUSED';
  /** Of `S3Request`. */
  readonly operation: string;
  readonly status: number;
  /** Of the store, such as `NoSuchBucket`; empty without one. */
  readonly s3Code: string;

  constructor(operation: string, status: number, s3Code: string) {
    super(`The object store refused to ${operation} (${status} ${s3Code}).`);
    this.operation = operation;
    this.status = status;
    this.s3Code = s3Code;
  }
}

/** The store has no space left, or the bucket has reached its quota. */
export class S3FullError extends S3RefusedError {
  /** As of a full disk. */
  override readonly code = 'ENOSPC';
}

/** The store is away or busy, also after all repetitions; `code` is that of a server that has to be asked again. */
export class S3UnavailableError extends Error {
  override readonly name = 'S3UnavailableError';
  readonly code = 'OBJECTS_UNAVAILABLE';
  /** Of `S3Request`. */
  readonly operation: string;
  /** The code of an error of the network, or the status of the answer. */
  readonly reason: string;
  /** When the store wants to be asked again; null: it has not said. */
  readonly retryAfterMs: number | null;

  constructor(operation: string, reason: string, retryAfterMs: number | null) {
    super(`The object store did not ${operation}: ${reason}.`);
    this.operation = operation;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

interface S3Request {
  /** For errors and metrics: put, get, delete, list. */
  readonly operation: string;
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Below the prefix, of characters that need no escape; null: the bucket itself. */
  readonly key: string | null;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal | undefined;
  /** The answer is read as slowly as a client of the server reads. */
  readonly isStreamed?: boolean;
}

interface S3Response {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Dispatcher.ResponseData['body'];
}

/** Called for every request that was sent; `outcome` is the status or `failed`. */
export type ObserveS3 = (operation: string, outcome: string, seconds: number) => void;

export interface S3Client {
  /**
   * Resolves with the headers of the answer; the caller reads or discards its body. Throws `S3RefusedError`,
   * `S3UnavailableError`, and the signal's reason when it aborts.
   */
  send(request: S3Request): Promise<S3Response>;
  close(): Promise<void>;
}

interface S3ClientDeps {
  readonly settings: S3Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe?: ObserveS3;
  /** How often a request is sent at most, while the store is busy or away. */
  readonly tries?: number;
  /** How many answers are streamed at the same time. */
  readonly streams?: number;
  /** How many large bodies are sent at the same time. */
  readonly bodies?: number;
}

const TRIES = 5;
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;
const CONNECT_MS = 5_000;
/** Until the headers of an answer; a slow store takes seconds for a chunk. */
const ANSWER_MS = 20_000;
/** 16 KiB/s, with which the body of a request may be sent: undici counts the time of sending as waiting for the answer. */
const SLOWEST_BYTES_PER_MS = 16.384;
const BODY_STALL_MS = 20_000;
const CONNECTIONS = 64;
/** The other connections are for requests that are quick on any link, such as those of a health check. */
const BODIES = 48;
const SMALL_BODY_BYTES = 64 * 1024;
const STREAMS = 64;
/** Any request may be repeated: all are idempotent. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 509]);
const BUSY_CODES: ReadonlySet<string> = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'OperationAborted']);
const INSUFFICIENT_STORAGE = 507;
/** Ceph, Wasabi and others; MinIO. */
const FULL_CODES: ReadonlySet<string> = new Set(['QuotaExceeded', 'XMinioAdminBucketQuotaExceeded']);

/** SHA-256 as the signer wants it. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string | Uint8Array);
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

export const createS3Client = ({
  settings,
  clock,
  random,
  observe = () => {},
  tries = TRIES,
  streams = STREAMS,
  bodies = BODIES,
}: S3ClientDeps): S3Client => {
  const { endpoint, region, bucket, prefix, pathStyle, accessKeyId, secretAccessKey } = settings;
  const base = new URL(endpoint);
  const host = pathStyle ? base.host : `${bucket}.${base.host}`;
  const root = `${base.pathname.replace(/\/$/, '')}${pathStyle ? `/${bucket}` : ''}`;
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const openAgent = (connections: number): Agent =>
    new Agent({
      connections,
      connect: { timeout: CONNECT_MS },
      bodyTimeout: BODY_STALL_MS,
      pipelining: 1,
    });
  const agent = openAgent(CONNECTIONS);
  // Of its own: clients that read slowly keep no other request waiting.
  const streaming = openAgent(streams);
  const window = createSendWindow(bodies);

  const sendOnce = async ({ method, key, query = {}, headers = {}, body, signal, isStreamed }: S3Request) => {
    const path = key === null ? root || '/' : `${root}/${prefix === '' ? '' : `${prefix}/`}${key}`;
    const signed = await signer.sign(
      {
        method,
        protocol: base.protocol,
        hostname: host,
        path,
        query,
        headers: {
          ...headers,
          host,
          'x-amz-content-sha256': createHash('sha256')
            .update(body ?? '')
            .digest('hex'),
        },
      },
      { signingDate: new Date(clock.now()) },
    );
    return await send(`${base.protocol}//${host}${path}${search(query)}`, {
      method,
      dispatcher: isStreamed === true ? streaming : agent,
      headers: signed.headers,
      body: body ?? null,
      headersTimeout: ANSWER_MS + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS,
      ...(signal && { signal }),
    });
  };

  const pauseOf = (attempt: number, retryAfterMs: number | null): number => {
    const jitter = 0.5 + (random.bytes(1)[0] ?? 0) / 512;
    const pause = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * jitter;
    return Math.max(pause, retryAfterMs ?? 0);
  };

  /** Returns an error after which the request may be repeated. */
  const attempt = async (request: S3Request): Promise<S3Response | S3UnavailableError> => {
    const { operation, signal } = request;
    const began = performance.now();
    const seen = (outcome: string): void => observe(operation, outcome, (performance.now() - began) / 1_000);
    let answer: Dispatcher.ResponseData;
    try {
      const isSmall = (request.body?.length ?? 0) <= SMALL_BODY_BYTES;
      answer = await (isSmall ? sendOnce(request) : window.run(() => sendOnce(request), isTimeOut, signal));
    } catch (error) {
      signal?.throwIfAborted();
      seen('failed');
      const unavailable = new S3UnavailableError(operation, reasonOf(error), null);
      if (isTimeOut(error)) throw unavailable;
      return unavailable;
    }
    const { statusCode: status, headers, body } = answer;
    seen(String(status));
    if (status >= 200 && status < 300) return { status, headers, body };
    const text = await body.text().catch(() => '');
    const s3Code = /<Code>([\w.]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
    if (status === INSUFFICIENT_STORAGE || FULL_CODES.has(s3Code)) throw new S3FullError(operation, status, s3Code);
    if (!BUSY.has(status) && !BUSY_CODES.has(s3Code)) throw new S3RefusedError(operation, status, s3Code);
    return new S3UnavailableError(operation, `${status} ${s3Code}`.trim(), retryAfterOf(headers['retry-after']));
  };

  return {
    send: async (request) => {
      for (let count = 1; ; count += 1) {
        request.signal?.throwIfAborted();
        const outcome = await attempt(request);
        if (!(outcome instanceof S3UnavailableError)) return outcome;
        // A longer wait is for the client of the server.
        if (count >= tries || (outcome.retryAfterMs ?? 0) > LAST_PAUSE_MS) throw outcome;
        const pause = pauseOf(count - 1, outcome.retryAfterMs);
        await sleep(pause, undefined, request.signal ? { signal: request.signal } : {});
      }
    },
    close: async () => {
      await Promise.all([agent.destroy(), streaming.destroy()]);
    },
  };
};

const isTimeOut = (error: unknown): boolean => error instanceof errors.HeadersTimeoutError;

/** Escaped as the signature has it. */
const search = (query: Readonly<Record<string, string>>): string => {
  const escaped = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const pairs = Object.entries(query).map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.sort().join('&')}`;
};

const retryAfterOf = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;

/** Names the error without its message, which may have addresses and headers in it. */
const reasonOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
};
