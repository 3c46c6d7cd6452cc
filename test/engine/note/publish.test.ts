/** A note is published exactly once with the right format, even if replies are lost. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Content, ShareFields } from '../../../src/api/content.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import { createNoteAdder } from '../../../src/engine/note/add-note.ts';
import { NOTE_ENDING } from '../../../src/engine/profile/spool.ts';
import { openSource } from '../../../src/engine/upload/upload-source.ts';
import { CODE_SAMPLES } from '../../support/code-samples.ts';
import { fastClock, itemOf, until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { editRow } from '../../support/server/items.ts';
import { ask } from '../../support/server/service-client.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { linkedItem, openScene, publishNote, type Scene } from '../library/library-scenario.ts';

const root = temporaryFolder('engine-note');

const textOf = async ({ service, user }: Scene, { id }: Pick<Content, 'id'>): Promise<string> => {
  const { body } = await ask<{ text: string }>(service.url, { path: `/api/v1/content/${id}/text`, key: user.apiKey });
  return body.text;
};
const published = async ({ service }: Scene): Promise<number> =>
  (await queryData(service.data, 'SELECT id FROM content')).length;
/** Publishes a note as another program of the account does. */
const postElsewhere = async ({ service, user }: Scene, json: object): Promise<Content> =>
  (await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body: json })).body;
/** Opens its link as a guest. */
const openShare = ({ service }: Scene, { id }: Pick<Content, 'id'>, password?: string) =>
  ask(service.url, { method: 'POST', path: `/api/share/${id}/open`, body: password === undefined ? {} : { password } });
const isPost = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/api/v1/pastes';

describe('a note', () => {
  it('is published as what it is, unchanged, with its link settings, and is found by its text', async () => {
    const scene = await openScene(root);
    const { engine, clipboard } = scene;
    const { content } = await publishNote(engine, CODE_SAMPLES.python, { visibility: 'private', tags: ['snake'] });
    expect(content).toMatchObject({
      type: 'PASTE',
      pasteFormat: 'code',
      pasteLanguage: 'python',
      visibility: 'private',
      tags: ['snake'],
    });
    expect(await textOf(scene, content)).toBe(CODE_SAMPLES.python);
    expect(clipboard).toEqual([content.url]);
    await until(() => must(engine.library.search({ text: 'greet' })).total === 1);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });

  it('is named by its title, else by its first words without Markdown syntax', async () => {
    const { engine } = await openScene(root);
    const nameOf = async (text: string, format: 'markdown' | 'plain', title?: string): Promise<string> => {
      const added = must(await engine.note.add({ text, format, share: title === undefined ? {} : { title } })).id;
      return (await linkedItem(engine, added)).name;
    };
    expect(await nameOf('# The *plan*\n\n- one\n- two\n', 'markdown')).toBe('The plan');
    expect(await nameOf('# The plan\n\n- one\n- two\n', 'markdown', 'Autumn')).toBe('Autumn');
    expect(await nameOf('#5 was best\n', 'plain')).toBe('#5 was best');
  });

  it('of a file has its name as title, and is read in UTF-8 and UTF-16 alike', async () => {
    const scene = await openScene(root);
    const file = (name: string, bytes: Buffer) => {
      const path = join(scene.profileDir, name);
      writeFileSync(path, bytes);
      return { path, name };
    };
    const files = [
      file('main.go', Buffer.from(CODE_SAMPLES.go)),
      file('plan.md', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('# Straße\n', 'utf16le')])),
    ];
    const [code, markdown] = must(await scene.engine.note.addFiles(files, {}));
    if (!code || !markdown) throw new Error('not added');
    const { content } = await linkedItem(scene.engine, code);
    expect(content).toMatchObject({ title: 'main.go', pasteLanguage: 'go', originalName: 'main.go' });
    const plan = (await linkedItem(scene.engine, markdown)).content;
    expect(plan).toMatchObject({ title: 'plan', pasteFormat: 'markdown' });
    expect(await textOf(scene, plan)).toBe('# Straße\n');
    expect(existsSync(files[0]?.path ?? '')).toBe(true);

    const picture = file('a.png', Buffer.from('89504e470d0a1a0a', 'hex'));
    expect(await scene.engine.note.addFiles([picture], {})).toMatchObject({
      ok: false,
      error: { code: 'NOTE_NOT_TEXT' },
    });
  });

  it('is JSON with a meaningful title', async () => {
    const { engine } = await openScene(root);
    const { content } = await publishNote(engine, CODE_SAMPLES.json);
    expect(content).toMatchObject({ pasteLanguage: 'json', title: '"name": "linkshot",' });
  });

  it('of 200,000 characters of four bytes is accepted, and one more is refused before anything is sent', async () => {
    const scene = await openScene(root);
    const text = '😀'.repeat(200_000);
    expect((await publishNote(scene.engine, text)).content.size).toBe(800_000);
    const before = scene.proxy.requests.length;
    expect(await scene.engine.note.add({ text: `${text}a` })).toMatchObject({
      ok: false,
      error: { code: 'NOTE_TOO_LONG', params: { characters: 200_001, limit: 200_000 } },
    });
    expect(await scene.engine.note.add({ text: '' })).toMatchObject({ ok: false, error: { code: 'NOTE_EMPTY' } });
    expect(scene.proxy.requests.filter(isPost).length).toBe(
      scene.proxy.requests.slice(0, before).filter(isPost).length,
    );
  });
});

