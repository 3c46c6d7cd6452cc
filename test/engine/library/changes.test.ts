/** Published items change as requested, each answered separately, and the library shows the service's state. */
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { EngineEvent } from '../../../src/engine/engine.ts';
import { until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { browser, change, read, remove } from '../../support/server/items.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { must, openScene, publishNote } from './library-scenario.ts';

const root = temporaryFolder('engine-changes');
const UNKNOWN = '00000000-0000-4000-8000-000000000000' as ItemId;

describe('a change of published items', () => {
  it('is made for each of them, and the row is what the service answered', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    const items = [await publishNote(engine, 'one\n'), await publishNote(engine, 'two\n')];
    const ids = items.map(({ id }) => id);
    const answers = await engine.updateItems(
      [...ids, UNKNOWN],
      { visibility: 'private', tags: ['Set'], ttl: 'day' },
      soon(),
    );
    expect(answers.map(({ id, failure }) => [id, failure?.code ?? null])).toEqual([
      [ids[0], null],
      [ids[1], null],
      [UNKNOWN, 'COMMAND_INVALID'],
    ]);
    for (const { id, content } of items) {
      const now = (await read(scene.service, scene.user, content.id)).body;
      expect(now).toMatchObject({ visibility: 'private', tags: ['set'], accessVersion: 2 });
      expect(engine.findItem(id)?.content).toEqual(now);
      expect(engine.state().queue.items.find((item) => item.id === id)).toMatchObject({ content: now });
    }
    expect(engine.search({ text: 'set', visibility: 'private' }).total).toBe(2);
  });

  it('adds tags to those that each has, and takes tags off, wherever they came from', async () => {
    const scene = await openScene(root);
    const { engine, service, user, proxy } = scene;
    const trip = await publishNote(engine, 'one\n', { tags: ['trip'] });
    const plain = await publishNote(engine, 'two\n');
    const ids = [trip.id, plain.id];
    await change(service, user, plain.content.id, { tags: ['elsewhere'] });
    const added = await engine.updateItems(ids, { addTags: ['  New ', 'TRIP'], visibility: 'private' }, soon());
    expect(added.map(({ item }) => [item?.content.tags, item?.content.visibility])).toEqual([
      [['trip', 'new'], 'private'],
      [['elsewhere', 'new', 'trip'], 'private'],
    ]);
    const removed = await engine.updateItems(ids, { removeTags: ['trip'] }, soon());
    expect(removed.map(({ item }) => item?.content.tags)).toEqual([['new'], ['elsewhere', 'new']]);
    const before = proxy.requests.length;
    expect(await engine.updateItems(ids, { addTags: ['new'] }, soon())).toMatchObject([
      { failure: null },
      { failure: null },
    ]);
    expect(proxy.requests.slice(before).filter(({ method }) => method === 'PATCH')).toEqual([]);
  });

  it('refuses a tag too many, or one too long, for that item alone and before it is sent', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    const tags = Array.from({ length: 10 }, (_, number) => `t${number}`);
    const full = await publishNote(engine, 'one\n', { tags });
    const plain = await publishNote(engine, 'two\n');
    const ids = [full.id, plain.id];
    expect(await engine.updateItems(ids, { addTags: ['one more'] }, soon())).toMatchObject([
      { failure: { code: 'TOO_MANY_TAGS', params: { limit: 10 } }, item: { content: { tags } } },
      { failure: null, item: { content: { tags: ['one more'] } } },
    ]);
    const [swapped] = await engine.updateItems([full.id], { addTags: ['one more'], removeTags: ['t0'] }, soon());
    expect(swapped?.item?.content.tags).toEqual([...tags.slice(1), 'one more']);
    const [long] = await engine.updateItems([plain.id], { addTags: ['x'.repeat(33)] }, soon());
    expect(long?.failure?.code).toBe('INVALID_INPUT');
    const [both] = await engine.updateItems([plain.id], { tags: ['all'], addTags: ['some'] }, soon());
    expect(both?.failure?.code).toBe('COMMAND_INVALID');
  });

  it('that needs another plan is refused before it is sent; what is so already needs none', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    const { id } = await publishNote(engine, 'a\n');
    const before = proxy.requests.length;
    const [refused] = await engine.updateItems([id], { viewLimit: 5 }, soon());
    expect(refused?.failure).toMatchObject({
      code: 'PLAN_FEATURE_REQUIRED',
      params: { feature: 'view_limit', planCode: 'pro', planName: { en: 'Pro' }, trial: 'available' },
    });
    expect(proxy.requests.slice(before).filter(({ method }) => method === 'PATCH')).toEqual([]);
    const [kept] = await engine.updateItems([id], { viewLimit: null, expiresAt: null, title: 'Same' }, soon());
    expect(kept).toMatchObject({ failure: null, item: { content: { title: 'Same' } } });
  });

  it('with a paid plan takes view limit, end and no download', async () => {
    const { engine } = await openScene(root, { plan: 'pro' });
    const { id } = await publishNote(engine, 'a\n');
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const [answer] = await engine.updateItems([id], { viewLimit: 5, expiresAt, allowDownload: false }, soon());
    expect(answer?.item?.content).toMatchObject({ viewLimit: 5, expiresAt, allowDownload: false });
  });

  it('gives the clipboard the new link if it still holds the old one', async () => {
    let clipboard = '';
    const port = {
      writeText: (text: string) => {
        clipboard = text;
        return Promise.resolve(ok(undefined));
      },
      readText: () => Promise.resolve(ok(clipboard)),
    };
    const { engine } = await openScene(root, { ports: { clipboard: port } });
    const { id, content } = await publishNote(engine, 'a\n');
    await until(() => clipboard === content.url);
    await engine.updateItems([id], { password: 'correct horse' }, soon());
    await until(() => clipboard === `${content.url}?v=2`);
    clipboard = 'something else';
    await engine.updateItems([id], { password: '' }, soon());
    expect(engine.findItem(id)?.content.url).toBe(`${content.url}?v=3`);
    expect(clipboard).toBe('something else');
  });

  it('is sent to every open library', async () => {
    const { engine } = await openScene(root);
    const { id } = await publishNote(engine, 'a\n');
    const events: EngineEvent['type'][] = [];
    engine.on(({ type }) => events.push(type));
    await engine.updateItems([id], { title: 'New' }, soon());
    expect(events).toContain('library');
  });
});

