import { appendFileSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExcludedEntry } from '../../../src/common/folder/folder-preview.ts';
import { gitHomeOf } from '../../../src/engine/folder/git-home.ts';
import { walkFolder } from '../../../src/engine/folder/walk-folder.ts';
import { lengthOf } from '../../support/campaign.ts';
import { type GitRepository, initRepository, type Tree, writeTree } from '../../support/folder/git-repository.ts';
import { itWith } from '../../support/only-on.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder('folder-git');
let made = 0;
const place = () => {
  made += 1;
  return { root: join(dir, `tree-${made}`), home: join(dir, `home-${made}`) };
};

const walked = async (
  root: string,
  home: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  platform = process.platform,
) => {
  const gitHome = { ...gitHomeOf({ HOME: home, ...environment }), platform };
  const files: string[] = [];
  const ignored: Record<string, string> = {};
  const skips: ExcludedEntry[] = [];
  for await (const found of walkFolder(root, gitHome, soon())) {
    for (const { path, ignoredBy } of found.files) if (ignoredBy) ignored[path] = ignoredBy.pattern;
    files.push(...found.files.filter(({ ignoredBy }) => !ignoredBy).map(({ path }) => path));
    skips.push(...found.skips);
  }
  return { files: files.filter((path) => path !== '.git').sort(), ignored, skips };
};

/** The regular files among what git lists; links, and repositories as a whole, are no files to it either. */
const files = (git: GitRepository, folder: string): string[] =>
  git
    .listed(folder)
    .filter((path) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile())
    .sort();

const expectAsGit = async (git: GitRepository, folder: string, home: string) =>
  expect((await walked(folder, home)).files).toEqual(files(git, folder));

const CODE: Tree = {
  'main.ts': '1',
  'readme.md': '1',
  'app.log': '1',
  'lib/a.ts': '1',
  'lib/a.js': '1',
  'lib/deep/b.ts': '1',
  'lib/deep/keep.log': '1',
  'lib/deep/drop.log': '1',
  'gen/x/out.ts': '1',
  'gen/y.ts': '1',
  'docs/é/日本.md': '1',
  'docs/draft.md': '1',
};

