import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  type Dirent,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs, { lstat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../../src/api/limits.ts';
import { gitHomeOf } from '../../../src/engine/folder/git-home.ts';
import { createReach } from '../../../src/engine/folder/reach.ts';
import { type Reader, readFolder } from '../../../src/engine/folder/read-folder.ts';
import { initRepository, writeTree } from '../../support/folder/git-repository.ts';
import { type FolderPlace, filesOf, packFolder, prepareFolder, preview } from '../../support/folder/packed-folder.ts';
import { hasProgram } from '../../support/has-program.ts';
import { itWith } from '../../support/only-on.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder('folder-hazards');
let made = 0;
const place = (): FolderPlace => {
  made += 1;
  const at = { root: join(dir, `${made}/project`), home: join(dir, `${made}/home`), spool: join(dir, `${made}/spool`) };
  mkdirSync(at.root, { recursive: true });
  mkdirSync(at.spool, { recursive: true });
  return at;
};

const withPipes = itWith('sockets and pipes among files');
const withOpenReplaced = itWith('way to replace a file that is open');
const withDevices = itWith('devices among files');
const withGit = hasProgram('git') ? test : itWith('git on this machine');

/** Replaces functions of `fs/promises` until the test ends. */
const replaceCalls = (calls: Readonly<Partial<Record<'lstat' | 'readdir' | 'readFile' | 'stat', unknown>>>): void => {
  const own = Object.fromEntries(Object.keys(calls).map((name) => [name, fs[name as keyof typeof fs]]));
  const use = (ones: object): void => {
    Object.assign(fs, ones);
    syncBuiltinESMExports();
  };
  onTestFinished(() => use(own));
  use(calls);
};

const failingFor = (call: 'lstat' | 'readFile' | 'stat', path: string, code: string): void => {
  const own = fs[call] as (at: unknown, ...rest: unknown[]) => Promise<unknown>;
  const error = Object.assign(new Error(code), { code, syscall: 'read', path });
  replaceCalls({
    [call]: (at: unknown, ...rest: unknown[]) => (at === path ? Promise.reject(error) : own(at, ...rest)),
  });
};

describe('entries that are not plain files are excluded, with the reason', () => {
  withPipes('links in and out of the folder, pipes, sockets, names that are not UTF-8', async () => {
    const at = place();
    writeTree(join(dir, 'elsewhere'), { 'private.txt': 'not to be shared', 'sub/more.txt': 'neither' });
    writeTree(at.root, { 'a.ts': '1', 'deep/b.ts': '1' });
    symlinkSync(join(dir, 'elsewhere/private.txt'), join(at.root, 'out.txt'));
    symlinkSync(join(dir, 'elsewhere'), join(at.root, 'outside'));
    symlinkSync('../a.ts', join(at.root, 'deep/in.ts'));
    symlinkSync('..', join(at.root, 'deep/loop'));
    symlinkSync('nowhere', join(at.root, 'broken'));
    execFileSync('mkfifo', [join(at.root, 'pipe')]);
    const server = createServer().listen(join(at.root, 'socket'));
    writeFileSync(Buffer.from(`${at.root}/\xff.ts`, 'latin1'), '1');
    mkdirSync(Buffer.from(`${at.root}/\xfe`, 'latin1'));
    writeFileSync(Buffer.from(`${at.root}/\xfe/x.ts`, 'latin1'), '1');

    const shown = await preview(at);
    server.close();
    const one = (path: string, reason: string) => ({ path, reason, files: 1, size: 0 });
    expect(shown.skipped).toEqual(
      [
        one('broken', 'link'),
        one('deep/in.ts', 'link'),
        one('deep/loop', 'link'),
        one('out.txt', 'link'),
        one('outside', 'link'),
        one('pipe', 'special'),
        one('socket', 'special'),
        one('\ufffd.ts', 'encoding'),
        { path: '\ufffd/', reason: 'encoding', files: null, size: null },
      ].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))),
    );
    expect(shown.goes.map(({ path }) => path)).toEqual(['a.ts', 'deep/b.ts']);
    const packed = await packFolder(at);
    expect(packed.entries).toEqual(['folder/a.ts', 'folder/deep/b.ts']);
  });

  withPipes('names of any script on a file system that does not tell the types of its entries', async () => {
    const at = place();
    writeTree(at.root, { 'a.ts': '1', 'é/日本.md': '1' });
    symlinkSync('a.ts', join(at.root, 'ссылка'));
    // There Node asks for each type itself, by the name as it has decoded it.
    const { readdir } = fs;
    replaceCalls({
      async readdir(path: string, options: { encoding: BufferEncoding; withFileTypes?: boolean }) {
        const { withFileTypes, ...rest } = options;
        const names = await readdir(path, rest);
        if (!withFileTypes) return names;
        return await Promise.all(names.map(async (name) => Object.assign(await lstat(join(path, name)), { name })));
      },
    });
    const shown = await preview(at);
    expect(shown.goes.map(({ path }) => path)).toEqual(['a.ts', 'é/日本.md']);
    expect(shown.skipped).toEqual([{ path: 'ссылка', reason: 'link', files: 1, size: 0 }]);
  });

  withPipes('files and folders of OneDrive are shared, which Windows lists as links, and links are not', async () => {
    const at = place();
    writeTree(at.root, { 'a.ts': '1', 'é/日本.md': '1', 'é/a.log': '1', 'é/.gitignore': '*.log\n' });
    symlinkSync('a.ts', join(at.root, 'ссылка'));
    symlinkSync('é', join(at.root, 'folder'));
    const { readdir } = fs;
    replaceCalls({
      async readdir(path: string, options: object) {
        const entries = (await readdir(path, options)) as unknown as readonly (Dirent | Buffer)[];
        for (const entry of entries)
          if ('isFile' in entry)
            Object.assign(entry, { isFile: () => false, isDirectory: () => false, isSymbolicLink: () => true });
        return entries;
      },
    });
    const shown = await preview(at);
    expect(shown.goes.map(({ path }) => path)).toEqual(['a.ts', 'é/.gitignore', 'é/日本.md']);
    expect(shown.skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['folder', 'link'],
      ['é/a.log', 'gitignore'],
      ['ссылка', 'link'],
    ]);
  });

  itWith('links without a right of their own')(
    'a folder that is reached through a link is shared like any other',
    async () => {
      const at = place();
      writeTree(at.root, { 'a.ts': '1' });
      const link = join(dir, `link-${made}`);
      symlinkSync(at.root, link);
      expect((await packFolder({ ...at, root: link })).entries).toEqual(['folder/a.ts']);
    },
  );

  test('a path that is missing, or not a folder', async () => {
    const at = place();
    writeTree(at.root, { 'a.ts': '1' });
    expect(await prepareFolder({ ...at, root: join(at.root, 'b') })).toMatchObject({
      error: { code: 'SOURCE_MISSING' },
    });
    expect(await prepareFolder({ ...at, root: join(at.root, 'a.ts') })).toMatchObject({
      error: { code: 'SOURCE_NOT_A_FOLDER' },
    });
  });
});

