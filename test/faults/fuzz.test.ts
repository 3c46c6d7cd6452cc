/**
 * Malformed requests to every endpoint: wrong types, deep and huge JSON, odd headers, bad paths, broken bodies. No answer
 * is a failure of the server, every error is problem details, and the server lives on in bounded memory.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCOPES } from '../../src/contract/account.ts';
import { API, type ApiOperation, type Endpoint } from '../../src/contract/api.ts';
import { isServiceErrorCode, Problem, SERVICE_ERRORS } from '../../src/contract/errors.ts';
import type { AccountId } from '../../src/contract/ids.ts';
import { pngBytes } from '../support/sample-bytes.ts';
import { type ServerProcess, serverCommand, startServerProcess } from '../support/server.ts';
import { ask, manifestOf, uploader } from '../support/service-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { exchange, type RawReply } from './raw-exchange.ts';

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 20);
const SEED = Number(process.env['FUZZ_SEED'] ?? 41);
/** Requests between two looks at the server's health, each with items that are fresh and whole. */
const BATCH = 300;
/** A small heap: what leaks shows soon, and what is only not collected yet does not. */
const HEAP = ['--max-old-space-size=128', '--max-semi-space-size=4'];
const MEMORY_LIMIT_MIB = 500;
/** How much the second half of the time may hold more than the first. */
const GROWTH_LIMIT_MIB = 64;
const BOUNDARY = 'fuzzed-boundary';

const data = join(temporaryFolder('fuzz'), 'data');
let service: ServerProcess;
/** The cookie of someone who is signed in to the pages. */
let session = '';
let person: { readonly accountId: AccountId; readonly apiKey: string };

const page = (method: Endpoint['method'], path: string): Endpoint => ({
  ...{ method, path, summary: '', scope: null, budget: 'guest', status: 200, reply: null },
});

/** Addresses beside the contract's table that a stranger can reach as well. */
const PAGES: readonly Endpoint[] = [
  ...[
    '/api/media/:id',
    '/api/media/:id/preview',
    '/s/:id',
    '/healthz',
    '/docs',
    '/openapi.json',
    '/account',
    '/sign-in',
  ].map((path) => page('GET', path)),
  ...['/connect', '/connect/device', '/connect/device/decide', '/', '/nothing/:id'].map((path) => page('GET', path)),
  ...['/sign-in', '/account/profile', '/account/keys', '/account/trial'].map((path) => page('POST', path)),
  ...['/connect', '/connect/device', '/connect/device/decide', '/s/:id/open'].map((path) => page('POST', path)),
];

/** The names that the forms of pages use, with values of any kind. */
const pageForm = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...['username', 'password', 'next', 'name', 'bio', 'palette', 'captureHotkey', 'copyLink', 'privateByDefault'],
        ...[
          'scope',
          'scopes',
          'lifetime',
          'revoke',
          'user_code',
          'userCode',
          'code',
          'decision',
          'state',
          'redirect_uri',
        ],
        ...['client_id', 'device_name', 'device_id', 'code_challenge', 'code_challenge_method', '__proto__', ''],
      ),
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('k', 'approve', 'content:read', '%ff', '1', 'ABCD-EFGH'),
      ),
    ),
    { maxLength: 8 },
  )
  .map((fields) => new URLSearchParams(fields.map(([name, value]) => [name, value.toWellFormed()])).toString());

interface Targets {
  readonly items: readonly string[];
  readonly upload: string;
  readonly bodies: Partial<Record<ApiOperation, unknown>>;
}

