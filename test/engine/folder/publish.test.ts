import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ShareFields } from '../../../src/contract/content.ts';
import type { ItemId } from '../../../src/contract/ids.ts';
import type { QueueItemIn } from '../../../src/contract/queue-item.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { startFaultProxy } from '../../faults/fault-proxy.ts';
import { connectTo, fastClock, itemOf, openEngine, until } from '../../support/engine.ts';
import { initRepository, type Tree, writeTree } from '../../support/git-repository.ts';
import { filesOf } from '../../support/packed-folder.ts';
import { startRecordingRelay } from '../../support/recording-relay.ts';
import { type Person, type RunningServer, startServer } from '../../support/server.ts';
import { ask } from '../../support/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder('folder-publish');
const PATIENCE = 600_000;
const soon = () => AbortSignal.timeout(25_000);
const FOLDERS = '/api/v1/folders';
const unlimited = { requestsPerMinute: 1_000_000, uploadRequestsPerMinute: 1_000_000 };

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ clock: fastClock, config: { limits: unlimited } });
});
afterAll(() => service.stop());

let made = 0;
const folderOf = (tree: Tree): string => {
  made += 1;
  const root = join(dir, `${made}/project`);
  writeTree(root, tree);
  return root;
};

const connected = async (url = service.url) => {
  const person = service.person();
  const { engine } = await openEngine(join(dir, `profile-${made}-${person.username}`));
  await connectTo(engine, url, person.apiKey);
  return { engine, person };
};

const add = async (engine: Engine, path: string, share: ShareFields = {}): Promise<ItemId> => {
  const added = await engine.add([{ source: { owner: 'person', path }, name: 'project', share }]);
  if (!added.ok || !added.value[0]) throw new Error(added.ok ? 'nothing added' : added.error.detail);
  return added.value[0];
};

const published = async (engine: Engine, id: ItemId): Promise<QueueItemIn<'linked'>> => {
  const settled = await engine.settled(id, PATIENCE, soon());
  if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
  return settled.value as QueueItemIn<'linked'>;
};

const items = async ({ apiKey }: Person): Promise<readonly { id: string }[]> =>
  (await ask<{ items: { id: string }[] }>(service.url, { path: '/api/v1/content', key: apiKey })).body.items;