it('that cannot be written leaves no unfinished file', async () => {
  const spoolDir = join(root, 'unwritable');
  const uuid = randomUUID();
  // A folder stands where its file goes.
  mkdirSync(join(spoolDir, `${uuid}${NOTE_ENDING}`, 'in the way'), { recursive: true });
  const { add } = createNoteAdder({
    ...{ random: { ...systemRandom, uuid: () => uuid }, spoolDir, openSource },
    add: () => expect.unreachable(),
  });
  await expect(add({ text: 'nowhere to go\n' })).rejects.toThrow();
  expect(readdirSync(spoolDir)).toEqual([`${uuid}${NOTE_ENDING}`]);
});

it('whose row was lost with a damaged profile is found again as a note', async () => {
  const scene = await openScene(root);
  scene.engine.queue.pauseAll();
  must(await scene.engine.note.add({ text: 'nearly lost\n' })).id;
  await scene.engine.close();
  for (const name of readdirSync(scene.profileDir).filter((each) => each.startsWith('profile.sqlite'))) {
    writeFileSync(join(scene.profileDir, name), 'no database any more');
  }
  const { engine } = await scene.restart();
  const [item] = engine.state().queue.items;
  if (!item) throw new Error('not found again');
  expect(item).toMatchObject({ intent: 'pause', job: { kind: 'note' } });
  engine.queue.retry({ ids: [item.id] });
  const { content } = await linkedItem(engine, item.id);
  expect(await textOf(scene, content)).toBe('nearly lost\n');
});