/** Fresh items, and bodies that would be right, so that what is fuzzed gets past the first check. */
const makeTargets = async (): Promise<Targets> => {
  const png = await pngBytes();
  const api = uploader(service.url, person);
  const note = { text: 'a note', format: 'code', language: 'json', visibility: 'public', tags: ['a'] };
  const { body } = await ask<{ id: string }>(service.url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key: person.apiKey, body: note },
  });
  const picture = await api.publish(png, { password: 'right password' });
  const pending = await api.start(png);
  return {
    items: [body.id, picture.body.content?.id ?? ''],
    upload: pending.body.id,
    bodies: {
      startUpload: manifestOf(person.accountId, png),
      completeUpload: {
        completeKey: randomUUID(),
        title: 'a',
        tags: ['b'],
        visibility: 'public',
        ttl: 'day',
        oneTime: false,
      },
      createNote: note,
      updateContent: {
        title: 'a',
        tags: ['b'],
        visibility: 'unlisted',
        text: 'c',
        revision: 1,
        expiresAt: null,
        viewLimit: 3,
      },
      openShare: { password: 'right password' },
      startDeviceAuth: { deviceName: 'a', deviceId: 'b', platform: 'linux' },
      deviceToken: { grantType: 'device_code', deviceCode: 'a' },
      createAlbum: { title: 'a', visibility: 'private' },
      updateAlbum: { title: 'b' },
    },
  };
};

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '\0', '\ud800', '../../etc/passwd', '%00', "' OR 1=1 --", '__proto__', 'constructor'),
  fc.integer({ min: 1_000, max: 300_000 }).map((length) => 'x'.repeat(length)),
);
const oddNumber = fc.oneof(
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(-1, 0, 1e308, 2 ** 53, 2 ** 31, -0.5, 4_294_967_297),
);
const deep = fc
  .tuple(fc.integer({ min: 10, max: 20_000 }), fc.boolean())
  .map(([depth, isArray]) =>
    isArray ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  );
/** Any JSON text. */
const oddJson: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 4 }),
  oddText.map((text) => JSON.stringify(text)),
  oddNumber.map((number) => JSON.stringify(number)),
  fc.constantFrom('1e999', '-1e999', '123456789012345678901234567890', 'null', 'true', '[]', '{}'),
  deep,
);

/** A right body with some of its fields replaced, removed or added. */
const bentBody = (right: unknown): fc.Arbitrary<string> => {
  const fields = Object.entries((right ?? {}) as Record<string, unknown>);
  const bent = fc
    .array(fc.tuple(fc.constantFrom(...fields.map(([name]) => name), 'more', '__proto__', ''), fc.option(oddJson)), {
      maxLength: 3,
    })
    .map((changes) => {
      const texts = new Map(fields.map(([name, value]) => [name, JSON.stringify(value)]));
      for (const [name, text] of changes)
        if (text === null) texts.delete(name);
        else texts.set(name, text);
      return `{${[...texts].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`;
    });
  return fc.oneof({ weight: 3, arbitrary: bent }, oddJson, oddText);
};

const multipart = fc
  .array(
    fc.tuple(
      fc.constantFrom('file', 'title', 'tags', 'visibility', 'ttl', 'password', 'oneTime', 'file', 'x', ''),
      fc.oneof(oddText, fc.constantFrom('public', 'true', '["a"]', '[', 'day')),
      fc.constantFrom('', '; filename="a.png"', '; filename="a.zip"', '; filename=""', "; filename*=UTF-8''%ff"),
    ),
    { maxLength: 5 },
  )
  .chain((parts) =>
    fc.constantFrom(`--${BOUNDARY}--\r\n`, `--${BOUNDARY}`, '', '--\r\n').map((end) =>
      parts
        .map(
          ([name, value, file]) =>
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`,
        )
        .concat(end)
        .join(''),
    ),
  );

const pathOf = (endpoint: Endpoint, { items, upload }: Targets): fc.Arbitrary<string> => {
  const bad = oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 4_000));
  const raw = fc.constantFrom('%ff', '%', '..', '%2e%2e%2f', '0', '-1', '1e9', '999999999999999999999', randomUUID());
  const value = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...items, upload, '0', 'k') }, bad, raw);
  const path = fc.tuple(value, value).map(([first, second]) => {
    const values = [first, second];
    return endpoint.path.replace(/:\w+/g, () => values.shift() ?? '');
  });
  const name = fc.constantFrom(
    'cursor',
    'type',
    'q',
    'tag',
    'favorite',
    'ids',
    'days',
    'download',
    'file',
    'view',
    'v',
    'x',
  );
  const query = fc
    .array(fc.tuple(name, fc.oneof(bad, raw)), { maxLength: 3 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([key, text]) => `${key}=${text}`).join('&')}`));
  return fc.tuple(path, query).map(([first, second]) => first + second);
};

