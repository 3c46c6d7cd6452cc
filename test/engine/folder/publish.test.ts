import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ShareFields } from '../../../src/api/content.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { startFaultProxy } from '../../faults/fault-proxy.ts';
import { connectTo, itemOf, openEngine, until } from '../../support/engine.ts';
import { folderPublishing, PATIENCE } from '../../support/folder/folder-publishing.ts';
import { type Tree, writeTree } from '../../support/folder/git-repository.ts';
import { itWith } from '../../support/only-on.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { ask } from '../../support/server/service-client.ts';

const FOLDERS = '/api/v1/folders';
const DAY_MS = 24 * 3_600_000;
const { dir, service, folderOf, connected, add, published, items, stored } = folderPublishing('folder-publish');

const CODE: Tree = {
  'src/main.ts': 'export const answer = 42;\n',
  'readme.md': '# Project\n',
  '.gitignore': '*.log\n',
  'debug.log': 'noise',
  'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
  'node_modules/left-pad/index.js': 'module.exports = 1;',
};

describe('a folder that is added', () => {
  test('is packed, sent and published, with what stayed out and why', async () => {
    const { engine, user } = await connected();
    const root = folderOf(CODE);
    const item = await published(engine, await add(engine, root));
    expect(item).toMatchObject({
      job: { kind: 'folder' },
      content: { type: 'FOLDER', title: 'project', folderFiles: 2 },
    });
    expect(await stored(user, item.content.id)).toEqual(
      new Map([
        ['readme.md', '# Project\n'],
        ['src/main.ts', 'export const answer = 42;\n'],
      ]),
    );
    expect(item.body?.made).toEqual({
      kind: 'folder',
      selection: {
        files: 2,
        textBytes: 36,
        skipped: [
          { path: '.gitignore', reason: 'gitignore', files: 1, size: 6 },
          {
            ...{ path: 'debug.log', reason: 'gitignore', files: 1, size: 5 },
            rule: { file: '.gitignore', line: 1, pattern: '*.log' },
          },
          { path: 'node_modules/', reason: 'dependencies', files: null, size: null },
          { path: 'picture.png', reason: 'binary', files: 1, size: 5 },
        ],
        skippedFiles: 3,
        uncountedFolders: 1,
        gitignore: 'applied',
      },
    });
    expect(item.size).toBe(item.body?.size);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });

  test('carries the user’s link settings', async () => {
    const { engine, user } = await connected();
    const share: ShareFields = {
      title: 'A "title"\r\nof é',
      tags: ['code', 'é'],
      visibility: 'unlisted',
      ttl: 'week',
      password: 'päss wörd',
      oneTime: true,
    };
    const item = await published(engine, await add(engine, folderOf(CODE), share));
    expect(item.content).toMatchObject({
      tags: ['code', 'é'],
      visibility: 'unlisted',
      passwordProtected: true,
      oneTime: true,
    });
    expect(item.content.title).toContain('A "title"');
    expect(item.content.expiresAt).not.toBeNull();
    const open = await ask(service().url, {
      method: 'POST',
      path: `/api/share/${item.content.id}/open`,
      body: { password: 'päss wörd' },
    });
    expect(open.status).toBe(200);
    expect(await items(user)).toHaveLength(1);
  });

  test('lists what the service excluded in addition in the same list', async () => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const { engine } = await connected(proxy.url);
    const more = {
      files: 1,
      textBytes: 26,
      skipped: [{ path: 'README', reason: 'name', files: 2, size: 9 }],
      skippedFiles: 2,
    };
    proxy.fault = ({ path }) =>
      path === FOLDERS
        ? {
            do: 'rewrite-answer',
            change: (answer) => ({
              ...answer,
              body: JSON.stringify({ ...JSON.parse(answer.body), folder: { ...more, gitignore: 'none' } }),
            }),
          }
        : null;
    const item = await published(engine, await add(engine, folderOf(CODE)));
    expect(item.body?.made).toMatchObject({
      selection: { files: 1, textBytes: 26, skippedFiles: 5, uncountedFolders: 1, gitignore: 'applied' },
    });
    const made = item.body?.made;
    expect(made?.kind === 'folder' && made.selection.skipped.map(({ path }) => path)).toEqual([
      '.gitignore',
      'README',
      'debug.log',
      'node_modules/',
      'picture.png',
    ]);
  });

  itWith('names with quotes and line ends')('may have a name that would break a form', async () => {
    const { engine } = await connected();
    const root = folderOf({ 'a"b\r\nc é/x.ts': '1' });
    const added = await engine.queue.add([
      { source: { owner: 'user', path: join(root, 'a"b\r\nc é') }, name: 'a"b\r\nc é' },
    ]);
    if (!added.ok) throw new Error(added.error.detail);
    const item = await published(engine, added.value[0] as ItemId);
    expect(item.content.title).toContain('c é');
  });
});