describe('a lost reply', () => {
  const losing = async (alsoForget: 'keys' | 'nothing') => {
    const scene = await openScene(root);
    let losses = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++losses <= 1 ? { do: 'lose-answer' } : null);
    const id = must(await scene.engine.note.add({ text: 'once\n', share: { title: 'Once' } })).id;
    await until(() => itemOf(scene.engine, id)?.error !== null || itemOf(scene.engine, id)?.state === 'linked');
    // A service that ignores the Idempotency-Key of this request does not remember it.
    if (alsoForget === 'keys') await editRow(scene.service, 'DELETE FROM idempotencyRecords');
    const { content } = await linkedItem(scene.engine, id);
    return { scene, content };
  };

  it.each(['nothing', 'keys'] as const)('publishes nothing twice on a service that forgets %s', async (forget) => {
    const { scene, content } = await losing(forget);
    expect(await published(scene)).toBe(1);
    expect(content.title).toBe('Once');
    expect(scene.proxy.requests.filter(isPost)).toHaveLength(1);
  });

  it('of the second of two equal notes leaves both with links of their own', async () => {
    const scene = await openScene(root);
    const first = await publishNote(scene.engine, 'the same\n');
    let losses = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++losses <= 1 ? { do: 'lose-answer' } : null);
    const second = await publishNote(scene.engine, 'the same\n');
    expect(second.content.id).not.toBe(first.content.id);
    expect(await published(scene)).toBe(2);
  });

  it.each<ShareFields>([
    { password: 'correct horse' },
    { oneTime: true },
    { ttl: 'day' },
    { title: 'Mine' },
    { visibility: 'private' },
  ])('is not found in an equal note that was published elsewhere without %j', async (share) => {
    const scene = await openScene(root);
    const json = { text: 'the same\n', format: 'plain', visibility: 'unlisted' };
    const elsewhere = (await postElsewhere(scene, json)).id;
    let breaks = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++breaks <= 1 ? { do: 'reset', at: 0 } : null);
    const id = must(await scene.engine.note.add({ text: json.text, format: 'plain', share })).id;
    const { content } = await linkedItem(scene.engine, id);
    expect(content.id).not.toBe(elsewhere);
    expect(await published(scene)).toBe(2);
  });

  it('is not found in an equal note that was published elsewhere with more protection or for everyone', async () => {
    const scene = await openScene(root);
    const json = { text: 'the same\n', format: 'plain' };
    const others = [{ password: 'correct horse' }, { oneTime: true }, { ttl: 'day' }, { visibility: 'public' }];
    for (const other of others) await postElsewhere(scene, { ...json, ...other });
    let breaks = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++breaks <= 1 ? { do: 'reset', at: 0 } : null);
    const id = must(await scene.engine.note.add({ text: json.text, format: 'plain' })).id;
    const { content } = await linkedItem(scene.engine, id);
    expect(content).toMatchObject({
      visibility: 'unlisted',
      passwordProtected: false,
      oneTime: false,
      expiresAt: null,
    });
    expect(await published(scene)).toBe(others.length + 1);
  });

  it('is not found in an equal note that was opened elsewhere', async () => {
    const scene = await openScene(root);
    const share = { visibility: 'unlisted', oneTime: true } as const;
    const elsewhere = await postElsewhere(scene, { text: 'the same\n', format: 'plain', ...share });
    expect((await openShare(scene, elsewhere)).status).toBe(200);
    let breaks = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++breaks <= 1 ? { do: 'reset', at: 0 } : null);
    const id = must(await scene.engine.note.add({ text: 'the same\n', format: 'plain', share })).id;
    const { content } = await linkedItem(scene.engine, id);
    expect(content).toMatchObject({ consumedAt: null });
    expect(await published(scene)).toBe(2);
  });

  it('of a note with a password leads to a link that this password opens', async () => {
    const scene = await openScene(root);
    await postElsewhere(scene, { text: 'the same\n', format: 'plain', password: 'another horse' });
    let breaks = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++breaks <= 1 ? { do: 'reset', at: 0 } : null);
    const share = { password: 'correct horse' };
    const id = must(await scene.engine.note.add({ text: 'the same\n', format: 'plain', share })).id;
    const { content } = await linkedItem(scene.engine, id);
    expect((await openShare(scene, content, share.password)).status).toBe(200);
  });

  it.each<ShareFields>([
    { title: ' Once,\tand\u200e only ', visibility: 'private', password: 'correct horse', oneTime: true, ttl: 'month' },
    { title: ' ', ttl: 'forever', oneTime: false },
  ])('publishes nothing twice on a service that forgets the key of a note with %j', async (share) => {
    const scene = await openScene(root);
    let losses = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++losses <= 1 ? { do: 'lose-answer' } : null);
    const id = must(await scene.engine.note.add({ text: 'once\n', share })).id;
    await until(() => itemOf(scene.engine, id)?.error !== null || itemOf(scene.engine, id)?.state === 'linked');
    await editRow(scene.service, 'DELETE FROM idempotencyRecords');
    await linkedItem(scene.engine, id);
    expect(await published(scene)).toBe(1);
  });

  it('of one of two equal notes leaves both with links of their own, even if both are looked for at once', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    const isOver = Promise.withResolvers<void>();
    let posts = 0;
    let looks = 0;
    proxy.fault = (request) => {
      if (isPost(request)) {
        posts += 1;
        if (posts > 2) isOver.resolve();
        return posts === 1 ? { do: 'reset', at: 0 } : posts === 2 ? { do: 'lose-answer' } : null;
      }
      if (request.method !== 'GET' || !/^\/api\/v1\/content\/[^/?]+$/.test(request.path)) return null;
      looks += 1;
      if (looks > 1) isOver.resolve();
      return looks === 1 ? { do: 'hold-answer', until: isOver.promise } : null;
    };
    const add = async () => must(await engine.note.add({ text: 'pressed twice\n' })).id;
    const ids = [await add(), await add()];
    const links = new Set<string>();
    for (const id of ids) links.add((await linkedItem(engine, id)).content.id);
    expect(links.size).toBe(2);
    expect(await published(scene)).toBe(2);
  });

  it('is looked for after a restart, too', async () => {
    const scene = await openScene(root);
    scene.proxy.fault = (request) => (isPost(request) ? { do: 'lose-answer' } : null);
    const id = must(await scene.engine.note.add({ text: 'before the restart\n' })).id;
    await until(() => scene.proxy.requests.some((request) => isPost(request) && request.isOver));
    scene.proxy.fault = () => null;
    await editRow(scene.service, 'DELETE FROM idempotencyRecords');
    const { engine } = await scene.restart();
    await linkedItem(engine, id);
    expect(await published(scene)).toBe(1);
  });

  it('of a note that never arrived leads to it being sent again', async () => {
    const scene = await openScene(root);
    let breaks = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++breaks <= 2 ? { do: 'reset', at: 0 } : null);
    await publishNote(scene.engine, 'at last\n');
    expect(await published(scene)).toBe(1);
  });
});