describe('what git counts as part of a project is what the app finds', () => {
  test('with a .gitignore in the root and deeper ones that take back in', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, {
      ...CODE,
      '.gitignore': '*.log\n/gen/\ndraft*\n',
      'lib/.gitignore': '*.js\n!a.js\n/deep/b.*\n',
      'lib/deep/.gitignore': '!keep.log\n',
      'docs/.gitignore': '/é/*\n!draft.md\n',
    });
    await expectAsGit(git, root, home);
    await expectAsGit(git, join(root, 'lib'), home);
    await expectAsGit(git, join(root, 'lib/deep'), home);
  });

  test('with patterns of the repository alone and of the user, at the default path and at a configured one', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, { ...CODE, '.gitignore': '!readme.md\n' });
    appendFileSync(join(root, '.git/info/exclude'), '\n*.log\n!lib/deep/keep.log\n');
    writeTree(home, { '.config/git/ignore': 'readme.md\ngen/x\n!app.log\n' });
    await expectAsGit(git, root, home);

    writeTree(home, {
      'my ignores': '/lib\n',
      '.gitconfig': '[user]\n\tname = A\n[core]\n\texcludesFile = "~/my ignores" ; mine\n',
    });
    await expectAsGit(git, root, home);
    expect((await walked(root, home)).files).not.toContain('lib/a.ts');

    git.run('config', 'core.excludesFile', join(home, 'other'));
    writeFileSync(join(home, 'other'), 'docs\n');
    await expectAsGit(git, root, home);
    git.run('config', 'core.excludesFile', '');
    await expectAsGit(git, root, home);
  });

  test('with patterns of the user that other settings include, in place, relative to each file and without end', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, CODE);
    const include = (path: string, ...more: readonly string[]): string =>
      `[include]\n\tpath = ${path}\n${more.join('\n')}\n`;
    writeTree(home, {
      '.gitconfig': include('~/.gitconfig.local'),
      '.gitconfig.local': include('parts/one'),
      'parts/one': include('two'),
      'parts/two': '[core]\n\texcludesFile = ~/ignored\n',
      ignored: '*.log\n',
      other: '*.md\n',
    });
    await expectAsGit(git, root, home);
    expect((await walked(root, home)).files).not.toContain('app.log');

    writeTree(home, { '.gitconfig': include('~/.gitconfig.local', '[core]', 'excludesFile = ~/other') });
    await expectAsGit(git, root, home);
    writeTree(home, {
      '.gitconfig': `[core]\nexcludesFile = ~/other\n${include('missing')}${include('~/.gitconfig.local')}`,
    });
    await expectAsGit(git, root, home);
    git.run('config', 'include.path', 'info/settings');
    writeTree(root, { '.git/info/settings': '[core]\n\texcludesFile = lists/mine\n', 'lists/mine': '*.ts\n' });
    await expectAsGit(git, root, home);
    expect((await walked(root, home)).files).not.toContain('main.ts');

    git.run('config', 'extensions.worktreeConfig', 'true');
    git.run('config', '--worktree', 'core.excludesFile', '~/other');
    await expectAsGit(git, root, home);

    writeTree(root, { '.git/info/settings': include('settings') });
    expect(() => git.listed()).toThrow('exceeded maximum include depth');
    await expect(walked(root, home)).rejects.toMatchObject({ code: 'ELOOP' });
  });

  test('with patterns of the user that settings include by the place of the repository', async () => {
    const { root, home } = place();
    const git = initRepository(join(home, 'Code/[a]'), home);
    const other = initRepository(root, home);
    for (const folder of [root, join(home, 'Code/[a]')]) writeTree(folder, CODE);
    writeTree(home, { at: '[core]\n\texcludesFile = ~/ignored\n', ignored: '*.log\n' });
    symlinkSync(join(home, 'Code'), join(home, 'link'));
    const found: boolean[] = [];
    for (const condition of [
      'gitdir:~/Code/',
      'gitdir:~/code/',
      'gitdir/i:~/cODE/',
      'gitdir:~/Code',
      'gitdir:./Code/',
      'gitdir:Code/',
      'gitdir:ode/',
      'gitdir:~/C*/**',
      'gitdir:~/C*/.git',
      'gitdir:~/*/?a?/.git',
      'gitdir:~/Code/\\\\[a]/.git',
      'gitdir:**/.git',
      `gitdir:${home}/`,
      'gitdir:~/Other/',
    ]) {
      writeTree(home, { '.gitconfig': `[includeIf "${condition}"]\n\tpath = at\n` });
      await expectAsGit(git, join(home, 'Code/[a]'), home);
      await expectAsGit(other, root, home);
      found.push((await walked(join(home, 'Code/[a]'), home)).files.includes('app.log'));
    }
    expect(new Set(found)).toEqual(new Set([true, false]));
  });

  test('with the settings that the environment of the user names instead', async () => {
    const { root, home } = place();
    initRepository(root, home);
    writeTree(root, CODE);
    const excluding = (name: string) => `[core]\n\texcludesFile = ~/${name}\n`;
    writeTree(home, {
      '.config/git/config': excluding('logs'),
      '.config/git/ignore': 'docs\n',
      system: excluding('notes'),
      global: excluding('lib'),
      empty: '',
      logs: '*.log\n',
      notes: '*.md\n',
      lib: 'lib\n',
    });
    const [GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL] = [join(home, 'system'), join(home, 'global')];
    const found = [];
    for (const environment of [
      { GIT_CONFIG_SYSTEM },
      { GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL },
      { GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL: join(home, 'empty') },
      { GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL: '', GIT_CONFIG_NOSYSTEM: 'true' },
      { GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '0' },
    ]) {
      const { files: mine } = await walked(root, home, environment);
      expect(mine).toEqual(files(initRepository(root, home, environment), root));
      found.push(mine.length);
    }
    expect(found).toEqual([9, 7, 9, 10, 9]);
  });

  itWith('programs of Linux')('with paths that begin at the home of a user or at the folder of git', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, CODE);
    writeTree(home, { ignored: '*.log\n' });
    const environment = { PATH: process.env['PATH'] };
    for (const path of ['~/ignored', `~root/..${home}/ignored`, `%(prefix)/..${home}/ignored`]) {
      git.run('config', 'core.excludesFile', path);
      const { files: found } = await walked(root, home, environment);
      expect(found).toEqual(files(git, root));
      expect(found).not.toContain('app.log');
    }
    git.run('config', 'core.excludesFile', './%(prefix)/ignored');
    expect((await walked(root, home, environment)).files).toContain('app.log');
    git.run('config', 'core.excludesFile', '~nobody-here/ignored');
    expect(() => git.listed()).toThrow('failed to expand user dir');
    await expect(walked(root, home)).rejects.toMatchObject({ code: 'EINVAL', path: '~nobody-here/ignored' });
  });

  test('with names that differ by case as all settings together say', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, { ...CODE, '.gitignore': '*.LOG\n' });
    writeTree(home, { '.gitconfig': '[core]\n\tignoreCase\n' });
    await expectAsGit(git, root, home);
    expect((await walked(root, home)).files).not.toContain('app.log');
    git.run('config', 'core.ignorecase', 'false');
    await expectAsGit(git, root, home);
  });

  test.each(['2', '3', '4'])('with tracked files that are ignored, from an index of version %s', async (version) => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, { ...CODE, [`lib/${'long'.repeat(50)}/${'name'.repeat(50)}.log`]: '1' });
    git.run('add', '.');
    // An entry with extended flags is what makes an index of version 3.
    if (version === '3') git.run('update-index', '--skip-worktree', 'main.ts');
    else git.run('update-index', '--index-version', version);
    writeTree(root, {
      '.gitignore': '*.log\ngen/\n',
      'lib/deep/.gitignore': '*\n',
      'gen/new.ts': '1',
      'lib/new.log': '1',
    });
    expect(lstatSync(join(root, '.git/index')).isFile()).toBe(true);
    await expectAsGit(git, root, home);
    expect((await walked(root, home)).files).toEqual(
      expect.arrayContaining(['app.log', 'gen/y.ts', 'lib/deep/keep.log']),
    );
  });

  test('with all else in a folder that is ignored but for tracked files, which is excluded by the same rule', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, CODE);
    writeTree(root, { 'kept/tracked.ts': '1' });
    git.run('add', '.');
    writeTree(root, {
      '.gitignore': 'gen/\n',
      'gen/new.ts': '1',
      'gen/x/new.ts': '1',
      'gen/more/z.ts': '1',
      'kept/untracked.ts': '1',
      'kept/sub/untracked.ts': '1',
    });
    await expectAsGit(git, root, home);
    git.run('init', '-q', 'kept');
    const { files: found, ignored, skips } = await walked(root, home);
    expect(found).toEqual(expect.arrayContaining(['gen/y.ts', 'gen/x/out.ts', 'kept/tracked.ts']));
    expect(ignored).toEqual({ 'gen/new.ts': 'gen/', 'gen/x/new.ts': 'gen/' });
    expect(skips).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'gen/more/', reason: 'gitignore', rule: expect.anything(), files: null }),
        { path: 'kept/untracked.ts', reason: 'repository', files: 1, size: null },
        { path: 'kept/sub/', reason: 'repository', files: null, size: null },
      ]),
    );
  });

  test('with nested repositories, submodules, work trees and files where a folder was before', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, CODE);
    const other = initRepository(join(dir, `other-${made}`), home);
    writeTree(join(dir, `other-${made}`), { 'sub.ts': '1' });
    other.run('add', '.');
    other.run('commit', '-q', '-m', 'One');
    git.run('submodule', '--quiet', 'add', join(dir, `other-${made}`), 'lib/module');
    const nested = initRepository(join(root, 'nested/project'), home);
    writeTree(join(root, 'nested'), { 'project/inner.ts': '1', 'beside.ts': '1' });
    nested.run('add', '.');
    mkdirSync(join(root, 'gen/.git'));
    git.run('add', 'main.ts', 'lib');
    git.run('commit', '-q', '-m', 'One');
    git.run('worktree', 'add', '-q', join(dir, `work-${made}`), '-b', 'work');
    await expectAsGit(git, root, home);
    expect((await walked(root, home)).skips).toEqual(
      expect.arrayContaining([
        { path: 'lib/module/', reason: 'repository', files: null, size: null },
        { path: 'nested/project/', reason: 'repository', files: null, size: null },
      ]),
    );

    const work = join(dir, `work-${made}`);
    rmSync(join(work, 'lib/a.ts'));
    writeTree(work, { 'lib/a.ts/now-a-folder.ts': '1', 'x.log': '1', '.gitignore': '*.log' });
    appendFileSync(join(root, '.git/info/exclude'), '\nsecretly.ts\n');
    writeTree(work, { 'secretly.ts': '1' });
    await expectAsGit(git, work, home);
  });

  test('on generated trees with ignore files anywhere', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'A', 'a.x', 'b.x', 'é');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const segment = fc.constantFrom(
      'A',
      'a',
      'b',
      '*',
      '**',
      '*.x',
      '?',
      '[ab]',
      'é',
      'a*',
      '!(a)',
      '[A-B]*',
      '[[:upper:]]',
      '[A]',
    );
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '', '/'),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/'),
      )
      .map(([not, anchor, names, slash]) => not + anchor + names.join('/') + slash);
    const ignore = fc.array(pattern, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 1, maxLength: 14 }),
        fc.array(fc.tuple(path, ignore), { maxLength: 3 }),
        ignore,
        ignore,
        fc.array(fc.nat(13), { maxLength: 3 }),
        fc.boolean(),
        async (paths, nested, rootIgnore, exclude, tracked, isFolded) => {
          const { root, home } = place();
          const git = initRepository(root, home);
          const leaves = paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
          const folders = nested.map(([at]) => at).filter((at) => leaves.some((leaf) => leaf.startsWith(`${at}/`)));
          writeTree(root, {
            ...Object.fromEntries(leaves.map((leaf) => [leaf, '1'])),
            ...Object.fromEntries(
              nested.filter(([at]) => folders.includes(at)).map(([at, text]) => [`${at}/.gitignore`, text]),
            ),
            '.gitignore': rootIgnore,
          });
          appendFileSync(join(root, '.git/info/exclude'), exclude);
          // Where case is ignored, git also matches tracked files case-insensitively, on a case-insensitive file system.
          if (isFolded) git.run('config', 'core.ignorecase', 'true');
          const forced = isFolded ? [] : tracked.flatMap((index) => leaves[index] ?? []);
          if (forced.length > 0) git.run('add', '-f', ...forced);
          await expectAsGit(git, root, home);
        },
      ),
      { numRuns: lengthOf('RUNS', { short: 30, long: 400 }) },
    );
  });
});

