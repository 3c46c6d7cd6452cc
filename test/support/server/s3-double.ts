/**
 * An S3 store in this process, stricter than real ones: it verifies each signature and the hash of each body, and refuses
 * what the strictest of the real ones refuses (Swift's s3api: conditional writes, chunked bodies). Tests make it fail.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '../../../src/server/storage/s3-client.ts';

/** What happens to a request: null serves it. */
export type S3Fault =
  | { readonly kind: 'refuse'; readonly status: number; readonly code: string; readonly retryAfter?: number }
  /** Something before the store answers, such as a proxy without a backend; `body` is plain text. */
  | { readonly kind: 'proxy'; readonly status: number; readonly body: string }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly after: number }
  /** The work is done, and the answer is lost. */
  | { readonly kind: 'lose' }
  /** The connection ends before anything is done. */
  | { readonly kind: 'drop' }
  /** The work is done, and the answer waits. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> };

type Decide = (method: string, key: string) => S3Fault | null;

/** Each request loses its answer the first time, meets a busy store the second, and a body is cut the third. */
export const badDay = (): Decide => {
  const tries = new Map<string, number>();
  return (method, key) => {
    const count = (tries.get(`${method} ${key}`) ?? 0) + 1;
    tries.set(`${method} ${key}`, count);
    if (count === 1) return { kind: 'lose' };
    if (count === 2) return { kind: 'refuse', status: 503, code: 'SlowDown' };
    return count === 3 && method === 'GET' ? { kind: 'cut', after: 600_000 } : null;
  };
};

/** Whether it is the object by which `/readyz` tries the store. */
export const isProbe = (key: string): boolean => key.includes('/probe/');

/** Whether it is the object by which a store and its records know each other. */
export const isStoreId = (key: string): boolean => /(?:^|\/)store-id$/.test(key);

export interface S3Double {
  readonly settings: S3Settings;
  /** By key, below the bucket. */
  readonly objects: Map<string, Buffer>;
  /** The keys of all objects except the id of the store. */
  objectKeys(): readonly string[];
  /** `METHOD key`, in the order of arrival. */
  readonly requests: string[];
  /** Decides about each request from now on. */
  fault(decide: Decide): void;
  close(): Promise<void>;
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

const ACCESS_KEY = 'TESTACCESSKEY0000001';
const SECRET = 'test-secret-0000000000000000000000000001';
const REGION = 'eu-test-1';
const BUCKET = 'linkshot-test';
const PREFIX = 'some/prefix';

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const LISTED_AT_ONCE = 100;

/** ListObjectsV2, in pages. */
const listing = (objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string => {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, LISTED_AT_ONCE);
  const entries = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  const isTruncated = keys.length > page.length;
  const token = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${entries.join('')}</ListBucketResult>`;
};

/** By the rules of AWS Signature Version 4, independently of the signer under test. Throws `Refusal`. */
const verify = (request: IncomingMessage, url: URL, body: Buffer): void => {
  const { headers } = request;
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (parsed === null) throw new Refusal(403, 'AccessDenied');
  const [, accessKey, day = '', region, names = '', signature = ''] = parsed;
  if (accessKey !== ACCESS_KEY) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== REGION) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  const signed = names.split(';');
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date']) {
    if (!signed.includes(name)) throw new Refusal(403, 'SignatureDoesNotMatch');
  }
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const canonicalHeaders = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [request.method, url.pathname, query, canonicalHeaders, names, payload].join('\n');
  const date = String(headers['x-amz-date']);
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${SECRET}`, day), REGION));
  if (!timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))) throw new Refusal(403, 'SignatureDoesNotMatch');
};

export const startS3Double = async (): Promise<S3Double> => {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  let decide: (method: string, key: string) => S3Fault | null = () => null;

  const refuse = (response: ServerResponse, status: number, code: string, retryAfter?: number): void => {
    const headers = {
      'content-type': 'application/xml',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    };
    response.writeHead(status, headers).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  };

  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    body: Buffer,
    fault: S3Fault | null,
  ) => {
    const { headers, method } = request;
    const cut = fault?.kind === 'cut' ? fault.after : null;
    if (headers['if-none-match'] ?? headers['if-match']) throw new Refusal(501, 'NotImplemented');
    const stored = objects.get(key);
    if (method === 'PUT' && headers['content-length'] !== undefined) objects.set(key, body);
    if (method === 'DELETE') objects.delete(key);
    if (fault?.kind === 'hold') await fault.until;
    switch (method) {
      case 'PUT':
        if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength');
        response.writeHead(200).end();
        return;
      case 'DELETE':
        response.writeHead(204).end();
        return;
      case 'GET': {
        if (stored === undefined) throw new Refusal(404, 'NoSuchKey');
        const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
        if (range !== null && Number(range[1]) >= stored.length) throw new Refusal(416, 'InvalidRange');
        const bytes = range === null ? stored : stored.subarray(Number(range[1]), Number(range[2]) + 1);
        response.writeHead(range === null ? 200 : 206, { 'content-length': bytes.length });
        if (cut === null) response.end(bytes);
        else response.write(bytes.subarray(0, cut), () => response.destroy());
        return;
      }
      default:
        throw new Refusal(405, 'MethodNotAllowed');
    }
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://double');
    try {
      const body = await buffer(request);
      verify(request, url, body);
      const [, bucket, ...rest] = url.pathname.split('/');
      if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket');
      const key = rest.join('/');
      requests.push(`${request.method} ${key}`);
      const fault = decide(request.method ?? '', key);
      if (fault?.kind === 'refuse') return refuse(response, fault.status, fault.code, fault.retryAfter);
      if (fault?.kind === 'proxy') {
        response.writeHead(fault.status, { 'content-type': 'text/plain; charset=utf-8' }).end(fault.body);
        return;
      }
      if (fault?.kind === 'drop') return void response.destroy();
      if (key === '' && url.searchParams.get('list-type') === '2') {
        response.writeHead(200, { 'content-type': 'application/xml' }).end(listing(objects, url.searchParams));
        return;
      }
      if (fault?.kind === 'lose') {
        if (request.method === 'PUT') objects.set(key, body);
        if (request.method === 'DELETE') objects.delete(key);
        return void response.destroy();
      }
      await serve(request, response, key, body, fault);
    } catch (error) {
      if (error instanceof Refusal) refuse(response, error.status, error.code);
      else response.destroy();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    settings: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: REGION,
      bucket: BUCKET,
      prefix: PREFIX,
      pathStyle: true,
      accessKeyId: ACCESS_KEY,
      secretAccessKey: SECRET,
    },
    objects,
    objectKeys: () => [...objects.keys()].filter((key) => !isStoreId(key)),
    requests,
    fault: (next) => {
      decide = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