const reading = (at: FolderPlace, reader: Partial<Reader>) =>
  readFolder(
    { owner: 'user', path: at.root },
    { gitHome: () => gitHomeOf({ HOME: at.home }), times: null },
    { onFound: () => {}, onProgress: () => {}, onKept: () => {}, ...reader },
    { listed: 200 },
    soon(),
  );

describe('rules of git that exist and cannot be read', () => {
  /** A folder in a repository, whose paths are relative to the folder. */
  const inRepository = (): FolderPlace => {
    const at = place();
    writeTree(at.root, {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/commondir': '.\n',
      '.git/config': '',
      '.git/index': '',
      '.git/info/exclude': '*.log\n',
      '.gitignore': '*.log\n',
      'folder/.gitignore': '*.log\n',
      'folder/a.ts': '1',
      'folder/sub/.gitignore': '*.log\n',
      'folder/sub/b.log': '1',
      'folder/sub/c.ts': '1',
    });
    writeTree(at.home, { '.config/git/ignore': '*.log\n', '.gitconfig': '[user]\n\tname = A\n' });
    return { ...at, root: join(at.root, 'folder') };
  };
  const expectFailed = async (at: FolderPlace, system: string, name: string) => {
    expect(await prepareFolder(at)).toMatchObject({ error: { code: 'SOURCE_UNREADABLE', params: { system, name } } });
    expect(readdirSync(at.spool)).toEqual([]);
  };

  test.each([
    ['a .gitignore inside', 'sub/.gitignore', 'lstat', 'EIO'],
    ['a .gitignore inside', 'sub/.gitignore', 'readFile', 'EMFILE'],
    ['a .gitignore above', '../.gitignore', 'readFile', 'EIO'],
    ['the patterns of the repository', '../.git/info/exclude', 'stat', 'EIO'],
    ['the ignore file of the user', '../../home/.config/git/ignore', 'readFile', 'EACCES'],
    ['the settings of the user', '../../home/.gitconfig', 'readFile', 'EIO'],
    ['the settings of the repository', '../.git/config', 'readFile', 'EIO'],
    ['the index', '../.git/index', 'readFile', 'EIO'],
    ['the folder of git', '../.git', 'stat', 'EIO'],
    ['what makes it one', '../.git/HEAD', 'lstat', 'EACCES'],
    ['where the repository shares its patterns', '../.git/commondir', 'readFile', 'EIO'],
  ] as const)('fail the folder: %s (%s, %s, %s)', async (_what, path, call, code) => {
    const at = inRepository();
    expect((await preview(at)).goes.map((file) => file.path)).toEqual(['a.ts', 'sub/.gitignore', 'sub/c.ts']);
    failingFor(call, join(at.root, path), code);
    await expectFailed(at, code, join(at.root, path));
  });

  withPipes('fail the folder where a link to them leads nowhere but to itself', async () => {
    const at = inRepository();
    const exclude = join(at.root, '../.git/info/exclude');
    rmSync(exclude);
    symlinkSync('exclude', exclude);
    await expectFailed(at, 'ELOOP', exclude);
  });

  test.runIf(process.platform === 'linux')('fail the folder by their name where they open and fail', async () => {
    const at = inRepository();
    const exclude = join(at.root, '../.git/info/exclude');
    rmSync(exclude);
    symlinkSync('/proc/self/mem', exclude);
    await expectFailed(at, 'EIO', exclude);
  });

  test('fail the folder where they are too large', async () => {
    const at = inRepository();
    const rules = join(at.root, 'sub/.gitignore');
    writeFileSync(rules, `${'#'.repeat(4 * 1024 ** 2)}\n*.log\n`);
    await expectFailed(at, 'EFBIG', rules);
  });

  test('exclude a folder that may be another repository', async () => {
    const at = inRepository();
    failingFor('stat', join(at.root, 'sub/.git'), 'EACCES');
    const { goes, skipped } = await preview(at);
    expect(goes.map((file) => file.path)).toEqual(['a.ts']);
    expect(skipped).toContainEqual({ path: 'sub/', reason: 'unreadable', files: null, size: null });
  });
});

