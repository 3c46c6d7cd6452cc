import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoints/endpoint.ts';
import { API } from '../../../src/api/endpoints/endpoint-table.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { itWith } from '../../support/only-on.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  responses: Record<string, { content?: Record<string, unknown> }>;
  parameters: { name: string; in: string; required?: boolean }[];
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

const document = async (path = '/openapi.json'): Promise<Document> =>
  (await fetch(`${server.url}${path}`)).json() as Promise<Document>;

describe('The OpenAPI document', () => {
  it('has every endpoint of the contract with its permission, its success and its failures', async () => {
    const { openapi, servers, paths } = await document();
    expect(openapi).toMatch(/^3\.1\./);
    expect(servers).toEqual([{ url: server.url }]);
    for (const [name, endpoint] of Object.entries<Endpoint>(API)) {
      const operation = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
      expect(operation?.operationId).toBe(name);
      expect(operation?.responses[endpoint.status]).toBeDefined();
      expect(operation?.responses['429']?.content).toHaveProperty('application/problem+json');
      expect(operation?.security.some((one) => Object.keys(one).length === 0)).toBe(endpoint.scope === null);
      for (const [, placeholder] of endpoint.path.matchAll(/:(\w+)/g))
        expect(operation?.parameters).toContainEqual(
          expect.objectContaining({ name: placeholder, in: 'path', required: true }),
        );
    }
    expect(
      new Set(Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))).size,
    ).toBe(Object.values(paths).flatMap(Object.values).length);
  });
  it('refers only to schemas that it holds, the Content record with its 40 fields among them', async () => {
    const text = JSON.stringify(await document());
    const { components } = JSON.parse(text) as Document;
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '');
    expect(references.length).toBeGreaterThan(10);
    for (const name of references) expect(components.schemas).toHaveProperty(name);
    expect(Object.keys((components.schemas['Content'] as { properties: object }).properties)).toHaveLength(40);
    expect(text).not.toContain('~kind');
  });
  it('documents the responses to others for a protected item, and every failure of a body or of a condition', async () => {
    const { paths } = await document();
    const answered = (path: string, method: string) => paths[path]?.[method]?.responses ?? {};
    expect(answered('/api/v1/content/{id}', 'get')['200']?.content).toMatchObject({
      'application/json': {
        schema: { anyOf: [{ $ref: '#/components/schemas/Content' }, { $ref: '#/components/schemas/LockedCard' }] },
      },
    });
    const ofBodies = [
      ['/api/share/{id}/open', 'post'],
      ['/api/v1/device-auth/token', 'post'],
      ['/api/v1/content/{id}', 'patch'],
      ['/api/v1/pastes', 'post'],
    ] as const;
    for (const [path, method] of ofBodies)
      expect(Object.keys(answered(path, method))).toEqual(expect.arrayContaining(['408', '413']));
    for (const path of ['/api/media/{id}', '/api/media/{id}/preview'])
      expect(Object.keys(answered(path, 'get'))).toEqual(expect.arrayContaining(['206', '304', '412', '416']));
    expect(Object.keys(answered('/s/{id}', 'get'))).toEqual(['200', '401', '403', '404', '429', '503']);
  });
  itWith('Chromium of Debian')(
    'is read in a browser at /docs, which asks no other server and breaks no policy',
    async () => {
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        const outside: string[] = [];
        const complaints: string[] = [];
        page.on('request', (request) => {
          if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) outside.push(request.url());
        });
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        await page.goto(`${server.url}/docs`);
        await page.getByText('Upload one immutable part').click();
        await page.getByText('Example values are not available').waitFor();
        expect({ outside, complaints }).toEqual({ outside: [], complaints: [] });
      } finally {
        await browser.close();
      }
    },
  );
});
