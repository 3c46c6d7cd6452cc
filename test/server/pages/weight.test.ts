/** The bytes of a share page: a recipient on a slow line waits for the picture, not for the page around it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';

const BYTES_MAX = 60_000;

let server: RunningServer;
let owner: User;
beforeAll(async () => {
  server = await startServer();
  owner = await server.user({ plan: 'pro' });
});
afterAll(() => server.stop());

/** Bytes of the body, which is sent without compression, and of the header lines. */
const load = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(server.url + path, { headers });
  expect(answer.status, path).toBe(200);
  expect(answer.headers.get('content-encoding')).toBeNull();
  const text = Buffer.from(await answer.arrayBuffer());
  const lines = [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return { text: text.toString('latin1'), bytes: text.length + lines };
};

it.each(['en', 'ru'])('a share page of a picture has at most 60 kB without the picture (%s)', async (language) => {
  const tags = Array.from({ length: 10 }, (_, index) => `a tag of many letters ${index}`);
  const { id } = await publish(server, owner, { title: 'щ'.repeat(180), tags, visibility: 'public' });
  const page = await load(`/s/${id}`, { 'accept-language': language });
  const loaded = [...page.text.matchAll(/<(?:link|script|img|source|iframe)\b[^>]*?\b(?:href|src)="([^"]+)"/g)]
    .map(([, address = '']) => new URL(address, server.url))
    .filter(({ pathname }) => pathname !== `/api/media/${id}` && pathname !== '/oembed');
  expect(loaded.every(({ origin }) => origin === new URL(server.url).origin)).toBe(true);
  const parts = await Promise.all(loaded.map(({ pathname }) => load(pathname)));
  expect(parts.length).toBeGreaterThan(2);
  const sheets = parts.map(({ text }) => text).join('');
  expect(sheets, 'a style sheet loads something else').not.toMatch(/@import|url\((?!"data:)/);
  expect(parts.reduce((sum, { bytes }) => sum + bytes, page.bytes)).toBeLessThanOrEqual(BYTES_MAX);
});