describe('on Windows, where a path can lead to another computer', () => {
  const REMOTE = '//localhost/share/x';
  const onWindows = ({ root, home }: FolderPlace) =>
    readFolder(
      { owner: 'user', path: root },
      { gitHome: () => gitHomeOf({ HOME: home }, { platform: 'win32', exists: () => false }), times: null },
      { onFound: () => {}, onProgress: () => {}, onKept: () => {} },
      { listed: 200 },
      soon(),
    );
  const repository = (): FolderPlace => {
    const at = place();
    writeTree(at.root, { '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': '', 'a.ts': '1', 'sub/b.ts': '1' });
    return at;
  };

  test.each([
    ['an ignore file', '.git/config', `[core]\nexcludesFile = ${REMOTE}\n`],
    ['settings', '.git/config', `[include]\npath = ${REMOTE}\n`],
    ['settings of a work tree', '.git/config.worktree', `[include]\npath = ${REMOTE}\n`],
    ['the place of a condition', '.git/config', `[includeIf "gitdir:${REMOTE}/"]\npath = more\n`],
    ['shared settings', '.git/commondir', `${REMOTE}\n`],
    ['the repository', '.git', `gitdir: ${REMOTE}\n`],
    ['a repository inside', 'sub/.git', `gitdir: ${REMOTE}\n`],
  ])('a folder that names %s there is not shared, and the path not opened', async (_what, path, text) => {
    const at = repository();
    if (path.endsWith('.git')) rmSync(join(at.root, '.git'), { recursive: true });
    else writeTree(at.root, { '.git/config': '[extensions]\nworktreeConfig = true\n' });
    writeTree(at.root, { [path]: text });
    expect(await onWindows(at)).toMatchObject({
      error: { code: 'SOURCE_UNREADABLE', params: { system: 'EREMOTE', name: expect.stringContaining(REMOTE) } },
    });
  });

  withPipes.each([
    ['.git/info/exclude', REMOTE],
    ['.git/info', REMOTE],
    ['.git/config', '../link'],
    ['.git/index', '../sub/../link'],
    ['.git', REMOTE],
    ['sub/.git', '../link/inside'],
  ])('nor one in which %s is a link to there', async (path, target) => {
    const at = repository();
    if (path.endsWith('.git')) rmSync(join(at.root, '.git'), { recursive: true });
    rmSync(join(at.root, path), { force: true });
    symlinkSync(REMOTE, join(at.root, 'link'));
    mkdirSync(dirname(join(at.root, path)), { recursive: true });
    symlinkSync(target, join(at.root, path));
    expect(await onWindows(at)).toMatchObject({
      error: { code: 'SOURCE_UNREADABLE', params: { system: 'EREMOTE', name: expect.stringContaining(REMOTE) } },
    });
  });

  test('an ignore file there that the user has named is read', async () => {
    const at = repository();
    writeTree(at.home, { '.gitconfig': `[core]\nexcludesFile = ${REMOTE}\n` });
    expect(await onWindows(at)).not.toMatchObject({ error: { params: { system: 'EREMOTE' } } });
  });

  withPipes('links and ignore files on this computer count', async () => {
    const at = repository();
    writeTree(at.root, { '.git/other/exclude': 'b.*\n', 'sub/rules': '*.ts\n' });
    symlinkSync('other', join(at.root, '.git/info'));
    symlinkSync('rules', join(at.root, 'sub/.gitignore'));
    expect(await onWindows(at)).toMatchObject({ ok: true, value: { account: { files: 2 } } });
  });

  withPipes('links without end fail the folder', async () => {
    const at = repository();
    symlinkSync('info/info', join(at.root, '.git/info'));
    expect(await onWindows(at)).toMatchObject({ error: { params: { system: 'ELOOP' } } });
  });

  test.each([
    ['\\\\host\\share\\x', 'EREMOTE'],
    ['\\/host/share/x', 'EREMOTE'],
    ['\\\\?\\UNC\\localhost\\code\\x', 'EREMOTE'],
    ['\\??\\UNC\\host\\share', 'EREMOTE'],
    ['//./pipe/x', 'EREMOTE'],
    ['\\\\localhost\\other\\x', 'EREMOTE'],
    ['\\\\localhost@80\\code\\x', 'EREMOTE'],
    ['\\\\LOCALHOST\\Code\\x', null],
    ['//localhost/code/x', null],
    ['C:\\code\\x', null],
  ])('only the share of the folder is reached: %s', async (path, code) => {
    const reached = createReach(['\\\\localhost\\code\\project', 'C:\\Users\\me'], 'win32')(path);
    expect((await reached.catch((error) => error.code)) ?? null).toBe(code);
  });
});