const oddValue = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll(/[\r\n\0]/g, ' '));
const headerName = fc.constantFrom(
  ...[
    'Idempotency-Key',
    'X-Service-Account',
    'Range',
    'If-Range',
    'If-None-Match',
    'Cookie',
    'Accept-Language',
    'Expect',
  ],
  ...['Origin', 'Sec-Fetch-Site', 'X-Forwarded-For', 'Content-Encoding', 'Host', 'Upgrade', 'X-Odd', 'Authorization'],
);
const oddHeaders = fc.array(
  fc.oneof(
    fc.tuple(headerName, oddValue),
    fc.constantFrom<[string, string]>(
      ['Range', 'bytes=0-0,1-1,2-'],
      ['Range', 'bytes=99999999999999999999-'],
      ['Cookie', `viewer=${'a'.repeat(5_000)}; =; ;;`],
      ['Authorization', 'Basic eDp5'],
      ['Authorization', 'Bearer'],
      ['Expect', '100-continue'],
      ['Upgrade', 'websocket'],
      ['X-Odd', 'y'.repeat(11_000)],
    ),
  ),
  { maxLength: 3 },
);

interface Request {
  readonly text: string;
  /** What was promised about the length is not kept, so the server may hang up instead of answering. */
  readonly isBroken: boolean;
}

const OPERATIONS = Object.entries(API) as readonly (readonly [ApiOperation, Endpoint])[];

