/** The page selects the same files of a folder as the app, and the streamed bundle contains nothing else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { SourceToken } from '../../../src/api/ids.ts';
import { LIMITS } from '../../../src/api/limits.ts';
import { previewFolder } from '../../../src/engine/folder/preview-folder-upload.ts';
import type { PageFolder } from '../../../src/renderer/folders/dropped-or-chosen-folder.ts';
import { readFolderInPage } from '../../../src/renderer/folders/read-folder-in-page.ts';
import { createPendingFolders } from '../../../src/renderer/stores/file-input/pending-folders.ts';
import { createToasts } from '../../../src/renderer/stores/messages/toasts.ts';
import { createRouterStore } from '../../../src/renderer/stores/router-store.ts';
import { eventually } from '../../support/eventually.ts';
import { diskPageFolder } from '../../support/folder/disk-page-folder.ts';
import { initRepository, type Tree, writeTree } from '../../support/folder/git-repository.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createPageTransportDouble } from '../../support/window/page-transport.ts';

const root = temporaryFolder('page-folder');
const { signal } = new AbortController();
const read = (folder: PageFolder) => readFolderInPage(folder, () => {}, signal);

const bothWays = async (folder: string) => {
  const deps = { gitHome: null, times: null };
  const byApp = await previewFolder({ owner: 'user', path: folder }, deps, () => {}, signal);
  const byPage = await read(diskPageFolder(folder));
  if (!byApp.ok || !byPage.ok) throw new Error('A folder could not be read.');
  return { byApp: byApp.value, byPage: byPage.value.preview, bundle: byPage.value.bundle };
};

const TREE: Tree = {
  'main.ts': 'export const answer = 42;',
  'README.md': '# Привет',
  '.gitignore': '*.log\n/made/\n',
  'a.log': 'log',
  'made/x.ts': 'made',
  'src/.gitignore': '*.tmp\n!kept.tmp\n',
  'src/a.tmp': '1',
  'src/kept.tmp': '1',
  'src/deep/er/still/x.ts': '1',
  '.env': 'PASSWORD=hunter2',
  '.env.example': 'PASSWORD=',
  'keys/server.txt': '-----BEGIN PRIVATE KEY-----\n',
  'node_modules/left/index.js': '1',
  'dist/x.js': '1',
  'go.mod': 'module x',
  'vendor/x/y.go': '1',
  'app/App.csproj': '<Project/>',
  'app/bin/x.txt': '1',
  'env/pyvenv.cfg': 'home = /usr',
  'env/lib/x.py': '1',
  'py/.env/pyvenv.cfg': 'home = /usr',
  '.envs/.production/.postgres': 'A=1',
  '.envs/.gitignore': '#'.repeat(5 * 1024 * 1024),
  'picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]),
  'large.txt': 'x'.repeat(LIMITS.folderFileBytes + 1),
  'con.txt': '1',
  'Case.ts': '1',
  'case.ts': '2',
};

afterEach(() => vi.unstubAllGlobals());

describe('a folder of the page', () => {
  it('is filtered by the same rules as in the app, with the same reasons and lines', async () => {
    const folder = join(root, 'plain');
    writeTree(folder, TREE);
    const { byApp, byPage } = await bothWays(folder);
    expect(byPage).toEqual(byApp);
    expect(byPage.goes.map(({ path }) => path)).toContain('src/kept.tmp');
    expect(new Set(byPage.skipped.map(({ reason }) => reason))).toEqual(
      new Set(['gitignore', 'secret', 'dependencies', 'build', 'binary', 'large', 'name', 'duplicate']),
    );
  });

  it('that is a repository leaves out its exclude file and the repositories inside', async () => {
    const folder = join(root, 'repository');
    writeTree(folder, { ...TREE, 'x.local': '1', 'inside/y.ts': '1' });
    initRepository(folder, join(root, 'home'));
    initRepository(join(folder, 'inside'), join(root, 'home'));
    writeTree(folder, { '.git/info/exclude': '# mine\n*.local\n' });
    const { byApp, byPage } = await bothWays(folder);
    expect(byPage).toEqual(byApp);
    expect(byPage.skipped).toContainEqual(
      expect.objectContaining({
        path: 'x.local',
        rule: { file: '.git/info/exclude', line: 2, pattern: '*.local' },
      }),
    );
    expect(byPage.skipped).toContainEqual(expect.objectContaining({ path: 'inside/', reason: 'repository' }));
  });

  it('is filtered by the letters that its repository compares, and by both where that is not known', async () => {
    const folder = join(root, 'letters');
    const git = initRepository(folder, join(root, 'home'));
    const rules = '/Private/\n*.LOG\n*.txt\n!KEPT.txt\n';
    const names = ['private/x.ts', 'a.log', 'kept.txt', 'main.ts'];
    writeTree(folder, { 'sub/.gitignore': rules, ...Object.fromEntries(names.map((name) => [`sub/${name}`, '1'])) });
    const included = async (): Promise<readonly string[]> => {
      const { byApp, byPage } = await bothWays(folder);
      expect(byPage).toEqual(byApp);
      return byPage.goes.map(({ path }) => path);
    };
    git.run('config', 'core.ignorecase', 'false');
    expect(await included()).toEqual(['sub/.gitignore', 'sub/a.log', 'sub/main.ts', 'sub/private/x.ts']);
    git.run('config', 'core.ignorecase', 'true');
    expect(await included()).toEqual(['sub/.gitignore', 'sub/kept.txt', 'sub/main.ts']);
    // Settings in another file are out of reach.
    git.run('config', 'include.path', '../elsewhere');
    const both = await read(diskPageFolder(folder));
    expect(both.ok && both.value.preview.goes.map(({ path }) => path)).toEqual(['sub/.gitignore', 'sub/main.ts']);
  });

  it('that is no repository is filtered as its system compares names', async () => {
    const folder = join(root, 'system');
    writeTree(folder, { '.gitignore': '/Private/\n', 'private/x.ts': '1', 'main.ts': '1' });
    const included = async (platform: string): Promise<number | false> => {
      vi.stubGlobal('navigator', { platform });
      const shown = await read(diskPageFolder(folder));
      return shown.ok && shown.value.preview.goes.length;
    };
    expect(await included('Linux x86_64')).toBe(2);
    expect(await included('MacIntel')).toBe(1);
    expect(await included('Win32')).toBe(1);
  });

  it('is reported where rules of git outside of it may be missed', async () => {
    const folder = join(root, 'outside');
    const home = join(root, 'home');
    const misses = async (path = folder): Promise<boolean | null> => {
      const shown = await read(diskPageFolder(path));
      return shown.ok ? shown.value.mayMissRules : null;
    };
    const git = initRepository(folder, home);
    writeTree(folder, { 'package/main.ts': '1', 'main.ts': '1' });
    expect(await misses()).toBe(false);
    expect(await misses(join(folder, 'package'))).toBe(true);
    git.run('config', 'core.excludesFile', 'own-rules');
    expect(await misses()).toBe(true);
    git.run('config', '--unset', 'core.excludesFile');
    git.run('config', 'include.path', '../elsewhere');
    expect(await misses()).toBe(true);
    // The settings and the exclude file of a linked work tree are elsewhere.
    const linked = join(root, 'linked');
    writeTree(linked, { '.git': `gitdir: ${folder}/.git/worktrees/linked\n`, 'main.ts': '1' });
    expect(await misses(linked)).toBe(true);
  });

  it('keeps the rules above a folder that only looks like a repository', async () => {
    const folder = join(root, 'pretended');
    writeTree(folder, { 'own/.gitignore': '*.local\n', 'own/sub/.git/x': '', 'own/sub/x.local': '1', 'own/y.ts': '1' });
    const { byApp, byPage } = await bothWays(folder);
    expect(byPage.goes).toEqual(byApp.goes);
    expect(byPage.goes.map(({ path }) => path)).toEqual(['own/.gitignore', 'own/y.ts']);
  });

  it('is streamed with its included files only, which the app filters again and accepts completely', async () => {
    const folder = join(root, 'streamed');
    writeTree(folder, TREE);
    const { byPage, bundle } = await bothWays(folder);
    const path = join(root, 'streamed.folder');
    const bytes = Buffer.from((await bundle?.arrayBuffer()) ?? new ArrayBuffer(0));
    writeFileSync(path, bytes);
    for (const secret of ['hunter2', 'BEGIN PRIVATE KEY']) expect(bytes.includes(secret)).toBe(false);
    const again = await previewFolder({ owner: 'spool', path }, { gitHome: null, times: null }, () => {}, signal);
    const { name: _, ...same } = byPage;
    expect(again).toMatchObject({ ok: true, value: same });
  });

  it('over a limit is refused in the page, and nothing is streamed', async () => {
    const folder = join(root, 'many');
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file <= LIMITS.folderFiles; file += 1) writeFileSync(join(folder, `${file}.ts`), '1');
    const { byApp, byPage, bundle } = await bothWays(folder);
    expect(byPage).toEqual(byApp);
    expect(byPage.refusal?.code).toBe('FOLDER_TOO_MANY_FILES');
    expect(bundle).toBeNull();
  });

  it('never reads what is excluded as a whole', async () => {
    const looked: string[] = [];
    const folder = join(root, 'plain');
    const disk = diskPageFolder(folder);
    const list: PageFolder['list'] = (path) => {
      looked.push(path);
      return disk.list(path);
    };
    await read({ ...disk, list });
    expect(looked.filter((path) => /^(node_modules|dist|made|vendor|app\/bin)\//.test(path))).toEqual([]);
  });

  it('reports unreadable files, and continues', async () => {
    const folder: PageFolder = {
      name: 'torn',
      list: async (path) =>
        path === ''
          ? [
              { name: 'a.ts', kind: 'file' },
              { name: 'gone.ts', kind: 'file' },
              { name: 'broken.ts', kind: 'file' },
              { name: 'bad\ud800.ts', kind: 'file' },
              { name: 'closed', kind: 'folder' },
            ]
          : null,
      open: async (path) => {
        if (path === 'gone.ts') return null;
        const file = new File(['1'], path);
        if (path === 'broken.ts') file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
        return file;
      },
    };
    const torn = await read(folder);
    expect(torn).toMatchObject({ ok: true, value: { preview: { goes: [{ path: 'a.ts' }] } } });
    const skipped = torn.ok ? torn.value.preview.skipped : [];
    expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toEqual({
      'bad\ufffd.ts': 'encoding',
      'broken.ts': 'unreadable',
      'closed/': 'unreadable',
      'gone.ts': 'unreadable',
    });
    expect(await read({ ...folder, list: async () => null })).toMatchObject({ error: { code: 'SOURCE_UNREADABLE' } });
  });

  it('is not read where an ignore file in it cannot be', async () => {
    const tree: Readonly<Record<string, readonly string[]>> = {
      '': ['.git/', '.gitignore', 'a.log', 'sub/'],
      '.git/': ['HEAD', 'config', 'info/'],
      '.git/info/': ['exclude'],
      'sub/': ['.gitignore', 'b.log'],
    };
    const withBroken = (broken: string | null, file: (name: string) => File | null): PageFolder => ({
      name: 'rules',
      list: async (path) =>
        (tree[path] ?? []).map((name) => ({
          name: name.replace('/', ''),
          kind: name.endsWith('/') ? 'folder' : 'file',
        })),
      open: async (path) => (path === broken ? file(path) : new File(['*.log'], path)),
    });
    const unreadable = (name: string): File => {
      const file = new File(['*.log'], name);
      file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
      return file;
    };
    expect(await read(withBroken(null, unreadable))).toMatchObject({ ok: true });
    for (const broken of ['.gitignore', 'sub/.gitignore', '.git/info/exclude', '.git/config'])
      for (const file of [unreadable, () => null, (name: string) => new File(['#'.repeat(4 * 1024 ** 2 + 1)], name)])
        expect(await read(withBroken(broken, file))).toMatchObject({ error: { code: 'SOURCE_UNREADABLE' } });
    const whole = withBroken(null, unreadable);
    for (const closed of ['.git/', '.git/info/']) {
      const list: PageFolder['list'] = async (path) => (path === closed ? null : whole.list(path));
      expect(await read({ ...whole, list })).toMatchObject({ error: { code: 'SOURCE_UNREADABLE' } });
    }
  });

  it('can be cancelled while it is read', async () => {
    const stop = new AbortController();
    const given = readFolderInPage(diskPageFolder(join(root, 'plain')), () => stop.abort(), stop.signal);
    expect(await given).toMatchObject({ error: { code: 'CANCELLED' } });
  });
});

it('a folder whose reading breaks off is lost with a reason, and can be scanned again', async () => {
  const path = join(root, 'breaks-off');
  writeTree(path, { 'main.ts': 'export const answer = 42;' });
  const onDisk = diskPageFolder(path);
  const list = vi.fn(onDisk.list).mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const folders = createPendingFolders({
    transport: createPageTransportDouble(),
    toasts: createToasts({ onFailure: () => {} }),
    view: createRouterStore(),
    now: () => 0,
  });
  const shown = () => folders.store.getState().folders;
  folders.addOfPage([{ ...onDisk, list }]);
  await eventually(() => expect(shown()).toMatchObject([{ state: 'lost', failure: { code: 'APP_FAILED' } }]));
  folders.rescan(shown()[0]?.token as SourceToken);
  await eventually(() =>
    expect(shown()).toMatchObject([{ state: 'ready', failure: null, preview: { name: 'breaks-off' } }]),
  );
});

it('a folder is shared with the title and link that are chosen while it is handed over', async () => {
  const path = join(root, 'handed-over');
  writeTree(path, { 'main.ts': 'export const answer = 42;' });
  const transport = createPageTransportDouble();
  const toasts = createToasts({ onFailure: () => {} });
  const folders = createPendingFolders({ transport, toasts, view: createRouterStore(), now: () => 0 });
  const shown = () => folders.store.getState().folders;
  folders.addOfPage([diskPageFolder(path)]);
  await eventually(() => expect(shown()).toMatchObject([{ state: 'ready' }]));
  const token = shown()[0]?.token as SourceToken;
  const sharing = folders.share(token);
  await eventually(() => expect(transport.offers).toHaveLength(1));
  folders.setLink(token, { title: 'For Mira', link: { visibility: 'private' } });
  const adding = Promise.withResolvers<{ ids: [] }>();
  transport.answer('queue.add', () => adding.promise);
  transport.offers[0]?.settle(ok('bundle-of-the-page' as SourceToken));
  await eventually(() =>
    expect(transport.calls.at(-1)).toEqual({
      command: 'queue.add',
      input: { tokens: ['bundle-of-the-page'], share: { title: 'For Mira', visibility: 'private' } },
    }),
  );
  // Its link can be changed no more.
  expect(shown()).toMatchObject([{ state: 'queuing' }]);
  adding.resolve({ ids: [] });
  await sharing;
  expect(shown()).toEqual([]);
});
