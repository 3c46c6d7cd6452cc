/** Generates malformed requests: wrong types, deep and huge JSON, odd headers, bad paths, broken bodies. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Endpoint } from '../../src/api/endpoints/endpoint.ts';
import { API, type ApiOperation } from '../../src/api/endpoints/endpoint-table.ts';

const BOUNDARY = 'fuzzed-boundary';

/** What is on the server to be asked for. */
export interface Targets {
  readonly key: string;
  /** The cookie of someone who is signed in to the pages. */
  readonly session: string;
  readonly items: readonly string[];
  readonly upload: string;
  readonly bodies: Partial<Record<ApiOperation, unknown>>;
}

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
    '/account/items',
    '/account/items/:id',
    '/account/security',
    '/sign-in',
  ].map((path) => page('GET', path)),
  ...['/connect', '/connect/device', '/connect/device/decide', '/', '/nothing/:id'].map((path) => page('GET', path)),
  ...['/sign-in', '/account/profile', '/account/keys', '/account/trial'].map((path) => page('POST', path)),
  ...['/account/items/:id', '/account/items/delete', '/account/password'].map((path) => page('POST', path)),
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

export interface FuzzedRequest {
  readonly text: string;
  /** What was promised about the length is not kept, so the server may hang up instead of answering. */
  readonly isBroken: boolean;
}

const OPERATIONS = Object.entries(API) as readonly (readonly [ApiOperation, Endpoint])[];

/** A request to any endpoint, usually malformed in some way. */
export const fuzzedRequest = (targets: Targets): fc.Arbitrary<FuzzedRequest> =>
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
          key: fc.oneof({ weight: 8, arbitrary: fc.constant(targets.key) }, fc.constantFrom('', 'lsk_x')),
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
            ...(isPageForm || path.startsWith('/connect') ? [`Cookie: ${targets.session}`] : []),
            ...(key === '' || isPageForm ? [] : [`Authorization: Bearer ${key}`]),
            ...(operation === 'startUpload' || endpoint.form ? [`Idempotency-Key: ${randomUUID()}`] : []),
            ...headers.map(([name, value]) => `${name}: ${value}`),
          ];
          return { text: `${lines.join('\r\n')}\r\n${framing}`, isBroken: shape !== 'whole' };
        });
    });
