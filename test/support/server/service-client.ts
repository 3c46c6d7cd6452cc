/** An HTTP client for tests that hides nothing: it returns status, headers and body unchanged. */
import { createHash, randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Problem } from '../../../src/api/errors.ts';
import { LIMITS, partCount } from '../../../src/api/limits.ts';
import { fingerprintText, type ResumableUpload } from '../../../src/api/resumable-upload.ts';
import type { User } from './server.ts';

export interface Answer<T = ResumableUpload> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; for an error read `problem`. */
  readonly body: T;
  readonly problem: Problem;
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A plain value is sent as JSON, bytes unchanged. */
  readonly body?: unknown;
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** One request to the server at `url`. */
export const ask = async <T = unknown>(
  url: string,
  { method = 'GET', path, key, headers, body }: Ask,
): Promise<Answer<T>> => {
  const isBytes = body instanceof Uint8Array;
  const answer = await request(`${url}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  const json = (answer.headers['content-type'] ?? '').includes('json') ? JSON.parse(text) : text;
  return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body: json, problem: json };
};

/** The parts of `bytes` as the protocol cuts them. */
export const partsOf = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: partCount(bytes.length) }, (_, index) =>
    bytes.subarray(index * LIMITS.partBytes, (index + 1) * LIMITS.partBytes),
  );

/** The body of a start for `bytes`. */
export const manifestOf = (accountId: string, bytes: Uint8Array, filename = 'picture.png') => {
  const chunkHashes = partsOf(bytes).map(sha256);
  return {
    accountId,
    filename,
    size: bytes.length,
    chunkSize: LIMITS.partBytes,
    chunkHashes,
    fingerprint: sha256(fingerprintText(bytes.length, chunkHashes)),
  };
};

const BASE = '/api/v1/uploads/resumable';

/** The resumable endpoints as used by one account. */
export const uploader = (url: string, user: Pick<User, 'accountId' | 'apiKey'>) => {
  const key = user.apiKey;
  const api = {
    start: (
      bytes: Uint8Array,
      { idempotencyKey = randomUUID() as string, filename = 'picture.png', headers = {}, more = {} } = {},
    ) =>
      ask<ResumableUpload>(url, {
        method: 'POST',
        path: BASE,
        key,
        headers: { 'idempotency-key': idempotencyKey, ...headers },
        body: { ...manifestOf(user.accountId, bytes, filename), ...more },
      }),
    status: (id: string) => ask<ResumableUpload>(url, { path: `${BASE}/${id}`, key }),
    list: () => ask<{ items: ResumableUpload[] }>(url, { path: BASE, key }),
    part: (id: string, index: number, bytes: Uint8Array, headers: Record<string, string> = {}) =>
      ask<ResumableUpload>(url, { method: 'PUT', path: `${BASE}/${id}/parts/${index}`, key, headers, body: bytes }),
    complete: (id: string, completeKey: string, fields: Record<string, unknown> = {}) =>
      ask<ResumableUpload>(url, {
        method: 'POST',
        path: `${BASE}/${id}/complete`,
        key,
        body: { completeKey, ...fields },
      }),
    cancel: (id: string) => ask<ResumableUpload>(url, { method: 'DELETE', path: `${BASE}/${id}`, key }),
    /** Starts an upload and sends all of its parts; resolves with its id. */
    send: async (bytes: Uint8Array, options: { idempotencyKey?: string; filename?: string } = {}): Promise<string> => {
      const started = await api.start(bytes, options);
      if (started.status !== 200) throw new Error(`start: ${started.status} ${JSON.stringify(started.body)}`);
      for (const [index, part] of partsOf(bytes).entries()) {
        const sent = await api.part(started.body.id, index, part);
        if (sent.status !== 200) throw new Error(`part ${index}: ${sent.status} ${JSON.stringify(sent.body)}`);
      }
      return started.body.id;
    },
    /** Uploads and publishes `bytes`; resolves with the response of the completion. */
    publish: async (bytes: Uint8Array, fields: Record<string, unknown> = {}) =>
      await api.complete(await api.send(bytes), randomUUID(), fields),
  };
  return api;
};
