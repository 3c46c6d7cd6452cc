/** Items published elsewhere enter the library once, and items missing from the service are marked as deleted. */
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { Session } from '../../../src/engine/account/account-session.ts';
import type { EngineAdapters } from '../../../src/engine/engine-adapters.ts';
import { createSync, type SyncDeps } from '../../../src/engine/library/library-sync.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import { fastClock, itemOf, until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { editRow, remove } from '../../support/server/items.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { linkedItem, openScene, publishNote } from './library-scenario.ts';

const root = temporaryFolder('engine-sync');

it('imports every page, leaves own items unchanged, and changes nothing the second time', async () => {
  const scene = await openScene(root);
  const { engine, service, user } = scene;
  const own = await publishNote(engine, 'own\n');
  for (let index = 0; index < 30; index++) {
    const body = { text: `elsewhere ${index}\n`, format: 'plain' };
    await ask(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
  }
  expect(must(await engine.library.sync({}, soon()))).toEqual({ added: 30, changed: 0, gone: 0 });
  expect(must(await engine.library.sync({}, soon()))).toEqual({ added: 0, changed: 0, gone: 0 });
  expect(must(engine.library.search({ text: '' })).total).toBe(31);
  expect(must(engine.library.search({ text: 'own' })).items).toMatchObject([{ id: own.id }]);
  expect(must(engine.library.search({ text: '', sort: 'oldest' })).items[0]?.id).toBe(own.id);

  const [item] = must(engine.library.search({ text: 'elsewhere 7' })).items;
  if (!item) throw new Error('not found');
  await remove(service, user, item.content.id);
  expect(must(await engine.library.sync({}, soon()))).toEqual({ added: 0, changed: 0, gone: 1 });
  expect(must(engine.library.search({ text: '', state: 'gone' })).items.map(({ id }) => id)).toEqual([item.id]);
  expect(
    must(await engine.library.update({ ids: [own.id], change: { title: 'Still mine' } }, soon())).answers[0]?.failure,
  ).toBeNull();
});

it('an item that is listed before the queue knows of its publication is imported once', async () => {
  const { engine, proxy } = await openScene(root);
  proxy.fault = ({ path }) => {
    if (path !== '/api/v1/pastes') return null;
    engine.queue.pause({ ids: engine.state().queue.items.map(({ id }) => id) });
    return { do: 'lose-answer' };
  };
  const id = must(await engine.note.add({ text: 'arrived late\n', share: {} })).id;
  await until(() => itemOf(engine, id)?.error?.failure.code === 'NETWORK_FAILED');
  proxy.fault = () => null;
  expect(must(await engine.library.sync({}, soon()))).toEqual({ added: 1, changed: 0, gone: 0 });
  engine.queue.resume({ ids: [id] });
  await linkedItem(engine, id);
  expect(must(engine.library.search({ text: 'arrived late' }))).toMatchObject({ total: 1, items: [{ id }] });
});

/** A note whose answer is lost, found by a sync; the service has forgotten its key. */
const foundBySync = async () => {
  const { engine, proxy, service, user } = await openScene(root);
  proxy.fault = ({ path }) => {
    if (path !== '/api/v1/pastes') return null;
    engine.queue.pause({ ids: engine.state().queue.items.map(({ id }) => id) });
    return { do: 'lose-answer' };
  };
  const id = must(await engine.note.add({ text: 'published without an answer\n', share: {} })).id;
  await until(() => itemOf(engine, id)?.error?.failure.code === 'NETWORK_FAILED');
  proxy.fault = () => null;
  await editRow(service, 'DELETE FROM idempotencyRecords');
  expect(must(await engine.library.sync({}, soon()))).toEqual({ added: 1, changed: 0, gone: 0 });
  const published = async () => {
    const { body } = await ask(service.url, { method: 'GET', path: '/api/v1/content', key: user.apiKey });
    return (body as { readonly items: readonly object[] }).items.length;
  };
  return { engine, id, published };
};

it('an item that a sync has found before it is cancelled does not stay published', async () => {
  const { engine, id, published } = await foundBySync();
  engine.queue.cancel({ ids: [id] });
  await until(() => itemOf(engine, id) === undefined);
  expect(await published()).toBe(0);
});

it('an item that a sync has found before it continues is published once', async () => {
  const { engine, id, published } = await foundBySync();
  engine.queue.resume({ ids: [id] });
  await linkedItem(engine, id);
  expect(await published()).toBe(1);
});

it('marks nothing as deleted when the service could not be read to the end', async () => {
  const scene = await openScene(root);
  await publishNote(scene.engine, 'own\n');
  scene.proxy.fault = ({ path }) => (path.startsWith('/api/v1/content') ? { do: 'lose-answer' } : null);
  expect((await scene.engine.library.sync({}, soon())).ok).toBe(false);
  expect(must(scene.engine.library.search({ text: '', state: 'gone' })).total).toBe(0);
});

describe('a list without end', () => {
  const never = new AbortController().signal;
  /** Answers instead of the server with a modified first page; `number` counts from zero. */
  const listAs = async (change: (page: Page, number: number) => Page, freeBytes?: () => Promise<number>) => {
    const alter = freeBytes && ((real: EngineAdapters): EngineAdapters => ({ ...real, freeBytes }));
    const scene = await openScene(root, { alter });
    const body = { text: 'one\n', format: 'plain' };
    await ask(scene.service.url, { method: 'POST', path: '/api/v1/pastes', key: scene.user.apiKey, body });
    const list = await ask(scene.service.url, { method: 'GET', path: '/api/v1/content', key: scene.user.apiKey });
    let pages = 0;
    scene.proxy.fault = ({ path }) =>
      /^\/api\/v1\/content(\?|$)/.test(path)
        ? { do: 'answer', status: 200, headers: JSON_TYPE, body: JSON.stringify(change(list.body as Page, pages++)) }
        : null;
    return { ...scene, pages: () => pages };
  };
  const JSON_TYPE = { 'content-type': 'application/json' };
  interface Page {
    readonly items: readonly object[];
    readonly nextCursor: string | null;
  }
  /** So many new items on each page. */
  const grown = ({ items: [first] }: Page, number: number): Page => ({
    items: Array.from({ length: 25 }, (_, index) => ({ ...first, id: `new-${number}-${index}` })),
    nextCursor: null,
  });

  it('that repeats a cursor is not read further, and nothing is marked as deleted', async () => {
    const { engine, pages } = await listAs((page, number) => ({ ...grown(page, number), nextCursor: 'again' }));
    expect(await engine.library.sync({}, never)).toMatchObject({ ok: false, error: { code: 'LIST_ENDLESS' } });
    expect(pages()).toBe(2);
    expect(must(engine.library.search({ text: '', state: 'gone' })).total).toBe(0);
  });

  it('that brings no new item is not read further', async () => {
    const { engine, pages } = await listAs((page, number) => ({ ...page, nextCursor: `cursor-${number}` }));
    expect(await engine.library.sync({}, never)).toMatchObject({ ok: false, error: { code: 'LIST_ENDLESS' } });
    expect(pages()).toBe(2);
  });

  it('is not read beyond 40,000 items', async () => {
    const { service, user } = await openScene(root);
    const body = { text: 'one\n', format: 'plain' };
    await ask(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
    const list = await ask(service.url, { method: 'GET', path: '/api/v1/content', key: user.apiKey });
    let pages = 0;
    let added = 0;
    // So many real rows would take minutes on a busy disk: the library and the session are doubles here.
    const watch = () => ({ has: () => false, end: () => {} });
    const library = { byContent: () => undefined, add: () => void added++, alive: () => [], watch };
    const call = async () => ok({ ...grown(list.body as Page, pages), nextCursor: `c-${pages++}` });
    const sync = createSync({
      ...{ clock: fastClock, random: systemRandom, rows: { isPublishing: () => false }, onChange: () => {} },
      library: library as unknown as SyncDeps['library'],
      session: () => ok({ client: { call }, account: { user: { id: 'a' } } } as unknown as Session),
      freeBytes: async () => null,
    });
    expect(await sync({}, never)).toMatchObject({
      ok: false,
      error: { code: 'LIST_ENDLESS', detail: expect.stringContaining('40000 items') },
    });
    expect([pages, added]).toEqual([1_600, 40_000]);
  });

  it('ends before the disk of the profile is full', async () => {
    const endless = (page: Page, number: number) => ({ ...grown(page, number), nextCursor: `c-${number}` });
    const { engine, pages } = await listAs(endless, async () => 100 * 1024 * 1024);
    expect(await engine.library.sync({}, never)).toMatchObject({ ok: false, error: { code: 'DISK_FULL' } });
    expect(pages()).toBe(16);
  });
});
