/** The examples and sections of the OpenAPI document are verified. */
import { randomUUID } from 'node:crypto';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoints/endpoint.ts';
import { API, pathOf } from '../../../src/api/endpoints/endpoint-table.ts';
import { PALETTES } from '../../../src/api/page-palettes.ts';
import { OPERATION_EXAMPLES } from '../../../src/server/openapi/examples.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';

const ENDPOINTS = Object.entries<Endpoint>(API);
const faults = (schema: Endpoint['reply'], value: unknown) =>
  schema === null
    ? []
    : [...Value.Errors(schema, value)].map(({ instancePath, message }) => `${instancePath} ${message}`);

let service: RunningServer;
beforeAll(async () => {
  service = await startServer();
});
afterAll(() => service.stop());

interface Operation {
  readonly description: string;
  readonly requestBody?: { readonly required?: boolean };
}

const documentedOperation = async ({ path, method }: Endpoint): Promise<Operation | undefined> => {
  const { body } = await ask<{ paths: Record<string, Record<string, Operation>> }>(service.url, {
    path: '/openapi.json',
  });
  return body.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
};

describe('The operation', () => {
  it.each(ENDPOINTS)('%s names its section, and its example has the shapes of the contract', async (name, endpoint) => {
    const documented = OPERATION_EXAMPLES[name];
    expect(documented?.section).toMatch(/^[A-Z]/);
    expect(documented?.body === undefined).toBe(endpoint.body === undefined);
    expect(documented?.reply === undefined).toBe(endpoint.reply === null);
    if (endpoint.body !== undefined) expect(faults(endpoint.body, documented?.body)).toEqual([]);
    expect(faults(endpoint.reply, documented?.reply)).toEqual([]);
    const operation = await documentedOperation(endpoint);
    expect(operation?.description).toContain(`API document: "${documented?.section}".`);
    if (documented?.reply !== undefined) expect(JSON.stringify(operation)).toContain(JSON.stringify(documented.reply));
  });

  it.each(ENDPOINTS.filter(([, endpoint]) => endpoint.body ?? endpoint.form ?? endpoint.budget === 'parts'))(
    '%s requires a body in the document as the server does',
    async (_, endpoint) => {
      const user = await service.user();
      const upload = await uploader(service.url, user).start(Buffer.from('a'));
      const { status } = await ask(service.url, {
        method: endpoint.method,
        path: pathOf(endpoint, { id: upload.body.id, index: 0 }),
        key: user.apiKey,
        headers: { 'idempotency-key': randomUUID() },
      });
      const operation = await documentedOperation(endpoint);
      expect(operation?.requestBody?.required).toBe(status === 400);
    },
  );

  it('is documented only where the contract has it', () => {
    expect(Object.keys(OPERATION_EXAMPLES).sort()).toEqual(ENDPOINTS.map(([name]) => name).sort());
  });
});

/** Requests without preconditions. */
const SENT = ['readAccount', 'createNote', 'createAlbum', 'startDeviceAuth', 'startUpload'] as const;

/** Differs from server to server, from account to account and from request to request. */
const VARIES: ReadonlySet<string> = new Set([...['id', 'username', 'name', 'scopes', 'deviceCode', 'storageUsed']]);
const PATTERNS = {
  ID: /(?<=\/(?:s|media)\/)[\w-]+/g,
  CODE: /[A-Z]{4}-[A-Z]{4}/g,
  TIME: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
};

/** The same value without what varies. */
const fixed = (value: unknown, origin: string): unknown =>
  JSON.parse(JSON.stringify(value), (name, part: unknown) => {
    if (VARIES.has(name)) return undefined;
    if (typeof part !== 'string') return part;
    return Object.entries(PATTERNS).reduce(
      (text, [word, pattern]) => text.replace(pattern, word),
      part.replace(origin, ''),
    );
  });

it.each(SENT)('the example of %s is accepted, and the server answers as its example says', async (name) => {
  const endpoint: Endpoint = API[name];
  const user = await service.user();
  const example = OPERATION_EXAMPLES[name]?.body as object | undefined;
  const answer = await ask(service.url, {
    method: endpoint.method as 'POST',
    path: endpoint.path,
    key: user.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    // The account of the key is only known at run time.
    ...(example && { body: 'accountId' in example ? { ...example, accountId: user.accountId } : example }),
  });
  expect(answer.status).toBe(endpoint.status);
  expect(faults(endpoint.reply, answer.body)).toEqual([]);
  const documented = OPERATION_EXAMPLES[name]?.reply;
  expect(fixed(documented, 'https://share.example.org')).toEqual(fixed(answer.body, service.url));
});

/** Every value of this property, anywhere in the examples. */
const valuesOf = (property: string): unknown[] => {
  const found: unknown[] = [];
  JSON.stringify(OPERATION_EXAMPLES, (name, value: unknown) => {
    if (name === property) found.push(value);
    return value;
  });
  return found;
};

it('the examples name palettes that the service has', () => {
  expect(valuesOf('palette').filter((palette) => !PALETTES.some((known) => known === palette))).toEqual([]);
});

it('the address of an item in an example has the version of its access from the second one on', () => {
  const items: unknown[] = [];
  JSON.stringify(OPERATION_EXAMPLES, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'accessVersion' in value) items.push(value);
    return value;
  });
  expect(items.length).toBeGreaterThan(0);
  for (const item of items as { accessVersion: number; url: string }[])
    expect(item.url).toMatch(item.accessVersion > 1 ? new RegExp(`\\?v=${item.accessVersion}$`) : /\/s\/\w+$/);
});