describe('exactly one item, whatever happens to the request', () => {
  test.each([
    ['its answer is lost', { do: 'lose-answer' }],
    ['it breaks off in the middle', { do: 'reset', at: 300 }],
    ['it arrives twice at the same time', { do: 'duplicate' }],
    ['its answer is cut off', { do: 'cut-answer', at: 20 }],
    ['a portal answers in its place', { do: 'answer', status: 200, body: '<html>Sign in</html>' }],
    ['something in front of the service is busy', { do: 'answer', status: 503, headers: { 'retry-after': '1' } }],
  ] as const)('%s', async (_, fault) => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const { engine, user } = await connected(proxy.url);
    let isOver = false;
    proxy.fault = ({ path }) => {
      if (path !== FOLDERS || isOver) return null;
      isOver = true;
      return fault;
    };
    const item = await published(engine, await add(engine, folderOf(CODE)));
    expect(isOver).toBe(true);
    expect((await items(user)).map(({ id }) => id)).toEqual([item.content.id]);
    const keys = proxy.requests.filter(({ path }) => path === FOLDERS).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(item.body?.made).toMatchObject({ selection: { files: 2, skippedFiles: 3 } });
  });

  test('the answer is lost, and the engine ends before it can ask again', async () => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const user = await service().user();
    const profile = join(dir, `profile-ended-${user.username}`);
    const first = (await openEngine(profile)).engine;
    await connectTo(first, proxy.url, user.apiKey);
    proxy.fault = ({ path }) => (path === FOLDERS ? { do: 'lose-answer' } : null);
    const root = folderOf(CODE);
    const id = await add(first, root);
    await until(() => itemOf(first, id)?.error?.failure.code === 'NETWORK_FAILED');
    await first.close();
    // What is sent again is what was packed, however the folder has changed.
    writeTree(root, { 'later.ts': '1' });
    proxy.fault = () => null;
    const { engine } = await openEngine(profile);
    await connectTo(engine, proxy.url, user.apiKey);
    const item = await published(engine, id);
    expect((await items(user)).map((one) => one.id)).toEqual([item.content.id]);
    expect(item.content.folderFiles).toBe(2);
  });

  test('the answer was lost days ago, when the service may have forgotten the key', async () => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const user = await service().user();
    const profile = join(dir, `profile-days-${user.username}`);
    const first = (await openEngine(profile)).engine;
    await connectTo(first, proxy.url, user.apiKey);
    // Neither a known item with the same name and files is mistaken for it, nor another one of its name.
    const root = folderOf(CODE);
    const other = await published(first, await add(first, root));
    const ofOneFile = await published(first, await add(first, folderOf({ 'src/main.ts': '1' })));
    proxy.fault = ({ path }) => (path === FOLDERS ? { do: 'lose-answer' } : null);
    const id = await add(first, root);
    await until(() => itemOf(first, id)?.error?.failure.code === 'NETWORK_FAILED');
    await first.close();
    const sent = () => proxy.requests.filter(({ path }) => path === FOLDERS).length;
    const before = sent();
    proxy.fault = () => null;
    const { engine } = await openEngine(profile, { clock: { ...systemClock, now: () => Date.now() + 2 * DAY_MS } });
    await connectTo(engine, proxy.url, user.apiKey);
    engine.queue.retry({ ids: [id] });
    const { content } = await published(engine, id);
    expect(sent()).toBe(before);
    const all = [content, other.content, ofOneFile.content].map((one) => one.id);
    expect(new Set((await items(user)).map((one) => one.id))).toEqual(new Set(all));
  });
});