describe('names as the Finder of macOS writes them, decomposed, are compared as git there compares them', () => {
  const decomposed = (tree: Tree): Tree =>
    Object.fromEntries(Object.entries(tree).map(([path, text]) => [path.normalize('NFD'), text]));
  const onMac = async (root: string, home: string) =>
    (await walked(root, home, {}, 'darwin')).files.map((path) => path.normalize('NFC')).sort();

  test('composed, with ignore files, from a folder below the top, and with tracked files', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    git.run('config', 'core.precomposeUnicode', 'true');
    writeTree(root, { 'чужой/kept.txt': '1', '.gitignore': 'личный/\nчужой/\n*.ü\ncafé/of/*.log\n한글\n\ufa19/\n' });
    git.run('add', '-f', 'чужой/kept.txt');
    rmSync(join(root, 'чужой'), { recursive: true });
    // The last one is a single character that Unicode composes to another one, and macOS does not.
    writeTree(root, { '\ufa19/a.txt': '1' });
    writeTree(
      root,
      decomposed({
        ...{ 'личный/a.txt': '1', 'чужой/a.txt': '1', 'чужой/kept.txt': '1', 'a.ü': '1', '한글/a.txt': '1' },
        ...{ 'café/.gitignore': 'é.txt\n', 'café/of/é.txt': '1', 'café/of/a.log': '1', 'café/of/a.txt': '1' },
      }),
    );
    expect(await onMac(root, home)).toEqual(['.gitignore', 'café/.gitignore', 'café/of/a.txt', 'чужой/kept.txt']);
    expect(await onMac(join(root, 'café/of'.normalize('NFD')), home)).toEqual(['a.txt']);
    expect(await onMac(join(root, 'личный'.normalize('NFD')), home)).toEqual(['a.txt']);
  });

  test('byte by byte where core.precomposeUnicode is false, and on every other system', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, { '.gitignore': 'й\n', ...decomposed({ й: '1' }) });
    git.run('config', 'core.precomposeUnicode', 'false');
    expect(await onMac(root, home)).toEqual(['.gitignore', 'й']);
    git.run('config', 'core.precomposeUnicode', 'true');
    expect((await walked(root, home, {}, 'linux')).files).toEqual(['.gitignore', 'й'.normalize('NFD')]);
  });

  test('in both ways where core.precomposeUnicode is not set: what one of them excludes stays out', async () => {
    const { root, home } = place();
    const tree = { '.gitignore': `й\n${'ё'.normalize('NFD')}\n`, ...decomposed({ й: '1', ё: '1', ü: '1' }) };
    writeTree(root, tree);
    expect(await onMac(root, home)).toEqual(['.gitignore', 'ü']);
    initRepository(root, home);
    expect(await onMac(root, home)).toEqual(['.gitignore', 'ü']);
  });
});

