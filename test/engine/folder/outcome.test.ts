import { appendFileSync, cpSync, existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { normaliseArchive } from '../../../src/server/folders/normalise-archive.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { initRepository, type Tree, writeTree } from '../../support/folder/git-repository.ts';
import { type FolderPlace, filesOf, packFolder, preview } from '../../support/folder/packed-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder('folder-outcome');
const place = (name: string): FolderPlace => ({
  root: join(dir, name, 'project'),
  home: join(dir, name, 'home'),
  spool: join(dir, name, 'spool'),
});

/** What the service keeps of all that git lists: the app must send exactly this. */
const wanted = (root: string, listed: readonly string[]): ReadonlyMap<string, string> => {
  const files = listed.filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile());
  const made = normaliseArchive(
    zipOf(Object.fromEntries(files.map((path) => [`top/${path}`, readFileSync(join(root, path))]))),
  );
  if (!made.ok) throw new Error(made.error.detail);
  return filesOf(Buffer.from(made.value.archive));
};

const OWN = [
  'src',
  'test/engine',
  'test/support',
  'docs',
  'scripts',
  '.gitignore',
  'package.json',
  'package-lock.json',
  'README.md',
  'LICENSE',
];

const TREES: readonly (readonly [string, (at: FolderPlace) => ReturnType<typeof initRepository>])[] = [
  [
    'this project, with what builds and tests leave behind',
    ({ root, home }) => {
      const git = initRepository(root, home);
      for (const name of OWN) cpSync(name, join(root, name), { recursive: true });
      git.run('add', '.');
      writeTree(root, {
        'node_modules/left-pad/index.js': '1',
        'out/main.js': '1',
        'npm-debug.log': '1',
        'src/app.tsbuildinfo': '1',
        'src/new.ts': 'not tracked yet',
        '.env': 'KEY=1',
        'test/fixtures/server.pem': '1',
        'big.sql': 'x'.repeat(600_000),
      });
      return git;
    },
  ],
  [
    'a library with ignore files at every level, some of what they name tracked all the same',
    ({ root, home }) => {
      const git = initRepository(root, home);
      cpSync('node_modules/fastify', root, { recursive: true });
      git.run('add', '-f', 'test', 'docs/Guides', 'lib/reply.js');
      writeTree(root, {
        '.gitignore': '*.test.js\n/lib/*\n!/lib/request.js\ntypes/\n',
        'docs/.gitignore': 'Guides/\n/Reference/*.md\n!Index.md\n',
        'test/.gitignore': '*\n!.gitignore\n',
        'test/internals/.gitignore': '!*.js\n',
      });
      appendFileSync(join(root, '.git/info/exclude'), '\nSPONSORS.md\n/integration/\n');
      return git;
    },
  ],
  [
    'a package of more than a thousand files, with the ignore file of a person and folders that builds fill',
    ({ root, home }) => {
      const git = initRepository(root, home);
      cpSync('node_modules/highlight.js', root, { recursive: true });
      writeTree(home, { '.config/git/ignore': '*.min.css\nscss/base16/\n*~\n.DS_Store\n' });
      writeTree(root, {
        '.gitignore': 'es/languages/[a-m]*.js\n*.js.js\n\\#*\n',
        'styles/.gitignore': '/*\n!/a11y*\n!base16/\n/base16/[!a-d]*\n',
        'build/index.js': '1',
        'vendor/composer.json': '{}',
        'vendor/own.php': '1',
        'php/composer.json': '{}',
        'php/vendor/autoload.php': '1',
        'App/App.csproj': '1',
        'App/bin/x.cs': '1',
        'tools/bin/run.sh': '1',
        'python/pyvenv.cfg': '1',
        'python/lib/a.py': '1',
        'readme.md~': '1',
        'lib/.DS_Store': '1',
      });
      git.run('add', 'lib', 'styles/github.css', '-f');
      return git;
    },
  ],
];

describe('of real trees the app sends what git lists, less the rules of the service', () => {
  test.each(TREES)('%s', async (name, build) => {
    const at = place(name.slice(0, 9));
    const git = build(at);
    const expected = wanted(at.root, git.listed());
    expect(expected.size).toBeGreaterThan(50);

    const packed = await packFolder(at);
    expect([...packed.kept.keys()]).toEqual([...expected.keys()]);
    expect([...packed.kept]).toEqual([...expected]);
    expect(packed.entries).toEqual([...expected.keys()].map((path) => `folder/${path}`));
    // The service finds nothing more to leave out, so what the app showed is what was published.
    expect(packed.result.skipped).toEqual([]);
    expect(packed.result).toMatchObject({ files: packed.selection.files, textBytes: packed.selection.textBytes });

    const shown = await preview(at);
    expect(shown.goes.map(({ path }) => path)).toEqual([...expected.keys()]);
    expect(shown).toMatchObject({ refusal: null, unread: 0, gitignore: 'applied', files: expected.size });
    expect(shown.archiveBytesAtMost).toBeGreaterThanOrEqual(packed.bytes.length);
  });
});