describe('a folder that is cancelled', () => {
  test.each([
    ['before its request has reached the service', { do: 'reset', at: 100 }],
    ['when it is published and the answer was lost', { do: 'lose-answer' }],
    ['while something in front of the service refuses it', { do: 'answer', status: 502 }],
  ] as const)('%s is removed everywhere', async (_, fault) => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const { engine, user } = await connected(proxy.url);
    proxy.fault = ({ path }) => (path === FOLDERS ? fault : null);
    const id = await add(engine, folderOf(CODE));
    const asked = () => proxy.requests.filter(({ path, isOver }) => path === FOLDERS && isOver).length;
    await until(() => itemOf(engine, id)?.error != null);
    engine.queue.cancel({ ids: [id] });
    // One request may already be publishing it; later ones only cancel it.
    const before = asked();
    await until(() => asked() >= before + 2);
    proxy.fault = () => null;
    await until(() => itemOf(engine, id) === undefined);
    expect(await items(user)).toEqual([]);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });
});

describe('an error that prevents publication is reported, and a retry works once it is fixed', () => {
  test('a folder with nothing in it that may be shared', async () => {
    const { engine } = await connected();
    const root = folderOf({ '.env': 'A=1' });
    const id = await add(engine, root);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      error: { code: 'FOLDER_EMPTY' },
    });
    writeTree(root, { 'a.ts': '1' });
    engine.queue.retry({ ids: [id] });
    expect((await published(engine, id)).content.folderFiles).toBe(1);
  });

  test('the service refuses the archive, and gets a new one of what the folder is by then, and no archive stays', async () => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const { engine, user } = await connected(proxy.url);
    const body = JSON.stringify({
      type: 'x',
      title: 'x',
      status: 422,
      detail: 'A threat.',
      code: 'FOLDER_INFECTED',
      requestId: '1',
    });
    proxy.fault = ({ path }) =>
      path === FOLDERS
        ? { do: 'answer', status: 422, headers: { 'content-type': 'application/problem+json' }, body }
        : null;
    const root = folderOf({ 'a.ts': '1' });
    const id = await add(engine, root);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      error: { code: 'FOLDER_INFECTED' },
    });
    const other = await add(engine, root);
    await until(() => itemOf(engine, other)?.error != null);
    engine.queue.cancel({ ids: [other] });
    proxy.fault = () => null;
    writeTree(root, { 'b.ts': '2' });
    engine.queue.retry({ ids: [id] });
    expect((await published(engine, id)).content.folderFiles).toBe(2);
    expect(await items(user)).toHaveLength(1);
    await until(
      () => readdirSync(engine.spoolDir).length === 0,
      () => readdirSync(engine.spoolDir),
    );
  });

  test('what it published was deleted before its response was known: nothing is published again', async () => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const { engine, user } = await connected(proxy.url);
    let isLost = false;
    proxy.fault = ({ path }) =>
      path === FOLDERS && !isLost ? { do: 'lose-answer' } : path === FOLDERS ? { do: 'answer', status: 503 } : null;
    const id = await add(engine, folderOf(CODE));
    await until(() => itemOf(engine, id)?.error?.failure.code === 'NETWORK_FAILED');
    isLost = true;
    const [item] = await items(user);
    await ask(service().url, { method: 'DELETE', path: `/api/v1/content/${item?.id}`, key: user.apiKey });
    proxy.fault = () => null;
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      error: { code: 'CONTENT_GONE' },
    });
    expect(await items(user)).toHaveLength(0);
    engine.queue.retry({ ids: [id] });
    await published(engine, id);
    expect(await items(user)).toHaveLength(1);
  });

  test('the packed archive is missing: it is packed again when the user retries', async () => {
    const proxy = await startFaultProxy(service().url);
    onTestFinished(() => proxy.close());
    const { engine, user } = await connected(proxy.url);
    proxy.fault = ({ path }) => (path === FOLDERS ? { do: 'answer', status: 500 } : null);
    const id = await add(engine, folderOf(CODE));
    await until(() => itemOf(engine, id)?.error?.failure.code === 'INTERNAL');
    for (const name of readdirSync(engine.spoolDir)) rmSync(join(engine.spoolDir, name));
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      error: { code: 'SOURCE_MISSING' },
    });
    proxy.fault = () => null;
    engine.queue.retry({ ids: [id] });
    await published(engine, id);
    expect(await items(user)).toHaveLength(1);
  });

  test('a file that is added as a folder', async () => {
    const { engine } = await connected();
    const root = folderOf({ 'a.ts': '1' });
    const added = await engine.queue.add([
      { source: { owner: 'user', path: join(root, 'a.ts') }, name: 'a', job: { kind: 'folder' } },
    ]);
    expect(added).toMatchObject({ error: { code: 'SOURCE_NOT_A_FOLDER' } });
  });
});
