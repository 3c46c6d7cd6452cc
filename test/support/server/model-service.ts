/**
 * A small model of the resumable endpoints on a real port, correct in states, hashes and idempotency. It accepts any
 * bytes, and a test may interfere between a request and its response: refuse it, lose the response, delay it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { User } from '../../../src/api/account.ts';
import type { Content } from '../../../src/api/content.ts';
import type { ServiceErrorCode } from '../../../src/api/errors.ts';
import { SERVICE_ERRORS } from '../../../src/api/errors.ts';
import { partCount, partLength } from '../../../src/api/limits.ts';
import type { CompleteUpload, ResumableUpload, StartUpload, UploadState } from '../../../src/api/resumable-upload.ts';
import { freePort } from '../free-port.ts';
import { modelAccount, modelContent } from './model-account.ts';

export interface ModelRequest {
  readonly operation: 'account' | 'start' | 'status' | 'part' | 'complete' | 'cancel';
  /** Total number of earlier requests of this operation. */
  readonly nth: number;
  /** Number of the part. */
  readonly index: number | null;
}

/** A test's interference with a request. */
type Interference =
  | { readonly do: 'refuse'; readonly code: ServiceErrorCode; readonly retryAfter?: string; readonly params?: object }
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** The socket breaks before anything is done. */
  | { readonly do: 'break' }
  /** Everything is done; the response is lost. */
  | { readonly do: 'lose-answer' }
  | { readonly do: 'wait'; readonly until: Promise<unknown> };

interface ModelUpload {
  readonly id: string;
  readonly key: string;
  readonly account: string;
  readonly start: StartUpload;
  readonly parts: Map<number, Buffer>;
  state: UploadState;
  completed: { readonly body: CompleteUpload; readonly content: Content; readonly sha256: string } | null;
}