describe('a folder that changes while it is read', () => {
  withPipes('files that vanish, grow, or turn into links and pipes stay out', async () => {
    const at = place();
    const names = Array.from({ length: 100 }, (_, index) => `${String(index).padStart(3, '0')}.ts`);
    writeTree(at.root, Object.fromEntries(names.map((name) => [name, 'x'])));
    writeTree(dir, { 'private.txt': 'not to be shared' });
    const kept: string[] = [];
    const onKept = (path: string, bytes: Buffer): void => {
      kept.push(bytes.toString());
      if (path !== '000.ts') return;
      rmSync(join(at.root, '095.ts'));
      appendFileSync(join(at.root, '096.ts'), 'y'.repeat(LIMITS.folderFileBytes));
      rmSync(join(at.root, '097.ts'));
      symlinkSync(join(dir, 'private.txt'), join(at.root, '097.ts'));
      rmSync(join(at.root, '098.ts'));
      execFileSync('mkfifo', [join(at.root, '098.ts')]);
      writeFileSync(join(at.root, '099.ts'), '-----BEGIN PRIVATE KEY-----');
    };
    const read = await reading(at, { onKept });
    if (!read.ok) throw new Error(read.error.detail);
    expect(kept).toEqual(Array(95).fill('x'));
    expect(read.value.account.skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['095.ts', 'unreadable'],
      ['096.ts', 'large'],
      ['097.ts', 'link'],
      ['098.ts', 'special'],
      ['099.ts', 'secret'],
    ]);
  });

  test('its own .gitignore cannot be read any more: nothing of it is shared', async () => {
    const at = place();
    writeTree(at.root, { 'a.ts': '1', '.gitignore': '*.log\n' });
    const onFound = (files: number): void => {
      if (files > 0) rmSync(join(at.root, '.gitignore'), { force: true });
    };
    const read = await reading(at, { onFound });
    expect(read).toMatchObject({ error: { code: 'SOURCE_UNREADABLE', params: { name: '.gitignore' } } });
  });

  withOpenReplaced('the archive is whole however its files are rewritten meanwhile', async () => {
    const at = place();
    const contents = ['a', 'b'].map((letter) => letter.repeat(200_000));
    const names = Array.from({ length: 40 }, (_, index) => `f${index}.txt`);
    writeTree(at.root, Object.fromEntries(names.map((name) => [name, contents[0] as string])));
    let isOver = false;
    const rewrite = async () => {
      for (let round = 0; !isOver; round += 1) {
        for (const name of names) {
          const text = (contents[round % 2] as string).slice(0, 150_000 + ((round * 7_919) % 50_000));
          if (round % 3 === 0) writeFileSync(join(at.root, name), text);
          else {
            writeFileSync(join(dir, 'new'), text);
            renameSync(join(dir, 'new'), join(at.root, name));
          }
          await new Promise(setImmediate);
        }
      }
    };
    const rewriting = rewrite();
    for (let round = 0; round < 4; round += 1) {
      // Reading it back checks every size and sum of the archive.
      const packed = await packFolder(at);
      expect(packed.result).toMatchObject({ files: packed.selection.files, textBytes: packed.selection.textBytes });
    }
    isOver = true;
    await rewriting;
  });
});