describe('the app shows what the service then keeps', () => {
  test.each<[what: string, tree: Tree, kept: readonly string[]]>([
    [
      'a folder that holds nothing but another one',
      { 'inner/a.ts': '1', 'inner/b/c.ts': '2' },
      ['inner/a.ts', 'inner/b/c.ts'],
    ],
    [
      'an ignore file below the root, which would become the root one',
      { 'inner/.gitignore': '*.log\n', 'inner/a.ts': '1', 'inner/a.log': '2' },
      ['inner/.gitignore', 'inner/a.ts'],
    ],
    ['one file', { 'a.ts': '1' }, ['a.ts']],
    [
      'an empty file and a name with every kind of letter',
      { 'empty.txt': '', 'é 日本/😀 %2F.txt': '1' },
      ['empty.txt', 'é 日本/😀 %2F.txt'],
    ],
    ['what Finder adds', { '__MACOSX/._a.ts': '1', 'inner/a.ts': '1' }, ['inner/a.ts']],
    ['names that differ by case', { 'A.ts': '1', 'a.ts': '2', 'B/x': '1', 'b/X': '2' }, ['A.ts', 'B/x']],
    [
      'what Windows cannot create, and what is too deep or too long',
      {
        'aux.ts': '1',
        'a:b.ts': '1',
        'a\\b.ts': '1',
        [`${'d/'.repeat(20)}x.ts`]: '1',
        [`${'d/'.repeat(19)}x.ts`]: '1',
        [`${'n'.repeat(199)}.ts`]: '1',
        'ok.ts': '1',
      },
      [`${'d/'.repeat(19)}x.ts`, 'ok.ts'],
    ],
    [
      'what is no text, or too much of it',
      {
        'a.png': Buffer.from([0x89, 0x50, 0, 1]),
        'b.txt': 'x'.repeat(512 * 1024),
        'c.txt': 'x'.repeat(512 * 1024 + 1),
      },
      ['b.txt'],
    ],
  ])('%s', async (what, tree, kept) => {
    const at = place(what);
    const git = initRepository(at.root, at.home);
    writeTree(at.root, tree);
    git.run('add', '.');
    const shown = await preview(at);
    const packed = await packFolder(at);
    expect(shown.goes.map(({ path }) => path)).toEqual(kept);
    expect([...packed.kept.keys()]).toEqual(kept);
    expect(packed.result.skipped).toEqual([]);
    const { goes: _, name, archiveBytesAtMost, refusal, unread, ...account } = shown;
    expect(account).toEqual(packed.selection);
    expect({ name, refusal, unread }).toEqual({ name: 'project', refusal: null, unread: 0 });
    expect(archiveBytesAtMost).toBeGreaterThanOrEqual(packed.bytes.length);
  });

  test('folders that are excluded as a whole are named, not entered, and marked as uncounted', async () => {
    const at = place('heavy');
    const git = initRepository(at.root, at.home);
    writeTree(at.root, {
      'a.ts': '1',
      'node_modules/x/index.js': '1',
      'packages/one/node_modules/y.js': '1',
      'dist/a.js': '1',
      'logs/today.log': '1',
      'secret/.env': 'A=1',
      'go/go.mod': '1',
      'go/vendor/x.go': '1',
      'env/pyvenv.cfg': '1',
      'py/.env/pyvenv.cfg': '1',
      '.envs/.production/.postgres': 'A=1',
      '.gitignore': '/logs/\n',
    });
    expect(git.listed()).toContain('dist/a.js');
    const shown = await preview(at);
    const whole = (path: string, reason: string) => ({ path, reason, files: null, size: null });
    expect(shown.skipped).toEqual([
      whole('.envs/', 'secret'),
      whole('.git/', 'service'),
      { path: '.gitignore', reason: 'gitignore', files: 1, size: 7 },
      whole('dist/', 'build'),
      whole('env/', 'dependencies'),
      whole('go/vendor/', 'dependencies'),
      { ...whole('logs/', 'gitignore'), rule: { file: '.gitignore', line: 1, pattern: '/logs/' } },
      whole('node_modules/', 'dependencies'),
      whole('packages/one/node_modules/', 'dependencies'),
      whole('py/.env/', 'dependencies'),
      { path: 'secret/.env', reason: 'secret', files: 1, size: 3 },
    ]);
    expect(shown).toMatchObject({ skippedFiles: 2, uncountedFolders: 9, files: 2, gitignore: 'applied' });
    expect(existsSync(at.spool)).toBe(false);
  });
});