const requestOf = (targets: Targets): fc.Arbitrary<Request> =>
  fc
    .constantFrom(...OPERATIONS, ...PAGES.map((address) => [undefined, address] as const))
    .chain(([operation, endpoint]) => {
      const right = operation === undefined ? undefined : targets.bodies[operation];
      const takesBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
      const isPageForm = operation === undefined && takesBody;
      const plainBody = takesBody ? bentBody(right) : fc.constant('');
      const body = endpoint.form
        ? multipart
        : isPageForm
          ? fc.oneof({ weight: 4, arbitrary: pageForm }, oddText)
          : plainBody;
      const plainType = isPageForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const type = endpoint.form ? `multipart/form-data; boundary=${BOUNDARY}` : plainType;
      return fc
        .record({
          method: fc.oneof(
            { weight: 12, arbitrary: fc.constant(endpoint.method) },
            fc.constantFrom('PUT', 'HEAD', 'OPTIONS', 'PATCH'),
          ),
          path: pathOf(endpoint, targets),
          type: fc.oneof(
            { weight: 8, arbitrary: fc.constant(type) },
            fc.constantFrom('', 'text/plain', 'application/octet-stream'),
            oddValue,
          ),
          headers: oddHeaders,
          key: fc.oneof({ weight: 8, arbitrary: fc.constant(person.apiKey) }, fc.constantFrom('', 'lsk_x')),
          body,
          shape: fc.oneof(
            { weight: 10, arbitrary: fc.constant('whole' as const) },
            fc.constantFrom('short', 'chunked', 'garbled'),
          ),
        })
        .map(({ method, path, type, headers, key, body, shape }) => {
          const bytes = Buffer.from(body);
          const framing =
            shape === 'whole'
              ? `Content-Length: ${bytes.length}\r\n\r\n${bytes.toString('latin1')}`
              : shape === 'short'
                ? `Content-Length: ${bytes.length + 7}\r\n\r\n${bytes.toString('latin1')}`
                : `Transfer-Encoding: chunked\r\n\r\n${shape === 'garbled' ? 'zz' : bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n0\r\n\r\n`;
          const lines = [
            ...[`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', `Content-Type: ${type}`],
            ...(isPageForm || path.startsWith('/connect') ? [`Cookie: ${session}`] : []),
            ...(key === '' || isPageForm ? [] : [`Authorization: Bearer ${key}`]),
            ...(operation === 'startUpload' || endpoint.form ? [`Idempotency-Key: ${randomUUID()}`] : []),
            ...headers.map(([name, value]) => `${name}: ${value}`),
          ];
          return { text: `${lines.join('\r\n')}\r\n${framing}`, isBroken: shape !== 'whole' };
        });
    });

/** Throws what a documented answer would not be. */
const judge = ({ text, isBroken }: Request, reply: RawReply | null): void => {
  const [method, path = ''] = text.slice(0, text.indexOf('\r\n')).split(' ');
  if (reply === null) {
    if (!isBroken) throw new Error('The server hung up without an answer.');
    return;
  }
  const { status, headers, body } = reply;
  if (status < 400 || method === 'HEAD') {
    expect(status).toBeLessThan(500);
    return;
  }
  const isPage = headers['content-type']?.startsWith('text/html') === true && !path.startsWith('/api/');
  if (isPage) {
    expect(status).toBeLessThan(500);
    return;
  }
  // A range beyond the end is told by its header alone (RFC 9110, 15.5.17).
  if (status === 416) {
    expect(headers['content-range']).toMatch(/^bytes \*\/\d+$/);
    return;
  }
  expect(headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(Buffer.from(body, 'latin1').toString()) as Problem;
  expect(Value.Errors(Problem, problem)).toEqual([]);
  expect(problem.status).toBe(status);
  if (status >= 500) {
    expect([problem.status, problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  // What is no HTTP is answered by the parser, whose 431 and 408 have no code of their own.
  const expected = isServiceErrorCode(problem.code) ? SERVICE_ERRORS[problem.code].status : undefined;
  if (problem.code !== 'INVALID_INPUT' || ![408, 431].includes(status)) expect(expected).toBe(status);
  if (problem.code !== 'SHARE_UNAVAILABLE') expect(problem.requestId).toBe(headers['x-request-id']);
};

const residentMib = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;

beforeAll(async () => {
  const { id } = await serverCommand(
    ...['account', 'add', 'k', '--plan', 'pro', '--password', 'a long password', '--data', data],
  );
  const scopes = SCOPES.join();
  const key = await serverCommand('key', 'add', '--account', 'k', '--scopes', scopes, '--data', data);
  person = { accountId: id as AccountId, apiKey: key['apiKey'] ?? '' };
  service = await startServerProcess(data, {
    nodeArgs: HEAP,
    config: {
      limits: {
        requestsPerMinute: 10_000_000,
        uploadRequestsPerMinute: 10_000_000,
        partsPerMinute: 10_000_000,
        guestRequestsPerMinute: 10_000_000,
        pendingUploads: 1_000_000,
        partStallSeconds: 2,
        uploadStallSeconds: 2,
      },
    },
  });
  const form = new URLSearchParams({ username: 'k', password: 'a long password' });
  const signedIn = await fetch(`${service.url}/sign-in`, { method: 'POST', body: form, redirect: 'manual' });
  session = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(session).not.toBe('');
});
afterAll(() => service.end('SIGKILL'));

it(`${SECONDS} s of malformed requests give documented answers only, and the server lives on (seed ${SEED})`, {
  timeout: SECONDS * 1_000 + 120_000,
}, async () => {
  const statuses = new Map<number, number>();
  const memory: number[] = [];
  const end = Date.now() + SECONDS * 1_000;
  for (let batch = 0; Date.now() < end; batch += 1) {
    const targets = await makeTargets();
    await fc.assert(
      fc.asyncProperty(requestOf(targets), async (request) => {
        const reply = await exchange(service.url, Buffer.from(request.text, 'latin1'), {
          after: request.isBroken ? 'leave' : 'listen',
        });
        judge(request, reply);
        statuses.set(reply?.status ?? 0, (statuses.get(reply?.status ?? 0) ?? 0) + 1);
      }),
      {
        numRuns: BATCH,
        seed: SEED + batch,
        interruptAfterTimeLimit: Math.max(1_000, end - Date.now()),
        endOnFailure: true,
      },
    );
    expect((await ask(service.url, { path: '/api/v1/account', key: person.apiKey })).status).toBe(200);
    memory.push(residentMib());
  }
  const half = memory.length >> 1;
  const [before, after] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
  console.log(
    `answers: ${JSON.stringify(Object.fromEntries(statuses))}; RSS MiB: ${before.toFixed(0)}, then ${after.toFixed(0)}`,
  );
  expect(after).toBeLessThan(MEMORY_LIMIT_MIB);
  if (half > 0) expect(after - before).toBeLessThan(GROWTH_LIMIT_MIB);
  expect(statuses.get(200), 'some requests get through').toBeGreaterThan(0);
  expect(await service.end('SIGTERM')).toBe(0);
});