describe('the limits are checked before anything is packed', () => {
  test('too many files', async () => {
    const at = place();
    const many = Array.from({ length: LIMITS.folderFiles + 50 }, (_, index) => [`src/${index}.ts`, 'x'] as const);
    writeTree(at.root, { ...Object.fromEntries(many), 'z.png': Buffer.alloc(9) });
    const prepared = await prepareFolder(at);
    expect(prepared).toMatchObject({ error: { code: 'FOLDER_TOO_MANY_FILES', params: { limitFiles: 2_000 } } });
    expect(readdirSync(at.spool)).toEqual([]);
    const shown = await preview(at);
    expect(shown).toMatchObject({ files: 2_000, unread: 50, refusal: { code: 'FOLDER_TOO_MANY_FILES' } });

    for (const [path] of many.slice(LIMITS.folderFiles)) rmSync(join(at.root, path));
    const packed = await packFolder(at);
    expect(packed.result).toMatchObject({ files: 2_000, textBytes: 2_000, skipped: [] });
  });

  test('too much text, to the byte', async () => {
    const at = place();
    const whole = 'x'.repeat(LIMITS.folderFileBytes);
    const count = LIMITS.folderTextBytes / LIMITS.folderFileBytes;
    writeTree(at.root, Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, whole])));
    expect((await packFolder(at)).result).toMatchObject({ textBytes: LIMITS.folderTextBytes });
    writeTree(at.root, { 'zz.txt': 'y' });
    rmSync(at.spool, { recursive: true });
    expect(await prepareFolder(at)).toMatchObject({ error: { code: 'FOLDER_TOO_LARGE' } });
    expect(readdirSync(at.spool)).toEqual([]);
    expect(await preview(at)).toMatchObject({ refusal: { code: 'FOLDER_TOO_LARGE' }, files: 40 });
  });

  test('nothing that may be shared', async () => {
    const at = place();
    writeTree(at.root, { '.env': 'A=1', 'node_modules/a.js': '1' });
    expect(await prepareFolder(at)).toMatchObject({ error: { code: 'FOLDER_EMPTY' } });
    expect(await preview(at)).toMatchObject({ refusal: { code: 'FOLDER_EMPTY' }, files: 0, goes: [], skippedFiles: 1 });
  });
});