export interface ModelService {
  readonly url: string;
  readonly uploads: Map<string, ModelUpload>;
  readonly requests: (ModelRequest & { readonly headers: IncomingMessage['headers'] })[];
  /** Published items, each with the hash of its bytes. */
  published(): { readonly content: Content; readonly sha256: string; readonly account: string }[];
  /** Maximum of concurrent parts. */
  mostPartsAtOnce(): number;
  /** Accounts by key; an unknown key is 401 API_KEY_INVALID. */
  readonly keys: Map<string, string>;
  interfere: (request: ModelRequest) => Interference | null;
  /** Overrides of the account's fields. */
  account: Partial<User>;
  close(): Promise<void>;
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

class Refusal extends Error {
  readonly code: ServiceErrorCode;
  readonly more: { readonly retryAfter?: string; readonly params?: object };
  constructor(code: ServiceErrorCode, more: { readonly retryAfter?: string; readonly params?: object } = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

export const startModelService = async (): Promise<ModelService> => {
  const uploads = new Map<string, ModelUpload>();
  const requests: ModelService['requests'] = [];
  const keys = new Map([['key-a', 'account-a']]);
  let partsNow = 0;
  let partsMost = 0;

  const recordOf = (upload: ModelUpload): ResumableUpload => {
    const received = [...upload.parts.keys()].sort((a, b) => a - b);
    return {
      id: upload.id as ResumableUpload['id'],
      state: upload.state,
      filename: upload.start.filename,
      size: upload.start.size,
      chunkSize: upload.start.chunkSize,
      chunkCount: partCount(upload.start.size),
      fingerprint: upload.start.fingerprint,
      received,
      receivedBytes: received.reduce((sum, index) => sum + partLength(upload.start.size, index), 0),
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      content: upload.completed?.content ?? null,
    };
  };

  const open = (id: string, account: string): ModelUpload => {
    const upload = uploads.get(id);
    if (!upload || upload.account !== account) throw new Refusal('NOT_FOUND');
    return upload;
  };

  const start = (body: StartUpload, key: string, account: string): ModelUpload => {
    const fingerprint = sha256(
      `service-resumable-v1\n${[body.size, body.chunkSize, ...body.chunkHashes].join('\n')}\n`,
    );
    if (fingerprint !== body.fingerprint || body.chunkHashes.length !== partCount(body.size))
      throw new Refusal('INVALID_INPUT');
    const known = [...uploads.values()].find((upload) => upload.key === key);
    if (known && known.start.fingerprint !== body.fingerprint) throw new Refusal('IDEMPOTENCY_CONFLICT');
    const upload = known ?? {
      id: randomUUID(),
      key,
      account,
      start: body,
      parts: new Map(),
      state: 'UPLOADING',
      completed: null,
    };
    uploads.set(upload.id, upload);
    return upload;
  };

  const takePart = (upload: ModelUpload, index: number, bytes: Buffer) => {
    if (upload.state === 'CANCELLED' || upload.state === 'EXPIRED') throw new Refusal('UPLOAD_GONE');
    if (sha256(bytes) !== upload.start.chunkHashes[index]) throw new Refusal('UPLOAD_PART_MISMATCH');
    upload.parts.set(index, bytes);
  };

  const complete = (upload: ModelUpload, body: CompleteUpload, origin: string) => {
    if (upload.completed) {
      if (JSON.stringify(body) !== JSON.stringify(upload.completed.body)) throw new Refusal('COMPLETE_CONFLICT');
      return;
    }
    if (upload.state !== 'UPLOADING') throw new Refusal('UPLOAD_GONE');
    const { size, filename } = upload.start;
    const missing = Array.from({ length: partCount(size) }, (_, index) => index).filter(
      (index) => !upload.parts.has(index),
    );
    if (missing.length > 0) throw new Refusal('UPLOAD_INCOMPLETE', { params: { missing } });
    const bytes = Buffer.concat([...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part));
    const content = modelContent(`item-${randomUUID().slice(0, 8)}`, origin, {
      title: body.title ?? filename,
      name: filename,
      size,
    });
    upload.completed = { body, content, sha256: sha256(bytes) };
    upload.state = 'COMPLETED';
  };

  const answer = (
    method: string,
    path: string,
    body: Buffer,
    headers: IncomingMessage['headers'],
    account: string,
    origin: string,
  ) => {
    const guard = headers['x-service-account'];
    if (guard !== undefined && guard !== account) throw new Refusal('ACCOUNT_MISMATCH');
    if (path === '/api/v1/account') {
      const known = modelAccount(account);
      return { ...known, user: { ...known.user, ...model.account } };
    }
    const resumable = /^\/api\/v1\/uploads\/resumable(?:\/([^/]+)(?:\/(.+))?)?$/.exec(path);
    // This service does not accept single-request uploads.
    if (resumable === null) throw new Refusal('NOT_FOUND');
    const [, id = '', part] = resumable;
    const json = <T>() => JSON.parse(body.toString()) as T;
    if (id === '') return recordOf(start(json<StartUpload>(), String(headers['idempotency-key']), account));
    const upload = open(id, account);
    if (part === 'complete') complete(upload, json<CompleteUpload>(), origin);
    else if (part) takePart(upload, Number(part.replace('parts/', '')), body);
    else if (method === 'DELETE') {
      if (upload.state === 'COMPLETED') throw new Refusal('COMPLETE_CONFLICT');
      upload.state = 'CANCELLED';
      return null;
    }
    return recordOf(upload);
  };

  const operationOf = (method: string, path: string): ModelRequest['operation'] => {
    if (path.endsWith('/account')) return 'account';
    if (path.includes('/parts/')) return 'part';
    if (path.endsWith('/complete')) return 'complete';
    if (method === 'POST') return 'start';
    return method === 'DELETE' ? 'cancel' : 'status';
  };

  const problem = (response: ServerResponse, { code, more }: Refusal) => {
    const { status, title } = SERVICE_ERRORS[code];
    response.writeHead(status, {
      'content-type': 'application/problem+json',
      ...(more.retryAfter && { 'retry-after': more.retryAfter }),
    });
    response.end(
      JSON.stringify({
        type: 'about:blank',
        title,
        status,
        detail: title,
        code,
        requestId: 'r',
        ...(more.params && { params: more.params }),
      }),
    );
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method ?? 'GET';
    const path = request.url ?? '/';
    const operation = operationOf(method, path);
    const index = operation === 'part' ? Number(path.split('/').at(-1)) : null;
    const seen = { operation, nth: requests.filter((other) => other.operation === operation).length, index };
    requests.push({ ...seen, headers: request.headers });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);

    const step = model.interfere(seen);
    if (step?.do === 'break') return request.socket.destroy();
    if (step?.do === 'wait') await step.until;
    if (step?.do === 'answer') {
      response.writeHead(step.status, { 'content-type': step.type, ...step.headers });
      return response.end(step.body);
    }
    if (step?.do === 'refuse') return problem(response, new Refusal(step.code, step));
    try {
      const account = keys.get(String(request.headers.authorization).replace('Bearer ', ''));
      if (!account) throw new Refusal('API_KEY_INVALID');
      const body = answer(method, path, Buffer.concat(chunks), request.headers, account, model.url);
      if (step?.do === 'lose-answer') return request.socket.destroy();
      response.writeHead(body === null ? 204 : 200, { 'content-type': 'application/json' });
      response.end(body === null ? undefined : JSON.stringify(body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem(response, error);
    }
  };

  const server = createServer((request, response) => {
    const isPart = request.url?.includes('/parts/') ?? false;
    if (isPart) partsMost = Math.max(partsMost, ++partsNow);
    handle(request, response)
      .catch(() => request.socket.destroy())
      .finally(() => {
        if (isPart) partsNow--;
      });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  const model: ModelService = {
    url: `http://127.0.0.1:${port}`,
    uploads,
    requests,
    keys,
    interfere: () => null,
    account: {},
    published: () =>
      [...uploads.values()].flatMap(({ completed, account }) => (completed ? [{ ...completed, account }] : [])),
    mostPartsAtOnce: () => partsMost,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return model;
};
