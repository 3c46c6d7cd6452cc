/** A link is delivered only once its requested settings are in effect, however and whenever they were requested. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { LinkSettings } from '../../../src/ipc/protocol/link-settings.ts';
import { addFile, fastClock, itemOf, openEngine, until } from '../../support/engine.ts';
import { image } from '../../support/media/media.ts';
import { must, only } from '../../support/results.ts';
import { editRow, read } from '../../support/server/items.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { linkedItem, openScene, publishNote, type Scene } from './library-scenario.ts';

const root = temporaryFolder('engine-wishes');
const HOUR = 3_600_000;
const NEXT_YEAR = '2099-01-01T00:00:00.000Z';

const addImage = async ({ engine }: Pick<Scene, 'engine'>) => await addFile(engine, await image('png'), 'a.png');
const isPatch = ({ method }: { method: string }) => method === 'PATCH';
const serverSide = async ({ service, user }: Scene, { id }: Pick<Content, 'id'>): Promise<Content> =>
  (await read(service, user, id)).body;

describe('before an item is published', () => {
  it('its link settings can be changed, and all of them apply when its link is delivered', async () => {
    const scene = await openScene(root, { plan: 'pro' });
    const { engine } = scene;
    engine.queue.pauseAll();
    const id = await addImage(scene);
    const answers = must(
      await engine.queue.setShare({
        ids: [id],
        change: {
          title: 'Renamed',
          tags: ['x'],
          visibility: 'private',
          password: 'correct horse',
          viewLimit: 3,
          expiresAt: NEXT_YEAR,
          allowDownload: false,
        },
      }),
    ).answers;
    expect(answers).toEqual([{ id, failure: null }]);
    engine.queue.resumeAll();
    const { content } = await linkedItem(engine, id);
    const whole = {
      title: 'Renamed',
      tags: ['x'],
      visibility: 'private',
      passwordProtected: true,
      viewLimit: 3,
      expiresAt: NEXT_YEAR,
      allowDownload: false,
    };
    expect(content).toMatchObject(whole);
    expect(await serverSide(scene, content)).toMatchObject(whole);
    expect(must(engine.library.search({ text: 'renamed' })).items[0]?.content).toMatchObject(whole);
  });

  it('uses the later one of two settings for the expiry', async () => {
    const scene = await openScene(root, { plan: 'pro' });
    const { engine } = scene;
    engine.queue.pauseAll();
    const id = await addImage(scene);
    await engine.queue.setShare({ ids: [id], change: { expiresAt: NEXT_YEAR } });
    await engine.queue.setShare({ ids: [id], change: { ttl: 'day' } });
    engine.queue.resumeAll();
    const { content } = await linkedItem(engine, id);
    const day = Date.parse(content.expiresAt ?? '') - Date.parse(content.createdAt);
    expect(day).toBe(86_400_000);
  });

  it('that it has a password is known while it waits, the password itself is not, and nothing of it once it is published', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    engine.queue.pauseAll();
    const id = await addImage(scene);
    await engine.queue.setShare({ ids: [id], change: { password: 'correct horse' } });
    expect(engine.state().guarded).toEqual([id]);
    expect(JSON.stringify(engine.state())).not.toContain('correct horse');
    engine.queue.resumeAll();
    expect((await linkedItem(engine, id)).content.passwordProtected).toBe(true);
    await until(() => engine.state().guarded.length === 0);
  });

  it('a password can be taken away again', async () => {
    const scene = await openScene(root);
    scene.engine.queue.pauseAll();
    const id = must(await scene.engine.note.add({ text: 'open\n', share: { password: 'correct horse' } })).id;
    expect(scene.engine.state().guarded).toEqual([id]);
    await scene.engine.queue.setShare({ ids: [id], change: { password: '' } });
    expect(scene.engine.state().guarded).toEqual([]);
    scene.engine.queue.resumeAll();
    expect((await linkedItem(scene.engine, id)).content.passwordProtected).toBe(false);
  });

  it('a feature that the plan lacks is reported before anything is sent, with the plan that includes it', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    const refused = only(await engine.note.add({ text: 'a\n', share: { viewLimit: 1 } }), 'id');
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'PLAN_FEATURE_REQUIRED', params: { feature: 'view_limit', planCode: 'pro', trial: 'available' } },
    });
    engine.queue.pauseAll();
    const id = await addImage(scene);
    expect(must(await engine.queue.setShare({ ids: [id], change: { expiresAt: NEXT_YEAR } })).answers).toMatchObject([
      { failure: { code: 'PLAN_FEATURE_REQUIRED', params: { feature: 'link_expiry' } } },
    ]);
    expect(
      must(await engine.queue.setShare({ ids: [id], change: { expiresAt: null, viewLimit: null, ttl: 'week' } }))
        .answers,
    ).toEqual([{ id, failure: null }]);
    expect(
      must(await engine.queue.setShare({ ids: [id], change: { oneTime: true, visibility: 'public' } })).answers,
    ).toMatchObject([{ failure: { code: 'ONE_TIME_NOT_PUBLIC' } }]);
    expect(scene.proxy.requests.every(({ operation }) => operation === 'account')).toBe(true);
  });
});

describe('a public item', () => {
  const share = { visibility: 'public', viewLimit: 3 } as const;

  it('whose expiry passes while it waits stays unpublished until the expiry is changed', async () => {
    let skew = 0;
    const clock = { ...fastClock, now: () => fastClock.now() + skew };
    const scene = await openScene(root, { plan: 'pro', ports: { clock } });
    const { engine, service } = scene;
    engine.queue.pauseAll();
    const soonOver = { ...share, expiresAt: new Date(clock.now() + HOUR).toISOString() };
    const ids = [must(await engine.note.add({ text: 'limited\n', share: soonOver })).id, await addImage(scene)];
    must(await engine.queue.setShare({ ids, change: soonOver }));
    skew = 2 * HOUR;
    engine.queue.resumeAll();
    const refusal = { retryAt: null, failure: { code: 'INVALID_INPUT', params: { issues: [{ path: '/expiresAt' }] } } };
    for (const id of ids) {
      await until(() => itemOf(engine, id)?.error !== null || itemOf(engine, id)?.state === 'linked');
      expect(itemOf(engine, id)?.error).toMatchObject(refusal);
    }
    expect(await queryData(service.data, 'SELECT id FROM content')).toEqual([]);
    must(await engine.queue.setShare({ ids, change: { expiresAt: NEXT_YEAR } }));
    for (const id of ids) {
      const { content } = await linkedItem(engine, id);
      expect(await serverSide(scene, content)).toMatchObject({ ...share, expiresAt: NEXT_YEAR });
    }
  });

  it('is private until the settings that its request cannot carry are in effect', async () => {
    const scene = await openScene(root, { plan: 'pro' });
    const { engine, proxy } = scene;
    proxy.fault = (request) => (isPatch(request) ? { do: 'reset', at: 0 } : null);
    engine.queue.pauseAll();
    const image = await addImage(scene);
    const note = must(await engine.note.add({ text: 'limited\n', share })).id;
    must(await engine.queue.setShare({ ids: [image], change: share }));
    engine.queue.resumeAll();
    const contentOf = (id: ItemId) => {
      const item = itemOf(engine, id);
      return item?.state === 'published' ? item.content : null;
    };
    for (const id of [image, note]) {
      await until(() => contentOf(id) !== null);
      const content = contentOf(id);
      expect(content && (await serverSide(scene, content)).visibility).toBe('private');
    }
    proxy.fault = () => null;
    for (const id of [image, note])
      expect(await serverSide(scene, (await linkedItem(engine, id)).content)).toMatchObject(share);
  });

  it('whose settings are taken back while they are being set is public all the same', async () => {
    const scene = await openScene(root, { plan: 'pro' });
    const { engine, proxy } = scene;
    proxy.fault = (request) => (isPatch(request) ? { do: 'reset', at: 0 } : null);
    const id = must(await engine.note.add({ text: 'limited\n', share })).id;
    await until(() => itemOf(engine, id)?.state === 'published' && itemOf(engine, id)?.error !== null);
    must(await engine.queue.setShare({ ids: [id], change: { viewLimit: null } }));
    proxy.fault = () => null;
    const { content } = await linkedItem(engine, id);
    expect(await serverSide(scene, content)).toMatchObject({ visibility: 'public', viewLimit: null });
  });
});

describe('settings that the service would refuse', () => {
  it.each([
    [{ title: 'x'.repeat(181) }, '/title'],
    [{ tags: Array.from({ length: 11 }, (_, index) => `tag ${index}`) }, '/tags'],
    [{ tags: [' '] }, '/tags'],
    [{ password: 'short' }, '/password'],
    [{ expiresAt: '2001-01-01T00:00:00.000Z' }, '/expiresAt'],
  ])('are refused before anything is sent: %j', async (share, path) => {
    const { engine } = await openEngine(join(root, randomUUID()));
    expect(await engine.note.add({ text: 'a\n', share })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_INPUT', params: { issues: [{ path }] } },
    });
    expect(engine.state().queue.items).toEqual([]);
    expect(readdirSync(engine.spoolDir)).toEqual([]);
  });

  it('and that it refused can be put right without sending the file again', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    const problem = {
      type: 'about:blank',
      title: 'No',
      status: 400,
      detail: 'No',
      requestId: 'r',
      code: 'INVALID_INPUT',
    };
    let refusals = 0;
    proxy.fault = (request) =>
      (request.operation === 'complete' || request.path === '/api/v1/pastes') && ++refusals <= 2
        ? {
            do: 'answer',
            status: 400,
            headers: { 'content-type': 'application/problem+json' },
            body: JSON.stringify(problem),
          }
        : null;
    const ids = [await addImage(scene), must(await engine.note.add({ text: 'a\n' })).id];
    for (const id of ids) await until(() => itemOf(engine, id)?.error?.retryAt === null);
    await engine.queue.setShare({ ids, change: { title: 'Right' } });
    for (const id of ids) expect((await linkedItem(engine, id)).content.title).toBe('Right');
    expect(proxy.requests.filter(({ operation }) => operation === 'start')).toHaveLength(1);
  });
});

describe('what comes too late for publishing', () => {
  it('is set before the link is delivered', async () => {
    const scene = await openScene(root);
    const { engine, proxy, clipboard } = scene;
    let release = () => {};
    const until_ = new Promise<void>((resolve) => {
      release = resolve;
    });
    proxy.fault = ({ operation }) => (operation === 'complete' ? { do: 'hold-answer', until: until_ } : null);
    const id = await addImage(scene);
    await until(() => itemOf(engine, id)?.state === 'completing');
    expect(
      must(await engine.queue.setShare({ ids: [id], change: { visibility: 'private', title: 'Late' } })).answers,
    ).toEqual([{ id, failure: null }]);
    expect(
      must(await engine.queue.setShare({ ids: [id], change: { password: 'correct horse' } })).answers,
    ).toMatchObject([{ failure: { code: 'COMMAND_INVALID' } }]);
    release();
    const { content } = await linkedItem(engine, id);
    expect(content).toMatchObject({ visibility: 'private', title: 'Late', accessVersion: 2 });
    expect(clipboard).toEqual([content.url]);
    expect(content.url).toContain('?v=2');
  });

  it('is retried until it is set, also across a restart, and the link is not delivered meanwhile', async () => {
    const scene = await openScene(root, { plan: 'pro' });
    scene.proxy.fault = (request) => (isPatch(request) ? { do: 'lose-answer' } : null);
    const id = must(await scene.engine.note.add({ text: 'limited\n', share: { viewLimit: 2 } })).id;
    await until(() => itemOf(scene.engine, id)?.state === 'published' && itemOf(scene.engine, id)?.error !== null);
    expect(scene.clipboard).toEqual([]);
    scene.proxy.fault = () => null;
    const { engine, clipboard } = await scene.restart();
    const { content } = await linkedItem(engine, id);
    expect(content.viewLimit).toBe(2);
    expect(clipboard).toEqual([content.url]);
    expect(await queryData(scene.service.data, 'SELECT id FROM content')).toHaveLength(1);
  });

  it.each<readonly [LinkSettings, LinkSettings, Partial<Content>]>([
    [{ viewLimit: 5 }, { viewLimit: null }, { viewLimit: null }],
    [{ allowDownload: false }, { allowDownload: true }, { allowDownload: true }],
    [{ expiresAt: NEXT_YEAR }, { ttl: 'forever' }, { expiresAt: null }],
    [{ viewLimit: 5, expiresAt: NEXT_YEAR }, { viewLimit: null }, { viewLimit: null, expiresAt: NEXT_YEAR }],
  ])('and is taken back while it is being set is not in effect: %j, then %j', async (share, change, expected) => {
    const scene = await openScene(root, { plan: 'pro' });
    const { engine, proxy } = scene;
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    proxy.fault = (request) => {
      if (!isPatch(request)) return null;
      reached.resolve();
      return { do: 'hold-answer', until: gate.promise };
    };
    const id = must(await engine.note.add({ text: 'limited\n', share })).id;
    await reached.promise;
    expect(must(await engine.queue.setShare({ ids: [id], change })).answers).toEqual([{ id, failure: null }]);
    gate.resolve();
    const { content } = await linkedItem(engine, id);
    expect(content).toMatchObject(expected);
    expect(await serverSide(scene, content)).toMatchObject(expected);
  });

  it('and cannot be set keeps the link back until the setting is removed, or the item is cancelled', async () => {
    const scene = await openScene(root, { plan: 'pro' });
    const { engine, proxy, clipboard } = scene;
    const problem = JSON.stringify({
      ...{ type: 'about:blank', title: 'No', status: 403, detail: 'No', requestId: 'r' },
      ...{ code: 'PLAN_FEATURE_REQUIRED', params: { feature: 'view_limit' } },
    });
    const headers = { 'content-type': 'application/problem+json' };
    proxy.fault = (request) => (isPatch(request) ? { do: 'answer', status: 403, headers, body: problem } : null);
    const [kept, dropped] = [
      must(await engine.note.add({ text: 'kept\n', share: { viewLimit: 2 } })).id,
      must(await engine.note.add({ text: 'dropped\n', share: { viewLimit: 2 } })).id,
    ];
    for (const id of [kept, dropped]) await until(() => itemOf(engine, id)?.error?.retryAt === null);
    expect(clipboard).toEqual([]);
    expect(must(await engine.queue.setShare({ ids: [kept], change: { viewLimit: null } })).answers).toEqual([
      { id: kept, failure: null },
    ]);
    const { content } = await linkedItem(engine, kept);
    expect(clipboard).toEqual([content.url]);
    engine.queue.cancel({ ids: [dropped] });
    await until(() => itemOf(engine, dropped) === undefined);
    expect(await queryData<{ id: string }>(scene.service.data, 'SELECT id FROM content')).toEqual([{ id: content.id }]);
  });
});

describe('new items', () => {
  it('use the defaults of the account unless specified', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    expect((await publishNote(engine, 'unlisted\n')).content.visibility).toBe('unlisted');
    await editRow(scene.service, 'UPDATE accounts SET privateByDefault = 1');
    expect((await publishNote(engine, 'private\n')).content.visibility).toBe('private');
    must(engine.settings.update({ visibility: 'unlisted' }));
    expect((await publishNote(engine, 'as the settings say\n')).content.visibility).toBe('unlisted');
    expect((await publishNote(engine, 'public\n', { visibility: 'public' })).content.visibility).toBe('public');
  });

  it('follow the default preset, and the user’s choice overrides it', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    const preset = must(
      engine.preset.save({ name: 'For a week', link: { visibility: 'public', ttl: 'week', tags: ['review'] } }),
    );
    must(engine.preset.makeDefault({ id: preset.id }));
    expect((await publishNote(engine, 'a\n')).content).toMatchObject({ visibility: 'public', tags: ['review'] });
    const once = (await publishNote(engine, 'b\n', { oneTime: true, tags: [] })).content;
    expect(once).toMatchObject({ oneTime: true, tags: [], visibility: 'unlisted' });
    expect(once.expiresAt).not.toBeNull();

    expect(must(engine.preset.save({ ...preset, name: 'Renamed' }))).toMatchObject({ id: preset.id, name: 'Renamed' });
    must(engine.preset.remove({ id: preset.id }));
    expect(engine.state().settings).toMatchObject({ presets: [], defaultPreset: null });
    expect(engine.preset.makeDefault({ id: preset.id })).toMatchObject({ ok: false });
  });

  it('are not public where the default preset makes them one-time, whatever the settings say', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    must(engine.settings.update({ visibility: 'public' }));
    const preset = must(engine.preset.save({ name: 'Once', link: { oneTime: true } }));
    must(engine.preset.makeDefault({ id: preset.id }));
    const { content } = await publishNote(engine, 'once\n');
    expect(content).toMatchObject({ oneTime: true, visibility: 'unlisted' });
    expect((await publishNote(engine, 'often\n', { oneTime: false })).content.visibility).toBe('public');
    expect((await publishNote(engine, 'all\n', { visibility: 'public' })).content.oneTime).toBe(false);
  });

  it('wait before anything is sent where the service would refuse what the default preset requires', async () => {
    const preset = { id: randomUUID(), name: 'Both', link: { visibility: 'public', oneTime: true } } as const;
    const stored = JSON.stringify({ presets: [preset], defaultPreset: preset.id });
    // As an earlier version has imported it from a settings file; now such a preset is refused.
    const scene = await openScene(root, {
      alter(real) {
        const put = real.profile.database.prepare("INSERT INTO persisted_values (name, value) VALUES ('settings', ?)");
        put.run(stored);
        return real;
      },
    });
    const { engine, proxy } = scene;
    const id = await addImage(scene);
    expect(itemOf(engine, id)?.error).toMatchObject({ retryAt: null, failure: { code: 'ONE_TIME_NOT_PUBLIC' } });
    expect(proxy.requests.some(({ operation }) => operation === 'start')).toBe(false);
    await engine.queue.setShare({ ids: [id], change: { visibility: 'unlisted' } });
    expect((await linkedItem(engine, id)).content).toMatchObject({ oneTime: true, visibility: 'unlisted' });
  });

  it('wait with the reason where the plan does not include what the default preset requires, and nothing is lost', async () => {
    const scene = await openScene(root);
    const { engine } = scene;
    const preset = must(engine.preset.save({ name: 'Three views', link: { viewLimit: 3 } }));
    must(engine.preset.makeDefault({ id: preset.id }));
    const id = await addImage(scene);
    expect(itemOf(engine, id)).toMatchObject({
      error: { retryAt: null, failure: { code: 'PLAN_FEATURE_REQUIRED', params: { feature: 'view_limit' } } },
    });
    await engine.queue.setShare({ ids: [id], change: { viewLimit: null } });
    expect((await linkedItem(engine, id)).content.viewLimit).toBeNull();
  });

  it('are copied in the format of the settings', async () => {
    const { engine, clipboard } = await openScene(root);
    must(engine.settings.update({ linkFormat: 'template', linkTemplate: '{name} -> {url}' }));
    const { content } = await publishNote(engine, 'A note\n');
    expect(clipboard).toEqual([`A note -> ${content.url}`]);
  });
});