describe('packing', () => {
  test('equal folders give equal bytes, wherever they are stored and whenever they were written', async () => {
    const [one, two] = [place(), place()];
    const tree = { 'b/x.ts': 'x'.repeat(5_000), 'a.ts': '1', 'é.md': 'text', 'b.ts': '' };
    writeTree(one.root, tree);
    for (const path of Object.keys(tree).toReversed()) writeTree(two.root, { [path]: tree[path as keyof typeof tree] });
    linkSync(join(two.root, 'a.ts'), join(dir, 'another-name'));
    expect((await packFolder(two)).bytes).toEqual((await packFolder(one)).bytes);
  });

  itWith('programs of Linux')('any ZIP program reads it', async () => {
    const at = place();
    writeTree(at.root, { 'é 日本/x.ts': 'text', 'empty.txt': '', 'random.txt': 'q8%z' });
    await packFolder(at);
    const archive = join(at.spool, readdirSync(at.spool)[0] as string);
    execFileSync('unzip', ['-tqq', archive]);
    execFileSync('unzip', ['-qq', archive, '-d', join(at.spool, 'unpacked')], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    expect(existsSync(join(at.spool, 'unpacked/folder/é 日本/x.ts'))).toBe(true);
    expect(
      execFileSync('python3', [
        '-c',
        'import sys,zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())',
        archive,
      ]).toString(),
    ).toBe('None\n');
  });

  withGit('reports its progress, and stops when it is cancelled, without leaving anything behind', async () => {
    const at = place();
    initRepository(at.root, at.home);
    writeTree(
      at.root,
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.ts`, 'x'.repeat(9_000)])),
    );
    const shares: number[] = [];
    expect((await prepareFolder(at, { onProgress: (share) => shares.push(share) })).ok).toBe(true);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.length).toBeGreaterThan(10);
    expect([shares[0] ?? 1, shares.at(-1)]).toEqual([expect.closeTo(0, 1), 1]);

    for (const until of [0, 0.3, 0.7]) {
      rmSync(at.spool, { recursive: true, force: true });
      const stop = new AbortController();
      const onProgress = (share: number) => share >= until && stop.abort(new Error('Enough.'));
      if (until === 0) stop.abort(new Error('Enough.'));
      expect(await prepareFolder(at, { onProgress, signal: stop.signal })).toMatchObject({
        error: { code: 'CANCELLED' },
      });
      expect(readdirSync(at.spool)).toEqual([]);
    }
  });

  withDevices('a spool that cannot take it is a full disk, and nothing of it stays', async () => {
    const at = place();
    writeTree(at.root, { 'a.ts': 'x'.repeat(9_000) });
    symlinkSync('/dev/full', join(at.spool, '00000000-0000-4000-8000-000000000000.0.part'));
    expect(await prepareFolder(at)).toMatchObject({ error: { code: 'DISK_FULL' } });
    expect(readdirSync(at.spool)).toEqual([]);
    expect(filesOf((await packFolder(at)).bytes).size).toBe(1);
  });
});
