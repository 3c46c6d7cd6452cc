/** The examples and sections of the OpenAPI document are verified. */
import { randomUUID } from 'node:crypto';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoints/endpoint.ts';
import { API } from '../../../src/api/endpoints/endpoint-table.ts';
import { OPERATION_EXAMPLES } from '../../../src/server/openapi/examples.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

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

describe('The operation', () => {
  it.each(ENDPOINTS)('%s names its section, and its example has the shapes of the contract', async (name, endpoint) => {
    const documented = OPERATION_EXAMPLES[name];
    expect(documented?.section).toMatch(/^[A-Z]/);
    expect(documented?.body === undefined).toBe(endpoint.body === undefined);
    expect(documented?.reply === undefined).toBe(endpoint.reply === null);
    if (endpoint.body !== undefined) expect(faults(endpoint.body, documented?.body)).toEqual([]);
    expect(faults(endpoint.reply, documented?.reply)).toEqual([]);
    const { body } = await ask<{ paths: Record<string, Record<string, { description: string }>> }>(service.url, {
      path: '/openapi.json',
    });
    const operation = body.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    expect(operation?.description).toContain(`API document: "${documented?.section}".`);
    if (documented?.reply !== undefined) expect(JSON.stringify(operation)).toContain(JSON.stringify(documented.reply));
  });

  it('is documented only where the contract has it', () => {
    expect(Object.keys(OPERATION_EXAMPLES).sort()).toEqual(ENDPOINTS.map(([name]) => name).sort());
  });
});

/** Requests without preconditions; the response has the shape of the example. */
const SENT = ['createNote', 'createAlbum', 'startDeviceAuth', 'startUpload'] as const;

it.each(SENT)('the example of %s is accepted unchanged', async (name) => {
  const endpoint: Endpoint = API[name];
  const user = await service.user({ plan: 'pro' });
  const example = OPERATION_EXAMPLES[name]?.body as object;
  const answer = await ask(service.url, {
    method: endpoint.method as 'POST',
    path: endpoint.path,
    key: user.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    // The account of the key is only known at run time.
    body: 'accountId' in example ? { ...example, accountId: user.accountId } : example,
  });
  expect(answer.status).toBe(endpoint.status);
  expect(faults(endpoint.reply, answer.body)).toEqual([]);
});