const stored = async ({ apiKey }: Person, id: string): Promise<ReadonlyMap<string, string>> => {
  const answer = await fetch(`${service.url}/api/media/${id}?download=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return filesOf(Buffer.from(await answer.arrayBuffer()));
};

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
    const { engine, person } = await connected();
    const root = folderOf(CODE);
    const item = await published(engine, await add(engine, root));
    expect(item).toMatchObject({
      job: { kind: 'folder' },
      content: { type: 'FOLDER', title: 'project', folderFiles: 2 },
    });
    expect(await stored(person, item.content.id)).toEqual(
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
          { path: 'debug.log', reason: 'gitignore', files: 1, size: 5 },
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

  test('carries what the person wants of its link', async () => {
    const { engine, person } = await connected();
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
    const open = await ask(service.url, {
      method: 'POST',
      path: `/api/share/${item.content.id}/open`,
      body: { password: 'päss wörd' },
    });
    expect(open.status).toBe(200);
    expect(await items(person)).toHaveLength(1);
  });

  test('may have a name that would break a form', async () => {
    const { engine } = await connected();
    const root = folderOf({ 'a"b\r\nc é/x.ts': '1' });
    const added = await engine.add([
      { source: { owner: 'person', path: join(root, 'a"b\r\nc é') }, name: 'a"b\r\nc é' },
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
    const proxy = await startFaultProxy(service.url);
    onTestFinished(() => proxy.close());
    const { engine, person } = await connected(proxy.url);
    let isOver = false;
    proxy.fault = ({ path }) => {
      if (path !== FOLDERS || isOver) return null;
      isOver = true;
      return fault;
    };
    const item = await published(engine, await add(engine, folderOf(CODE)));
    expect(isOver).toBe(true);
    expect((await items(person)).map(({ id }) => id)).toEqual([item.content.id]);
    const keys = proxy.requests.filter(({ path }) => path === FOLDERS).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(item.body?.made).toMatchObject({ selection: { files: 2, skippedFiles: 3 } });
  });

  test('the answer is lost, and the engine ends before it can ask again', async () => {
    const proxy = await startFaultProxy(service.url);
    onTestFinished(() => proxy.close());
    const person = service.person();
    const profile = join(dir, `profile-ended-${person.username}`);
    const first = (await openEngine(profile)).engine;
    await connectTo(first, proxy.url, person.apiKey);
    proxy.fault = ({ path }) => (path === FOLDERS ? { do: 'lose-answer' } : null);
    const root = folderOf(CODE);
    const id = await add(first, root);
    await until(() => itemOf(first, id)?.trouble?.failure.code === 'NETWORK_FAILED');
    await first.close();
    // What is sent again is what was packed, however the folder has changed.
    writeTree(root, { 'later.ts': '1' });
    proxy.fault = () => null;
    const { engine } = await openEngine(profile);
    await connectTo(engine, proxy.url, person.apiKey);
    const item = await published(engine, id);
    expect((await items(person)).map((one) => one.id)).toEqual([item.content.id]);
    expect(item.content.folderFiles).toBe(2);
  });
});

describe('a folder that is given up', () => {
  test.each([
    ['before its request has reached the service', { do: 'reset', at: 100 }],
    ['when it is published and the answer was lost', { do: 'lose-answer' }],
    ['while something in front of the service refuses it', { do: 'answer', status: 502 }],
  ] as const)('%s is nowhere in the end', async (_, fault) => {
    const proxy = await startFaultProxy(service.url);
    onTestFinished(() => proxy.close());
    const { engine, person } = await connected(proxy.url);
    proxy.fault = ({ path }) => (path === FOLDERS ? fault : null);
    const id = await add(engine, folderOf(CODE));
    const asked = () => proxy.requests.filter(({ path, isOver }) => path === FOLDERS && isOver).length;
    await until(() => itemOf(engine, id)?.trouble != null);
    engine.cancel([id]);
    // One may have been on its way to publish; from the next on it is asked in order to give it up.
    const before = asked();
    await until(() => asked() >= before + 2);
    proxy.fault = () => null;
    await until(() => itemOf(engine, id) === undefined);
    expect(await items(person)).toEqual([]);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });
});

describe('what cannot be published is said, and can be tried again once it is mended', () => {
  test('a folder with nothing in it that may be shared', async () => {
    const { engine } = await connected();
    const root = folderOf({ '.env': 'A=1' });
    const id = await add(engine, root);
    expect(await engine.settled(id, PATIENCE, soon())).toMatchObject({ error: { code: 'FOLDER_EMPTY' } });
    writeTree(root, { 'a.ts': '1' });
    engine.retry([id]);
    expect((await published(engine, id)).content.folderFiles).toBe(1);
  });

  test('the service refuses the archive, and gets a new one of what the folder is by then', async () => {
    const proxy = await startFaultProxy(service.url);
    onTestFinished(() => proxy.close());
    const { engine, person } = await connected(proxy.url);
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
    expect(await engine.settled(id, PATIENCE, soon())).toMatchObject({ error: { code: 'FOLDER_INFECTED' } });
    proxy.fault = () => null;
    writeTree(root, { 'b.ts': '2' });
    engine.retry([id]);
    expect((await published(engine, id)).content.folderFiles).toBe(2);
    expect(await items(person)).toHaveLength(1);
  });

  test('what it published was deleted before its answer was known: nothing comes back by itself', async () => {
    const proxy = await startFaultProxy(service.url);
    onTestFinished(() => proxy.close());
    const { engine, person } = await connected(proxy.url);
    let isLost = false;
    proxy.fault = ({ path }) =>
      path === FOLDERS && !isLost ? { do: 'lose-answer' } : path === FOLDERS ? { do: 'answer', status: 503 } : null;
    const id = await add(engine, folderOf(CODE));
    await until(() => itemOf(engine, id)?.trouble?.failure.code === 'NETWORK_FAILED');
    isLost = true;
    const [item] = await items(person);
    await ask(service.url, { method: 'DELETE', path: `/api/v1/content/${item?.id}`, key: person.apiKey });
    proxy.fault = () => null;
    expect(await engine.settled(id, PATIENCE, soon())).toMatchObject({ error: { code: 'CONTENT_GONE' } });
    expect(await items(person)).toHaveLength(0);
    engine.retry([id]);
    await published(engine, id);
    expect(await items(person)).toHaveLength(1);
  });

  test('the packed archive is gone: it is packed again when the person says so', async () => {
    const proxy = await startFaultProxy(service.url);
    onTestFinished(() => proxy.close());
    const { engine, person } = await connected(proxy.url);
    proxy.fault = ({ path }) => (path === FOLDERS ? { do: 'answer', status: 500 } : null);
    const id = await add(engine, folderOf(CODE));
    await until(() => itemOf(engine, id)?.trouble?.failure.code === 'INTERNAL');
    for (const name of readdirSync(engine.spoolDir)) rmSync(join(engine.spoolDir, name));
    expect(await engine.settled(id, PATIENCE, soon())).toMatchObject({ error: { code: 'SOURCE_MISSING' } });
    proxy.fault = () => null;
    engine.retry([id]);
    await published(engine, id);
    expect(await items(person)).toHaveLength(1);
  });

  test('a file that is added as a folder', async () => {
    const { engine } = await connected();
    const root = folderOf({ 'a.ts': '1' });
    const added = await engine.add([
      { source: { owner: 'person', path: join(root, 'a.ts') }, name: 'a', job: { kind: 'folder' } },
    ]);
    expect(added).toMatchObject({ error: { code: 'SOURCE_NOT_A_FOLDER' } });
  });
});

describe('no secret ever leaves the machine', () => {
  const mark = (kind: string) => `PLANTED-${kind}-5f2c9e`;
  const key = (kind: string) =>
    `-----BEGIN ${kind}PRIVATE KEY-----\n${mark(kind.trim() || 'plain')}\n-----END ${kind}PRIVATE KEY-----\n`;
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

  const PLANTED: Tree = {
    '.env': mark('env'),
    'deep/.ENV.local': mark('env-local'),
    '.env.example': `AWS=AKIAIOSFODNN7EXAMPLE ${mark('env-example')}`,
    'server.pem': mark('pem'),
    'tls/server.KEY': mark('key'),
    'putty.ppk': mark('ppk'),
    'store.p12': mark('p12'),
    'store.jks': mark('jks'),
    'passwords.kdbx': mark('kdbx'),
    id_rsa: mark('id-rsa'),
    '.ssh/id_ed25519': mark('id-ed25519'),
    'credentials.json': mark('credentials'),
    '.aws/credentials': mark('aws'),
    '.npmrc': mark('npmrc'),
    '.pypirc': mark('pypirc'),
    '.netrc': mark('netrc'),
    '.git-credentials': mark('git-credentials'),
    '.pgpass': mark('pgpass'),
    '.htpasswd': mark('htpasswd'),
    token: mark('token'),
    'ci/github_token.txt': mark('github-token'),
    'a/.vault-token': mark('vault-token'),
    'notes/rsa.txt': key('RSA '),
    'notes/plain.txt': `text before\n${key('')}`,
    'notes/openssh.md': key('OPENSSH '),
    'notes/pgp.asc': `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${mark('pgp')}\n`,
    'notes/utf16.txt': utf16(key('EC ')),
    'notes/putty.txt': `PuTTY-User-Key-File-2: ssh-rsa\n${mark('putty')}`,
    'config/local.yml': mark('ignored'),
    'config/sub/more.yml': mark('ignored-deeper'),
    'excluded.txt': mark('excluded'),
    'node_modules/pkg/secret.js': mark('dependency'),
    'dist/bundle.js': mark('build'),
    '.idea/dataSources.xml': mark('editor'),
    '.gitignore': `config/local.yml # ${mark('comment')}\nconfig/local.yml\n`,
    'config/.gitignore': '/sub/\n',
  };

  test('each kind of secret that is planted in a folder is neither in the bytes sent nor in what they hold', async () => {
    const relay = await startRecordingRelay(service.url);
    const { engine, person } = await connected(relay.url);
    const root = folderOf({ 'src/main.ts': 'export const kept = true;\n', 'docs/token.ts': 'code', ...PLANTED });
    const git = initRepository(root, join(dir, 'home'));
    git.run('config', 'remote.origin.url', `https://user:${mark('git-config')}@example.com/x`);
    writeFileSync(join(root, '.git/info/exclude'), 'excluded.txt\n');
    mkdirSync(join(dir, 'outside'), { recursive: true });
    writeFileSync(join(dir, 'outside/file.txt'), mark('outside'));
    symlinkSync(join(dir, 'outside/file.txt'), join(root, 'src/link.txt'));
    symlinkSync(join(dir, 'outside'), join(root, 'src/linked'));

    const item = await published(engine, await add(engine, root));
    const kept = await stored(person, item.content.id);
    expect([...kept.keys()]).toEqual(['config/.gitignore', 'docs/token.ts', 'src/main.ts']);

    const sent = relay.sent();
    const start = sent.indexOf('PK\x03\x04');
    const archive = sent.subarray(start, sent.indexOf(Buffer.from('PK\x05\x06'), start) + 22);
    expect([...filesOf(archive).keys()]).toEqual([
      'folder/config/.gitignore',
      'folder/docs/token.ts',
      'folder/src/main.ts',
    ]);
    const held = [...filesOf(archive).values()].join('\n');
    for (const bytes of [sent.toString('latin1'), held]) expect(bytes.match(/PLANTED|P\0L\0A\0N\0T\0E\0D/)).toBeNull();
  });
});