describe('a note whose request was refused', () => {
  const REFUSALS = [
    { do: 'answer', status: 429, headers: { 'retry-after': '1' }, body: '{"code":"RATE_LIMITED"}' },
    { do: 'answer', status: 503, headers: { 'retry-after': '1' }, body: '{"code":"UPLOAD_SERVER_BUSY"}' },
  ] as const;

  it.each(REFUSALS)('with $status is not looked for in what was published elsewhere', async (refusal) => {
    const scene = await openScene(root);
    const elsewhere = await postElsewhere(scene, { text: 'the same\n', format: 'plain' });
    let refusals = 0;
    scene.proxy.fault = (request) => (isPost(request) && ++refusals <= 2 ? refusal : null);
    const { content } = await publishNote(scene.engine, 'the same\n');
    expect(content.id).not.toBe(elsewhere.id);
    expect(await published(scene)).toBe(2);
  });

  it('is waited for no longer than without progress, and repeats the same halt', async () => {
    const scene = await openScene(root);
    let refusals = 0;
    const isRefusedTwice = Promise.withResolvers<void>();
    scene.proxy.fault = (request) => {
      if (!isPost(request)) return null;
      if (++refusals === 3) isRefusedTwice.resolve();
      return { ...REFUSALS[1], headers: { 'retry-after': '0' } };
    };
    const id = must(await scene.engine.note.add({ text: 'not now\n' })).id;
    await isRefusedTwice.promise;
    const outcome = await scene.engine.queue.waitFor({ id, patienceMs: 1 }, soon());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'UPLOAD_SERVER_BUSY' } });
    const events = must(scene.engine.queue.timeline({ id })).events.map(({ data }) => data.kind);
    expect(events.filter((kind) => kind === 'begun')).toHaveLength(1);
    expect(events.filter((kind) => kind === 'waited')).toHaveLength(1);
  });

  it.each([
    ['in the same run', false],
    ['after a restart', true],
  ])('is cancelled %s without deleting what was published elsewhere', async (_, isAfterRestart) => {
    const scene = await openScene(root);
    const elsewhere = await postElsewhere(scene, { text: 'the same\n', format: 'plain' });
    scene.proxy.fault = (request) => (isPost(request) ? REFUSALS[1] : null);
    const id = must(await scene.engine.note.add({ text: 'the same\n', format: 'plain' })).id;
    await until(() => itemOf(scene.engine, id)?.error?.failure.code === 'UPLOAD_SERVER_BUSY');
    const engine = isAfterRestart ? (await scene.restart()).engine : scene.engine;
    engine.queue.cancel({ ids: [id] });
    await until(() => itemOf(engine, id) === undefined);
    expect(await textOf(scene, elsewhere)).toBe('the same\n');
  });
});