describe('a look at the service', () => {
  it('shows its views, and what others have changed or deleted there', async () => {
    const scene = await openScene(root);
    const { engine, service, user } = scene;
    const seen = await publishNote(engine, 'seen\n');
    const gone = await publishNote(engine, 'gone\n');
    await browser(service).open(seen.content.id);
    await change(service, user, seen.content.id, { title: 'Changed elsewhere' });
    await remove(service, user, gone.content.id);
    const answers = await engine.refreshItems([seen.id, gone.id], soon());
    expect(answers).toMatchObject([
      { failure: null, item: { goneAt: null, content: { views: 1, title: 'Changed elsewhere' } } },
      { failure: null, item: { content: { id: gone.content.id } } },
    ]);
    expect(answers[1]?.item?.goneAt).toBeGreaterThan(0);
    expect(engine.search({ text: '', state: 'gone' }).items.map(({ id }) => id)).toEqual([gone.id]);
    engine.forgetItems([gone.id]);
    expect(engine.search({ text: '' }).items.map(({ id }) => id)).toEqual([seen.id]);
  });
});

describe('the links of items', () => {
  it('are found by what a person has: link, part of it, or id', async () => {
    const { engine } = await openScene(root);
    const { id, content } = await publishNote(engine, 'a\n');
    for (const link of [id, content.id, content.url, `${content.url}?v=7`, `/s/${content.id}`]) {
      expect(engine.findItem(link)?.id).toBe(id);
    }
    expect(engine.findItem('https://example.org/s/nothing')).toBeNull();
    expect(engine.findItem('')).toBeNull();
  });

  it('are copied as one text, in the format asked or set', async () => {
    const { engine, clipboard } = await openScene(root);
    const [one, two] = [await publishNote(engine, 'one\n'), await publishNote(engine, 'two\n')];
    const ids = [one.id, two.id];
    const { text } = must(await engine.formatLinks({ ids, format: 'markdown', to: 'clipboard' }));
    expect(text).toBe(`- [one](${one.content.url})\n- [two](${two.content.url})`);
    expect(clipboard.at(-1)).toBe(text);
    expect(must(await engine.formatLinks({ ids, template: '{title}' })).text).toBe('one\ntwo');
    must(engine.updateSettings({ linkFormat: 'html' }));
    const copied = must(await engine.copyLink({ id: one.id }));
    expect(copied).toEqual({ url: one.content.url, text: `<a href="${one.content.url}">one</a>` });
    expect(clipboard.at(-1)).toBe(copied.text);
    expect(await engine.formatLinks({ ids: [UNKNOWN] })).toMatchObject({ ok: false });
  });
});
