/** A capture is sent in one request and is published exactly once, even if that request fails. */
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SCOPES } from '../../../src/api/account.ts';
import { LIMITS } from '../../../src/api/limits.ts';
import type { Engine, NewItem } from '../../../src/engine/engine.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { type FaultProxy, startFaultProxy } from '../../faults/fault-proxy.ts';
import { connectTo, itemOf, openEngine, until } from '../../support/engine.ts';
import { folderPublishing } from '../../support/folder/folder-publishing.ts';
import { noise, pngOf } from '../../support/media/pixels.ts';
import { must } from '../../support/results.ts';

const { dir, service, connected, published, items } = folderPublishing('engine-upload-whole');
const WHOLE = '/api/v1/uploads';
const PARTS = '/api/v1/uploads/resumable';
const DAY_MS = 24 * 3_600_000;

const proxied = async (): Promise<FaultProxy> => {
  const proxy = await startFaultProxy(service().url);
  onTestFinished(() => proxy.close());
  return proxy;
};

let pictures = 0;
/** Noise does not compress: it is as large as its pixels. Each is another picture. */
const noisePng = (side: number): Promise<Buffer> => pngOf(noise(side, side, ++pictures));

const take = async (engine: Engine, given?: Buffer) => {
  const png = given ?? (await noisePng(64));
  const path = join(engine.spoolDir, `${randomUUID()}.png`);
  writeFileSync(path, png);
  const share: NonNullable<NewItem['share']> = { title: 'A "capture"', tags: ['one', 'two'], visibility: 'unlisted' };
  const added = await engine.queue.add([
    { source: { owner: 'spool', path }, name: 'shot.png', origin: 'capture', share },
  ]);
  const [id] = added.ok ? added.value : [];
  if (!id) throw new Error('It was not taken.');
  return { id, png };
};

const asked = (proxy: FaultProxy, at: string) => proxy.requests.filter(({ path }) => path.startsWith(at));
const posts = (proxy: FaultProxy) => asked(proxy, WHOLE).filter(({ path }) => path === WHOLE);
const stored = async (id: string, key: string): Promise<Buffer> => {
  const answer = await fetch(`${service().url}/api/media/${id}`, { headers: { authorization: `Bearer ${key}` } });
  return Buffer.from(await answer.arrayBuffer());
};

describe('a dropped picture', () => {
  test("of one part, whose copy is the app's own, is one request, byte for byte", async () => {
    const proxy = await proxied();
    const { engine, user } = await connected(proxy.url);
    const png = await noisePng(64);
    const path = join(engine.spoolDir, randomUUID());
    writeFileSync(path, png);
    const added = await engine.queue.add([{ source: { owner: 'spool', path }, name: 'dropped.png' }]);
    if (!added.ok || !added.value[0]) throw new Error('It was not taken.');
    const { content } = await published(engine, added.value[0]);
    expect(posts(proxy)).toHaveLength(1);
    expect(asked(proxy, PARTS)).toEqual([]);
    expect((await stored(content.id, user.apiKey)).equals(png)).toBe(true);
  });

  test("that is still the user's own file is sent in parts, because it may change meanwhile", async () => {
    const proxy = await proxied();
    const { engine } = await connected(proxy.url);
    const path = join(dir, `${randomUUID()}.png`);
    writeFileSync(path, await noisePng(64));
    const added = await engine.queue.add([{ source: { owner: 'user', path }, name: 'own.png' }]);
    if (!added.ok || !added.value[0]) throw new Error('It was not taken.');
    await published(engine, added.value[0]);
    expect(posts(proxy)).toEqual([]);
  });
});