describe('a note that is cancelled while it is unknown whether it was published', () => {
  it.each([
    ['was', { do: 'lose-answer' }],
    ['was not', { do: 'reset', at: 0 }],
  ] as const)('and %s, is removed everywhere', async (_, fault) => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    let mayLook = false;
    proxy.fault = (request) => {
      if (isPost(request)) return fault;
      const isLook = request.method === 'GET' && request.path.startsWith('/api/v1/content');
      return isLook && !mayLook ? { do: 'lose-answer' } : null;
    };
    const id = must(await engine.note.add({ text: 'a secret, pasted by mistake\n' })).id;
    await until(() => (itemOf(engine, id)?.attempts ?? 0) > 0);
    engine.queue.cancel({ ids: [id] });
    mayLook = true;
    await until(
      () => itemOf(engine, id) === undefined,
      () => [itemOf(engine, id), proxy.requests.map(({ method, path }) => `${method} ${path}`)],
    );
    expect(await published(scene)).toBe(0);
    expect(proxy.requests.filter(isPost)).toHaveLength(1);
    expect(must(engine.library.search({ text: '' })).total).toBe(0);
  });

  it.each(['is', 'was'])('and was, by a clock that %s an hour ahead, is removed everywhere', async (when) => {
    let ahead = 3_600_000;
    const clock = { ...fastClock, now: () => fastClock.now() + ahead };
    const scene = await openScene(root, { ports: { clock } });
    const { engine, proxy } = scene;
    let mayLook = false;
    proxy.fault = (request) => {
      if (isPost(request)) return { do: 'lose-answer' };
      const isLook = request.method === 'GET' && request.path.startsWith('/api/v1/content');
      return isLook && !mayLook ? { do: 'lose-answer' } : null;
    };
    const id = must(await engine.note.add({ text: 'a secret, pasted by mistake\n' })).id;
    await until(() => (itemOf(engine, id)?.attempts ?? 0) > 0);
    if (when === 'was') ahead = 0;
    engine.queue.cancel({ ids: [id] });
    mayLook = true;
    await until(() => itemOf(engine, id) === undefined);
    expect(await published(scene)).toBe(0);
  });

  it('and was, though something in front of the service answered 503, is removed everywhere', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    const busy = { status: 503, headers: { 'content-type': 'text/html', 'retry-after': '60' }, body: '<p>Busy.</p>' };
    proxy.fault = (request) => (isPost(request) ? { do: 'rewrite-answer', change: () => busy } : null);
    const id = must(await engine.note.add({ text: 'a secret, pasted by mistake\n' })).id;
    await until(() => itemOf(engine, id)?.error?.failure.code === 'UPLOAD_SERVER_BUSY');
    expect(await published(scene)).toBe(1);
    engine.queue.cancel({ ids: [id] });
    await until(() => itemOf(engine, id) === undefined);
    expect(await published(scene)).toBe(0);
  });

  it('and was, though a page of something in front of the service hides its text, is removed everywhere', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    let isHidden = true;
    proxy.fault = (request) => {
      if (isPost(request)) return { do: 'lose-answer' };
      const isText = request.method === 'GET' && request.path.endsWith('/text');
      return isText && isHidden
        ? { do: 'answer', status: 404, headers: { 'content-type': 'text/html' }, body: '<p>Sign in.</p>' }
        : null;
    };
    const id = must(await engine.note.add({ text: 'a secret, pasted by mistake\n' })).id;
    await until(() => (itemOf(engine, id)?.attempts ?? 0) > 0);
    engine.queue.cancel({ ids: [id] });
    await until(() => {
      const item = itemOf(engine, id);
      return item === undefined || item.error?.failure.code === 'NOT_THE_SERVICE';
    });
    expect(itemOf(engine, id)).toMatchObject({ intent: 'cancel' });
    isHidden = false;
    await until(() => itemOf(engine, id) === undefined);
    expect(await published(scene)).toBe(0);
  });

  it('and was not, leaves an equal note of this queue whose settings are not applied yet', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    let posts = 0;
    let mayLook = false;
    proxy.fault = (request) => {
      if (isPost(request)) return ++posts === 1 ? { do: 'reset', at: 0 } : null;
      if (request.method === 'PATCH') return { do: 'reset', at: 0 };
      const isLook = request.method === 'GET' && request.path.startsWith('/api/v1/content');
      return isLook && !mayLook ? { do: 'lose-answer' } : null;
    };
    const note = { text: 'pressed twice\n', share: { allowDownload: false } };
    const first = must(await engine.note.add(note)).id;
    await until(() => (itemOf(engine, first)?.attempts ?? 0) > 0);
    const second = must(await engine.note.add(note)).id;
    await until(() => itemOf(engine, second)?.state === 'published');
    engine.queue.cancel({ ids: [first] });
    mayLook = true;
    await until(
      () => itemOf(engine, first) === undefined,
      () => itemOf(engine, first),
    );
    expect(await published(scene)).toBe(1);
    expect(proxy.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it('and was, and is just being looked for, is not linked but removed everywhere', async () => {
    const scene = await openScene(root);
    const { engine, proxy, clipboard } = scene;
    const look = Promise.withResolvers<void>();
    let isLooking = false;
    proxy.fault = (request) => {
      if (isPost(request)) return { do: 'lose-answer' };
      if (isLooking || request.method !== 'GET' || !request.path.startsWith('/api/v1/content')) return null;
      isLooking = true;
      return { do: 'hold', until: look.promise };
    };
    const id = must(await engine.note.add({ text: 'a secret, pasted by mistake\n' })).id;
    await until(() => isLooking);
    engine.queue.cancel({ ids: [id] });
    look.resolve();
    await until(
      () => itemOf(engine, id) === undefined,
      () => itemOf(engine, id),
    );
    expect([await published(scene), clipboard]).toEqual([0, []]);
    expect(must(engine.library.search({ text: '' })).total).toBe(0);
  });

  it('and whose text is missing, does not stay in the queue', async () => {
    const scene = await openScene(root);
    const { engine, proxy } = scene;
    proxy.fault = (request) => {
      if (isPost(request)) return { do: 'reset', at: 0 };
      return request.method === 'GET' && request.path.startsWith('/api/v1/content') ? { do: 'lose-answer' } : null;
    };
    const id = must(await engine.note.add({ text: 'soon to be missing\n' })).id;
    await until(() => (itemOf(engine, id)?.attempts ?? 0) > 0);
    rmSync(itemOf(engine, id)?.source.path ?? '');
    engine.queue.cancel({ ids: [id] });
    await until(
      () => itemOf(engine, id) === undefined,
      () => itemOf(engine, id),
    );
  });

  it('and is just being looked for, is not posted', async () => {
    const { engine, proxy } = await openScene(root);
    const look = Promise.withResolvers<void>();
    let isLooking = false;
    proxy.fault = (request) => {
      if (isPost(request)) return { do: 'reset', at: 0 };
      if (request.method !== 'GET' || !request.path.startsWith('/api/v1/content')) return null;
      isLooking = true;
      return { do: 'hold', until: look.promise };
    };
    const id = must(await engine.note.add({ text: 'a secret, pasted by mistake\n' })).id;
    await until(() => isLooking);
    engine.queue.cancel({ ids: [id] });
    look.resolve();
    await until(
      () => itemOf(engine, id) === undefined,
      () => [itemOf(engine, id), proxy.requests.map(({ method, path }) => `${method} ${path}`)],
    );
    expect(proxy.requests.filter(isPost)).toHaveLength(1);
  });
});