describe('outside of what git decides', () => {
  test('what the user ignores under a condition that is not judged is excluded as well, and nothing is taken back in', async () => {
    const { root, home } = place();
    initRepository(root, home);
    writeTree(root, { 'a.log': '1', 'b.tmp': '1', 'c.ts': '1', 'd.md': '1' });
    writeTree(home, {
      '.gitconfig': '[core]\n\texcludesFile = ~/mine\n[includeIf "onbranch:main"]\n\tpath = ~/branch\n',
      branch: '[include]\n\tpath = more\n',
      more: '[core]\n\texcludesFile = ~/theirs\n\tignoreCase = true\n',
      mine: '*.log\n!*.tmp\n!*.TS\n',
      theirs: '*.tmp\n!*.log\n*.MD\n',
    });
    expect((await walked(root, home)).files).toEqual(['c.ts', 'd.md']);
    symlinkSync(root, join(home, 'link'));
    writeTree(home, {
      '.gitconfig': '[core]\n\texcludesFile = ~/mine\n[includeIf "gitdir:~/link/"]\n\tpath = ~/more\n',
    });
    expect((await walked(root, home)).files).toEqual(['c.ts', 'd.md']);
  });

  test('a folder without a repository has what the settings of the user include', async () => {
    const { root, home } = place();
    writeTree(root, { 'a.log': '1', 'c.ts': '1' });
    writeTree(home, {
      '.gitconfig': `[includeIf "gitdir:${dir}/"]\n\tpath = more\n`,
      more: '[core]\n\texcludesFile = ~/mine\n',
      mine: '*.log\n',
    });
    expect((await walked(root, home)).files).toEqual(['c.ts']);
  });

  test('a folder without a repository excludes what its ignore files name, and what each repository in it does', async () => {
    const { root, home } = place();
    writeTree(root, {
      ...CODE,
      '.gitignore': '*.log\n',
      'lib/.gitignore': '*.js\n',
      'one/x.log': '1',
      'one/y.tmp': '1',
    });
    const inner = initRepository(join(root, 'one'), home);
    appendFileSync(join(root, 'one/.git/info/exclude'), '\n*.tmp\n');
    inner.run('add', '-f', 'x.log');
    const { files: found } = await walked(root, home);
    expect(found).toEqual(expect.arrayContaining(['main.ts', 'lib/a.ts', 'one/x.log']));
    for (const path of ['app.log', 'lib/a.js', 'one/y.tmp']) expect(found).not.toContain(path);
  });

  test('a folder that its repository ignores is shared with its contents', async () => {
    const { root, home } = place();
    initRepository(root, home);
    writeTree(root, {
      '.gitignore': '/reports/\n*.md\n',
      'reports/of/may.md': '1',
      'reports/of/.gitignore': 'x\n',
      'reports/of/x': '1',
    });
    expect((await walked(join(root, 'reports/of'), home)).files).toEqual(['.gitignore', 'may.md']);
  });

  test('an unreadable index tracks nothing, so more is excluded', async () => {
    const { root, home } = place();
    initRepository(root, home);
    writeTree(root, { 'a.log': '1', 'a.ts': '1', '.gitignore': '*.log\n' });
    for (const bytes of [
      Buffer.from('DIRC'),
      Buffer.from(`DIRC\0\0\0\x02\0\0\0\x09${'x'.repeat(100)}`, 'latin1'),
      Buffer.alloc(500, 255),
    ]) {
      writeFileSync(join(root, '.git/index'), bytes);
      expect((await walked(root, home)).files).toEqual(['.gitignore', 'a.ts']);
    }
  });

  test('the file of the user and that of the repository are read through a link, as git does', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, { 'a.log': '1', 'b.tmp': '1', 'c.ts': '1' });
    writeTree(home, { 'dotfiles/ignore': '*.log\n', 'dotfiles/exclude': '*.tmp\n', '.config/git/keep': '' });
    symlinkSync(join(home, 'dotfiles/ignore'), join(home, '.config/git/ignore'));
    rmSync(join(root, '.git/info/exclude'), { force: true });
    symlinkSync(join(home, 'dotfiles/exclude'), join(root, '.git/info/exclude'));
    await expectAsGit(git, root, home);
    expect((await walked(root, home)).files).toEqual(['c.ts']);
  });

  test('a .gitignore that is a link is not followed, as git does not', async () => {
    const { root, home } = place();
    const git = initRepository(root, home);
    writeTree(root, { 'a.log': '1', 'deep/b.log': '1', rules: '*.log\n' });
    symlinkSync('rules', join(root, '.gitignore'));
    await expectAsGit(git, root, home);
  });
});