describe('a capture', () => {
  test('of one part is one request, with its settings, byte for byte', async () => {
    const proxy = await proxied();
    const { engine, user } = await connected(proxy.url);
    const { id, png } = await take(engine);
    const { content } = await published(engine, id);
    expect(posts(proxy)).toHaveLength(1);
    expect(asked(proxy, PARTS)).toEqual([]);
    expect(content).toMatchObject({ title: 'A "capture"', tags: ['one', 'two'], visibility: 'unlisted' });
    expect(content).toMatchObject({ originalName: 'shot.png', size: png.length });
    expect((await stored(content.id, user.apiKey)).equals(png)).toBe(true);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });

  test('of more than a part is sent in parts', async () => {
    const proxy = await proxied();
    const { engine } = await connected(proxy.url);
    const { id, png } = await take(engine, await noisePng(900));
    expect(png.length).toBeGreaterThan(LIMITS.partBytes);
    await published(engine, id);
    expect(posts(proxy)).toEqual([]);
  });

  test('whose answers are lost is asked for with the same key, and is one item', async () => {
    const proxy = await proxied();
    const { engine, user } = await connected(proxy.url);
    let lost = 0;
    proxy.fault = ({ path }) => (path === WHOLE && lost++ < 2 ? { do: 'lose-answer' } : null);
    const { content } = await published(engine, (await take(engine)).id);
    expect(posts(proxy).length).toBeGreaterThan(2);
    expect(new Set(posts(proxy).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await items(user)).map(({ id }) => id)).toEqual([content.id]);
  });

  test('whose answer was lost days ago, when the key may be forgotten, is looked for and not sent again', async () => {
    const proxy = await proxied();
    const user = await service().user();
    const profile = join(dir, `days-${user.username}`);
    const first = (await openEngine(profile)).engine;
    await connectTo(first, proxy.url, user.apiKey);
    // A known item with the same name and bytes is not mistaken for it.
    const png = await noisePng(64);
    const other = await published(first, (await take(first, png)).id);
    proxy.fault = ({ path }) => (path === WHOLE ? { do: 'lose-answer' } : null);
    const { id } = await take(first, png);
    await until(() => itemOf(first, id)?.error?.failure.code === 'NETWORK_FAILED');
    await first.close();
    const before = posts(proxy).length;
    proxy.fault = () => null;
    const { engine } = await openEngine(profile, { clock: { ...systemClock, now: () => Date.now() + 2 * DAY_MS } });
    await connectTo(engine, proxy.url, user.apiKey);
    engine.queue.retry({ ids: [id] });
    const { content } = await published(engine, id);
    expect(posts(proxy).length).toBe(before);
    expect(new Set((await items(user)).map((one) => one.id))).toEqual(new Set([content.id, other.content.id]));
  });

  test('is sent in parts to a service without single-request uploads', async () => {
    const proxy = await proxied();
    const { engine, user } = await connected(proxy.url);
    const body = JSON.stringify({ type: 'x', title: 'x', status: 404, detail: 'x', code: 'NOT_FOUND', requestId: '1' });
    const headers = { 'content-type': 'application/problem+json' };
    proxy.fault = ({ path }) => (path === WHOLE ? { do: 'answer', status: 404, headers, body } : null);
    const { id, png } = await take(engine);
    const { content } = await published(engine, id);
    expect((await stored(content.id, user.apiKey)).equals(png)).toBe(true);
    expect(await items(user)).toHaveLength(1);
  });

  test.each([
    ['before its request has reached the service', { do: 'reset', at: 100 }],
    ['when it is published and the answer was lost', { do: 'lose-answer' }],
  ] as const)('that is cancelled %s is not published', async (_, fault) => {
    const proxy = await proxied();
    const { engine, user } = await connected(proxy.url);
    proxy.fault = ({ path }) => (path === WHOLE ? fault : null);
    const { id } = await take(engine);
    // Between two attempts: one that is under way is not interrupted, and would publish without the fault.
    await until(() => itemOf(engine, id)?.error != null && engine.state().queue.live[id] === undefined);
    engine.queue.cancel({ ids: [id] });
    proxy.fault = () => null;
    await until(() => itemOf(engine, id) === undefined);
    expect(await items(user)).toEqual([]);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });

  test.each([
    ['before its request has reached the service', { do: 'reset', at: 100 }, 'gone'],
    ['when it is published and the answer was lost', { do: 'lose-answer' }, 'linked'],
  ] as const)('that is cancelled %s with a key that may not delete is not sent again', async (_, fault, end) => {
    const proxy = await proxied();
    const { engine, user } = await connected(proxy.url);
    const scopes = SCOPES.filter((scope) => scope !== 'content:delete');
    await connectTo(engine, proxy.url, (await service().key(user, { scopes })).apiKey);
    proxy.fault = ({ path }) => (path === WHOLE ? fault : null);
    const { id } = await take(engine);
    await until(() => itemOf(engine, id)?.error != null && engine.state().queue.live[id] === undefined);
    const sent = posts(proxy).length;
    engine.queue.cancel({ ids: [id] });
    proxy.fault = () => null;
    await until(() => (itemOf(engine, id)?.state ?? 'gone') === end);
    expect(await items(user)).toHaveLength(end === 'linked' ? 1 : 0);
    expect(posts(proxy)).toHaveLength(sent);
  });

  test('whose settings change after the first request is the same item, changed afterwards', async () => {
    const proxy = await proxied();
    const { engine, user } = await connected(proxy.url);
    proxy.fault = ({ path }) => (path === WHOLE ? { do: 'lose-answer' } : null);
    const { id } = await take(engine);
    await until(() => itemOf(engine, id)?.error != null);
    expect(must(await engine.queue.setShare({ ids: [id], change: { title: 'Another title' } })).answers).toMatchObject([
      { failure: null },
    ]);
    proxy.fault = () => null;
    expect((await published(engine, id)).content.title).toBe('Another title');
    expect(await items(user)).toHaveLength(1);
  });
});
