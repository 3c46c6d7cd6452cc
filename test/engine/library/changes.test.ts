/** Published items change as requested, each answered separately, and the library shows the service's state. */
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { EngineEvent } from '../../../src/engine/engine.ts';
import { until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { browser, change, read, remove } from '../../support/server/items.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openScene, publishNote } from './library-scenario.ts';

const root = temporaryFolder('engine-changes');
const UNKNOWN = '00000000-0000-4000-8000-000000000000' as ItemId;

describe('a change of published items', () => {
  it('is made for each of them, and the row is what the service answered', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    const items = [await publishNote(engine, 'one\n'), await publishNote(engine, 'two\n')];
    const ids = items.map(({ id }) => id);
    const answers = must(
      await engine.library.update(
        { ids: [...ids, UNKNOWN], change: { visibility: 'private', tags: ['Set'], ttl: 'day' } },
        soon(),
      ),
    ).answers;
    expect(answers.map(({ id, failure }) => [id, failure?.code ?? null])).toEqual([
      [ids[0], null],
      [ids[1], null],
      [UNKNOWN, 'COMMAND_INVALID'],
    ]);
    for (const { id, content } of items) {
      const now = (await read(scene.service, scene.user, content.id)).body;
      expect(now).toMatchObject({ visibility: 'private', tags: ['set'], accessVersion: 2 });
      expect(must(engine.library.find({ link: id })).item?.content).toEqual(now);
      expect(engine.state().queue.items.find((item) => item.id === id)).toMatchObject({ content: now });
    }
    expect(must(engine.library.search({ text: 'set', visibility: 'private' })).total).toBe(2);
  });

  it('adds tags to those that each has, and takes tags off, wherever they came from', async () => {
    const scene = await openScene(root);
    const { engine, service, user, proxy } = scene;
    const trip = await publishNote(engine, 'one\n', { tags: ['trip'] });
    const plain = await publishNote(engine, 'two\n');
    const ids = [trip.id, plain.id];
    await change(service, user, plain.content.id, { tags: ['elsewhere'] });
    const added = must(
      await engine.library.update({ ids, change: { addTags: ['  New ', 'TRIP'], visibility: 'private' } }, soon()),
    ).answers;
    expect(added.map(({ item }) => [item?.content.tags, item?.content.visibility])).toEqual([
      [['trip', 'new'], 'private'],
      [['elsewhere', 'new', 'trip'], 'private'],
    ]);
    const removed = must(await engine.library.update({ ids, change: { removeTags: ['trip'] } }, soon())).answers;
    expect(removed.map(({ item }) => item?.content.tags)).toEqual([['new'], ['elsewhere', 'new']]);
    const before = proxy.requests.length;
    expect(must(await engine.library.update({ ids, change: { addTags: ['new'] } }, soon())).answers).toMatchObject([
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
    expect(must(await engine.library.update({ ids, change: { addTags: ['one more'] } }, soon())).answers).toMatchObject(
      [
        { failure: { code: 'TOO_MANY_TAGS', params: { limit: 10 } }, item: { content: { tags } } },
        { failure: null, item: { content: { tags: ['one more'] } } },
      ],
    );
    const [swapped] = must(
      await engine.library.update({ ids: [full.id], change: { addTags: ['one more'], removeTags: ['t0'] } }, soon()),
    ).answers;
    expect(swapped?.item?.content.tags).toEqual([...tags.slice(1), 'one more']);
    const [long] = must(
      await engine.library.update({ ids: [plain.id], change: { addTags: ['x'.repeat(33)] } }, soon()),
    ).answers;
    expect(long?.failure?.code).toBe('INVALID_INPUT');
    const [both] = must(
      await engine.library.update({ ids: [plain.id], change: { tags: ['all'], addTags: ['some'] } }, soon()),
    ).answers;
    expect(both?.failure?.code).toBe('COMMAND_INVALID');
  });

  it('that needs another plan is refused before it is sent; an unchanged value needs none', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    const { id } = await publishNote(engine, 'a\n');
    const before = proxy.requests.length;
    const [refused] = must(await engine.library.update({ ids: [id], change: { viewLimit: 5 } }, soon())).answers;
    expect(refused?.failure).toMatchObject({
      code: 'PLAN_FEATURE_REQUIRED',
      params: { feature: 'view_limit', planCode: 'pro', planName: { en: 'Pro' }, trial: 'available' },
    });
    expect(proxy.requests.slice(before).filter(({ method }) => method === 'PATCH')).toEqual([]);
    const [kept] = must(
      await engine.library.update({ ids: [id], change: { viewLimit: null, expiresAt: null, title: 'Same' } }, soon()),
    ).answers;
    expect(kept).toMatchObject({ failure: null, item: { content: { title: 'Same' } } });
  });

  it('with a paid plan takes view limit, end and no download', async () => {
    const { engine } = await openScene(root, { plan: 'pro' });
    const { id } = await publishNote(engine, 'a\n');
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const [answer] = must(
      await engine.library.update({ ids: [id], change: { viewLimit: 5, expiresAt, allowDownload: false } }, soon()),
    ).answers;
    expect(answer?.item?.content).toMatchObject({ viewLimit: 5, expiresAt, allowDownload: false });
  });

  it('lets one more viewer open a used one-time link, and leaves it private where that is interrupted', async () => {
    const { engine, service, user, proxy } = await openScene(root);
    const { id, content } = await publishNote(engine, 'a\n', { oneTime: true, visibility: 'unlisted' });
    const open = async () => (await browser(service).open(content.id)).status;
    const rearm = async () =>
      must(await engine.library.update({ ids: [id], change: { rearm: 'unlisted' } }, soon())).answers[0];
    expect(await open()).toBe(200);
    const patches = () => proxy.requests.filter(({ method }) => method === 'PATCH').length;
    proxy.fault = () => (patches() === 2 ? { do: 'answer', status: 503 } : null);
    expect(await rearm()).toMatchObject({
      failure: { status: 503 },
      item: { content: { visibility: 'private', oneTime: false } },
    });
    expect(await open()).toBe(404);
    proxy.fault = () => null;
    expect(await rearm()).toMatchObject({
      failure: null,
      item: { content: { visibility: 'unlisted', oneTime: true, consumedAt: null } },
    });
    expect([await open(), await open()]).toEqual([200, 404]);
    expect((await read(service, user, content.id)).body).toMatchObject({ visibility: 'unlisted', oneTime: true });
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
    await engine.library.update({ ids: [id], change: { password: 'correct horse' } }, soon());
    await until(() => clipboard === `${content.url}?v=2`);
    clipboard = 'something else';
    await engine.library.update({ ids: [id], change: { password: '' } }, soon());
    expect(must(engine.library.find({ link: id })).item?.content.url).toBe(`${content.url}?v=3`);
    expect(clipboard).toBe('something else');
  });

  it('is sent to every open library', async () => {
    const { engine } = await openScene(root);
    const { id } = await publishNote(engine, 'a\n');
    const events: EngineEvent['type'][] = [];
    engine.on(({ type }) => events.push(type));
    await engine.library.update({ ids: [id], change: { title: 'New' } }, soon());
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
    const answers = must(await engine.library.refresh({ ids: [seen.id, gone.id] }, soon())).answers;
    expect(answers).toMatchObject([
      { failure: null, item: { goneAt: null, content: { views: 1, title: 'Changed elsewhere' } } },
      { failure: null, item: { content: { id: gone.content.id } } },
    ]);
    expect(answers[1]?.item?.goneAt).toBeGreaterThan(0);
    expect(must(engine.library.search({ text: '', state: 'gone' })).items.map(({ id }) => id)).toEqual([gone.id]);
    engine.library.forget({ ids: [gone.id] });
    expect(must(engine.library.search({ text: '' })).items.map(({ id }) => id)).toEqual([seen.id]);
  });
});

describe('the links of items', () => {
  it('are found by their link, a part of it, or their id', async () => {
    const { engine } = await openScene(root);
    const { id, content } = await publishNote(engine, 'a\n');
    for (const link of [id, content.id, content.url, `${content.url}?v=7`, `/s/${content.id}`]) {
      expect(must(engine.library.find({ link })).item?.id).toBe(id);
    }
    expect(must(engine.library.find({ link: 'https://example.org/s/nothing' })).item).toBeNull();
    expect(must(engine.library.find({ link: '' })).item).toBeNull();
  });

  it('are copied as one text, in the format asked or set', async () => {
    const { engine, clipboard } = await openScene(root);
    const [one, two] = [await publishNote(engine, 'one\n'), await publishNote(engine, 'two\n')];
    const ids = [one.id, two.id];
    const { text } = must(await engine.link.format({ ids, format: 'markdown', to: 'clipboard' }));
    expect(text).toBe(`- [one](${one.content.url})\n- [two](${two.content.url})`);
    expect(clipboard.at(-1)).toBe(text);
    expect(must(await engine.link.format({ ids, template: '{title}' })).text).toBe('one\ntwo');
    must(engine.settings.update({ linkFormat: 'html' }));
    const copied = must(await engine.link.copy({ id: one.id }));
    expect(copied).toEqual({ url: one.content.url, text: `<a href="${one.content.url}">one</a>` });
    expect(clipboard.at(-1)).toBe(copied.text);
    expect(await engine.link.format({ ids: [UNKNOWN] })).toMatchObject({ ok: false });
  });
});
