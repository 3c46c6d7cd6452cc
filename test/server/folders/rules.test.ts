import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FolderResult, SkipReason } from '../../../src/api/folder-result.ts';
import { LIMITS } from '../../../src/api/limits.ts';
import { comparePaths } from '../../../src/common/folder/compare-paths.ts';
import { isText, selectFolder } from '../../../src/common/folder/select-files.ts';
import { normaliseArchive } from '../../../src/server/folders/normalise-archive.ts';
import { readArchive } from '../../../src/server/folders/read-archive.ts';
import { lengthOf } from '../../support/campaign.ts';
import { forgeZip, zipOf } from '../../support/folder/forge-zip.ts';

type Files = Readonly<Record<string, string | Buffer>>;

const made = (files: Files): FolderResult & { readonly kept: readonly string[] } => {
  const result = normaliseArchive(zipOf(files));
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  const stored = readArchive(Buffer.from(result.value.archive));
  if (!stored.ok) throw new Error(stored.error.detail);
  return { ...result.value.folder, kept: stored.value.map(({ path }) => path) };
};

const codeOf = (files: Files) => {
  const result = normaliseArchive(zipOf(files));
  return result.ok ? 'ok' : result.error.code;
};

/** Reason and path of the exclusion of `path` beside an included file; null if it is included too. */
const fate = (path: string, bytes: string | Buffer = 'text', others: Files = {}) => {
  const { skipped, kept } = made({ 'stays.txt': 'text', ...others, [path]: bytes });
  if (kept.includes(path)) return null;
  const [skip, ...more] = skipped.filter((candidate) => path.startsWith(candidate.path));
  expect(more).toEqual([]);
  return skip && `${skip.reason} ${skip.path}`;
};

const KEY = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEH\n-----END PRIVATE KEY-----\n';

describe('excluded files, with the reason', () => {
  test.each<[path: string, reason: SkipReason, by: string]>([
    ['.git/config', 'service', '.git/'],
    ['sub/.git', 'service', 'sub/.git'],
    ['.svn/entries', 'service', '.svn/'],
    ['.hg/store/x', 'service', '.hg/'],
    ['.idea/workspace.xml', 'service', '.idea/'],
    ['.vs/x', 'service', '.vs/'],
    ['.GIT/config', 'service', '.GIT/'],
    ['__MACOSX/._a.txt', 'service', '__MACOSX/'],
    ['node_modules/a/index.js', 'dependencies', 'node_modules/'],
    ['packages/one/node_modules/a/b/c.js', 'dependencies', 'packages/one/node_modules/'],
    ['.venv/lib/x.py', 'dependencies', '.venv/'],
    ['bower_components/x.js', 'dependencies', 'bower_components/'],
    ['Pods/x.m', 'dependencies', 'Pods/'],
    ['dist/main.js', 'build', 'dist/'],
    ['build/x', 'build', 'build/'],
    ['out/x', 'build', 'out/'],
    ['target/debug/x', 'build', 'target/'],
    ['.next/x', 'build', '.next/'],
    ['coverage/index.html', 'build', 'coverage/'],
    ['a/__pycache__/x.py', 'build', 'a/__pycache__/'],
    ['my.egg-info/PKG-INFO', 'build', 'my.egg-info/'],
    ['.env', 'secret', '.env'],
    ['a/.env.local', 'secret', 'a/.env.local'],
    ['.ENV.Production', 'secret', '.ENV.Production'],
    ['.envrc', 'secret', '.envrc'],
    ['server.pem', 'secret', 'server.pem'],
    ['SERVER.KEY', 'secret', 'SERVER.KEY'],
    ['id_rsa', 'secret', 'id_rsa'],
    ['.ssh/id_ed25519', 'secret', '.ssh/id_ed25519'],
    ['id_rsa.backup', 'secret', 'id_rsa.backup'],
    ['credentials', 'secret', 'credentials'],
    ['Credentials.json', 'secret', 'Credentials.json'],
    ['.npmrc', 'secret', '.npmrc'],
    ['.netrc', 'secret', '.netrc'],
    ['token', 'secret', 'token'],
    ['github_token.txt', 'secret', 'github_token.txt'],
    ['token.json', 'secret', 'token.json'],
    ['.vault-token', 'secret', '.vault-token'],
    ['apiToken.json', 'secret', 'apiToken.json'],
    ['accesstoken', 'secret', 'accesstoken'],
    ['.envs/.production/.postgres', 'secret', '.envs/'],
    ['a/.ENV/production', 'secret', 'a/.ENV/'],
    ['con', 'name', 'con'],
    ['a/NUL.txt', 'name', 'a/NUL.txt'],
    ['lpt1.tar.gz', 'name', 'lpt1.tar.gz'],
    ['aux /x', 'name', 'aux /'],
    ['COM1/deep/x', 'name', 'COM1/'],
    ['dot.', 'name', 'dot.'],
    ['space ', 'name', 'space '],
    ['folder./x', 'name', 'folder./'],
    ['a:b', 'name', 'a:b'],
    ['what?', 'name', 'what?'],
    ['tab\t', 'name', 'tab\t'],
    ['a"b<c>d|e*', 'name', 'a"b<c>d|e*'],
    [`${'d/'.repeat(20)}x`, 'path', `${'d/'.repeat(20)}x`],
    ['x'.repeat(201), 'path', 'x'.repeat(201)],
  ])('%s: %s', (path, reason, by) => {
    // A drive letter would make the whole archive invalid.
    const safe = path.startsWith('a:') ? `sub/${path}` : path;
    expect(fate(safe)).toBe(`${reason} ${path.startsWith('a:') ? `sub/${by}` : by}`);
  });

  test.each([
    '.env.example',
    '.ENV.EXAMPLE',
    'sub/.env.example',
    '.env.example/x',
    'credentials/provider.ts',
    'token.ts',
    'tokenizer.py',
    'tokens.ts',
    'keys.ts',
    'monkey',
    'pem.txt',
    'environment.ts',
    'my-credentials.md',
    'vendor/own.js',
    'bin/cli.js',
    'obj/model.obj.txt',
    'distance/x',
    'outer/x',
    'builder.ts',
    'target.ts',
    'build',
    'dist',
    'node_modules.md',
    '.github/workflows/ci.yml',
    '.vscode/settings.json',
    'console.log',
    'com10.txt',
    'nullable.ts',
    'sub/.gitignore',
    `${'d/'.repeat(19)}x`,
    'x'.repeat(200),
    '😀'.repeat(200),
    'git',
    'idea/x',
    'фото.txt',
  ])('%s stays', (path) => {
    expect(fate(path)).toBeNull();
  });

  test('a vendor folder is a dependency where a package manager fills it', () => {
    expect(fate('vendor/a/b.go', 'x', { 'go.mod': 'module x' })).toBe('dependencies vendor/');
    expect(fate('php/vendor/a.php', 'x', { 'php/composer.json': '{}' })).toBe('dependencies php/vendor/');
    expect(fate('php/vendor/a.php', 'x', { 'php/vendor/autoload.php': '' })).toBe('dependencies php/vendor/');
    expect(fate('vendor/bundle/ruby/x.rb')).toBe('dependencies vendor/bundle/');
    expect(fate('other/vendor/a.php', 'x', { 'php/composer.json': '{}' })).toBeNull();
  });

  test('bin and obj are build output beside a project of .NET', () => {
    expect(fate('App/bin/Debug/x.txt', 'x', { 'App/App.csproj': '<Project/>' })).toBe('build App/bin/');
    expect(fate('App/obj/x.txt', 'x', { 'App/App.fsproj': '<Project/>' })).toBe('build App/obj/');
  });

  test('a Python environment is a dependency under any name', () => {
    expect(fate('my-env/lib/x.py', 'x', { 'my-env/pyvenv.cfg': 'home = /usr' })).toBe('dependencies my-env/');
    expect(fate('.env/lib/x.py', 'x', { '.env/pyvenv.cfg': 'home = /usr' })).toBe('dependencies .env/');
  });

  test('a file holding a private key is a secret whatever its name and encoding', () => {
    expect(fate('notes.txt', `Here it is:\n${KEY}`)).toBe('secret notes.txt');
    expect(fate('notes.txt', KEY.replace('PRIVATE', 'RSA PRIVATE').toLowerCase())).toBe('secret notes.txt');
    expect(fate('deploy.json', JSON.stringify({ key: KEY }))).toBe('secret deploy.json');
    expect(fate('a.txt', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl')).toBe('secret a.txt');
    expect(fate('a.txt', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n')).toBe('secret a.txt');
    expect(fate('a.txt', '------BEGIN ENCRYPTED PRIVATE KEY-----\n')).toBe('secret a.txt');
    expect(fate('a.txt', 'PuTTY-User-Key-File-3: ssh-ed25519\n')).toBe('secret a.txt');
    expect(fate('windows.txt', Buffer.from(`\ufeff${KEY}`, 'utf16le'))).toBe('secret windows.txt');
    expect(fate('windows.txt', Buffer.from(KEY, 'utf16le').swap16())).toBe('secret windows.txt');
    expect(fate('public.txt', KEY.replaceAll('PRIVATE', 'PUBLIC'))).toBeNull();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const certificate = KEY.replaceAll('PRIVATE KEY', 'CERTIFICATE');
    expect(fate('tls.yaml', `data:\n  tls.key: ${base64(KEY)}\n`)).toBe('secret tls.yaml');
    expect(fate('tls.yaml', `data:\n  tls.crt: ${base64(certificate)}\n`)).toBeNull();
    expect(fate('tls.yaml', `bundle: "${base64(certificate + KEY)}"`)).toBe('secret tls.yaml');
    expect(fate('deploykey', '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAAAgI')).toBe('secret deploykey');
    expect(fate('deploykey', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1')).toBeNull();
    expect(fate('age.txt', `# public key: age1\nAGE-SECRET-KEY-1${'QZRY9X8GF2'.repeat(6)}`)).toBe('secret age.txt');
    expect(fate('age.md', 'A key begins with AGE-SECRET-KEY-1.')).toBeNull();
    const jwk = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) };
    expect(fate('jwk.json', JSON.stringify({ ...jwk, d: 'd'.repeat(43) }, null, 2))).toBe('secret jwk.json');
    expect(fate('jwk.json', JSON.stringify(jwk))).toBeNull();
    expect(fate('about.md', 'It begins with -----BEGIN ... PRIVATE KEY-----.')).toBeNull();
    expect(fate('cert.txt', KEY.replaceAll('PRIVATE KEY', 'CERTIFICATE'))).toBeNull();
  });

  test('a private key after a certificate is found in Base64 that is wrapped, however long the certificate is', () => {
    const forms = (base64: string, width: number): readonly string[] => {
      const lines = base64.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
      return [
        `${lines.join('\n')}\n`,
        lines.join('\r\n'),
        `tls:\n  bundle: |\n    ${lines.join('\n    ')}\n  name: x\n`,
        JSON.stringify({ bundle: lines.join('\n') }),
      ];
    };
    for (const [length, width] of Array.from({ length: 48 }, (_, at) => [400 + at, at % 2 ? 76 : 64] as const)) {
      const certificate = `-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(length).slice(0, length)}\n-----END CERTIFICATE-----\n`;
      for (const text of forms(Buffer.from(certificate + KEY).toString('base64'), width))
        expect(fate('tls.b64', text), text).toBe('secret tls.b64');
      for (const text of forms(Buffer.from(certificate + certificate).toString('base64'), width))
        expect(fate('tls.b64', text), text).toBeNull();
    }
  });

  test('a private key in Base64 is found below another value that has no padding', () => {
    const value = (text: string) => Buffer.from(text).toString('base64').replaceAll('=', '');
    const certificate = KEY.replaceAll('PRIVATE KEY', 'CERTIFICATE');
    for (const end of ['', '\n', '\n\n'])
      expect(fate('tls.txt', `${value(certificate + end)}\n${value(KEY)}\n`)).toBe('secret tls.txt');
  });

  test('.env.example is kept unless it holds a key', () => {
    expect(fate('.env.example', 'API_KEY=\nDEBUG=1\n')).toBeNull();
    expect(fate('.env.example', `KEY="${KEY}"`)).toBe('secret .env.example');
    expect(fate('.env.example', `AWS=AKIA${'A'.repeat(16)}\n`)).toBe('secret .env.example');
    expect(fate('.env.example', `LINKSHOT_KEY=lsk_${'a'.repeat(43)}\n`)).toBe('secret .env.example');
  });

  test('bytes that are not UTF-8 text are binary', () => {
    expect(fate('a.txt', Buffer.from([0x68, 0xe9]))).toBe('binary a.txt');
    expect(fate('a.txt', 'a\0b')).toBe('binary a.txt');
    expect(fate('a.png', Buffer.from('89504e470d0a1a0a', 'hex'))).toBe('binary a.png');
    expect(fate('a.png', 'only text')).toBeNull();
    expect(fate('empty', '')).toBeNull();
  });

  test('a file over 512 KB is large, one of exactly 512 KB stays', () => {
    expect(fate('a.txt', 'x'.repeat(512 * 1024 + 1))).toBe('large a.txt');
    expect(fate('a.txt', 'x'.repeat(512 * 1024))).toBeNull();
  });

  test('of names that differ only by case the first in order stays', () => {
    const { skipped, kept } = made({
      'readme.md': 'b',
      'README.md': 'a',
      Straße: '1',
      STRASSE: '2',
      'Src/A': '1',
      'src/a': '2',
      'src/b': '3',
    });
    expect(kept).toEqual(['README.md', 'STRASSE', 'Src/A', 'src/b']);
    expect(skipped.map(({ path, reason }) => `${reason} ${path}`)).toEqual([
      'duplicate Straße',
      'duplicate readme.md',
      'duplicate src/a',
    ]);
    expect(made({ 'kır.txt': '1', 'kir.txt': '2', 'KIR.TXT': '3' }).kept).toEqual(['KIR.TXT', 'kır.txt']);
    expect(made({ 'A/x': '1', a: '2', 'a!': '3' }).kept).toEqual(['A/x', 'a!']);
    expect(made({ A: '1', 'a/x': '2', b: '3' }).kept).toEqual(['A', 'b']);
  });
});

describe('the order of the checks: the first reason that applies is given', () => {
  test.each<[SkipReason, SkipReason, path: string, bytes: string | Buffer]>([
    ['service', 'dependencies', 'node_modules/a/.git/config', 'x'],
    ['dependencies', 'build', 'dist/node_modules/x', 'x'],
    ['build', 'secret', 'dist/.env', 'x'],
    ['secret', 'gitignore', 'ignored/.env', 'x'],
    ['gitignore', 'name', 'ignored/con', 'x'],
    ['name', 'path', `${'d/'.repeat(20)}con`, 'x'],
    ['path', 'large', 'x'.repeat(201), 'x'.repeat(600_000)],
    ['large', 'binary', 'a.bin', Buffer.alloc(600_000)],
    ['secret', 'binary', 'b.bin', Buffer.concat([Buffer.from(KEY), Buffer.alloc(9)])],
    ['binary', 'duplicate', 'stays.TXT', Buffer.from([0xff])],
  ])('%s before %s', (reason, _later, path, bytes) => {
    expect(fate(path, bytes, { '.gitignore': '/ignored\n' })).toMatch(new RegExp(`^${reason} `));
  });
});

describe('the root .gitignore', () => {
  test('is applied, and itself left out', () => {
    const folder = made({ '.gitignore': '*.log\n/tmp/\n', 'a.log': 'x', 'b.txt': 'y', 'tmp/c': 'z', 'tmp/d': 'zz' });
    expect(folder).toMatchObject({ gitignore: 'applied', kept: ['b.txt'], files: 1, textBytes: 1, skippedFiles: 4 });
    expect(folder.skipped).toEqual([
      { path: '.gitignore', reason: 'gitignore', files: 1, size: 12 },
      { path: 'a.log', reason: 'gitignore', files: 1, size: 1 },
      { path: 'tmp/', reason: 'gitignore', files: 2, size: 3 },
    ]);
  });

  test('does not exist: none', () => {
    expect(made({ 'a.txt': 'x', 'sub/.gitignore': 'a.txt' })).toMatchObject({ gitignore: 'none', skipped: [] });
  });

  test('cannot be read as text: none, and it is left out all the same', () => {
    expect(made({ '.gitignore': Buffer.from('*\n\0'), 'a.txt': 'x' })).toMatchObject({
      gitignore: 'none',
      kept: ['a.txt'],
    });
  });

  test('that needs too much work is complex, and no pattern is applied', () => {
    const patterns = Array.from({ length: 3_000 }, (_, index) => `${'*a'.repeat(30)}${index}b`).join('\n');
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${'a'.repeat(150)}${index}`, 'x']));
    const folder = made({ ...files, '.gitignore': `*.log\n${patterns}`, 'a.log': 'x' });
    expect(folder).toMatchObject({ gitignore: 'complex', files: 301, skippedFiles: 1 });
  });

  test('is over the size of a file: complex', () => {
    expect(made({ '.gitignore': '#'.repeat(600_000), 'a.txt': 'x' })).toMatchObject({
      gitignore: 'complex',
      kept: ['a.txt'],
    });
  });
});

describe('one top folder', () => {
  test('is dropped from the paths, and its .gitignore counts as the root one', () => {
    const folder = made({ 'top/.gitignore': 'b', 'top/a': '1', 'top/b': '2', 'top/sub/c': '3' });
    expect(folder).toMatchObject({ kept: ['a', 'sub/c'], gitignore: 'applied' });
    expect(folder.skipped.map(({ path }) => path)).toEqual(['.gitignore', 'b']);
  });

  test('is one level only', () => {
    expect(made({ 'a/b/c': '1', 'a/b/d': '2' }).kept).toEqual(['b/c', 'b/d']);
  });

  test('stays when a file is beside it, or two folders begin alike', () => {
    expect(made({ 'top/a': '1', b: '2' }).kept).toEqual(['b', 'top/a']);
    expect(made({ 'top/a': '1', 'top2/b': '2' }).kept).toEqual(['top/a', 'top2/b']);
  });

  test('is found beside what Finder adds', () => {
    expect(made({ 'top/a': '1', '__MACOSX/top/._a': '\0' })).toMatchObject({ kept: ['a'], skippedFiles: 1 });
  });

  test('folders that are listed and empty do not count', () => {
    const archive = forgeZip([{ name: 'empty/' }, { name: 'top/a', bytes: 'x' }]);
    const folder = normaliseArchive(archive);
    expect(folder.ok && folder.value.folder.skipped).toEqual([]);
    expect(folder.ok && readArchive(Buffer.from(folder.value.archive))).toMatchObject({ value: [{ path: 'a' }] });
  });
});

describe('the numbers', () => {
  test('a whole folder is one entry with its files and their size', () => {
    const files = { 'node_modules/a': '12', 'node_modules/b/c': '345', 'x/node_modules/d': '6', 'kept.txt': 'four' };
    expect(made(files)).toEqual({
      files: 1,
      textBytes: 4,
      skipped: [
        { path: 'node_modules/', reason: 'dependencies', files: 2, size: 5 },
        { path: 'x/node_modules/', reason: 'dependencies', files: 1, size: 1 },
      ],
      skippedFiles: 3,
      gitignore: 'none',
      kept: ['kept.txt'],
    });
  });

  test('the first 200 skips are listed in order of their paths, all are counted', () => {
    const files = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${(index * 7) % 250}.pem`, 'x']));
    const { skipped, skippedFiles } = made({ ...files, 'a.txt': 'x' });
    expect(skipped).toHaveLength(200);
    expect(skippedFiles).toBe(250);
    const paths = skipped.map(({ path }) => path);
    expect(paths).toEqual(Object.keys(files).sort().slice(0, 200));
  });

  test('2,000 files stay, 2,001 are too many', () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x']));
    expect(codeOf(files(LIMITS.folderFiles))).toBe('ok');
    expect(codeOf(files(LIMITS.folderFiles + 1))).toBe('FOLDER_TOO_MANY_FILES');
    expect(codeOf({ ...files(LIMITS.folderFiles), 'a.png': '\0', 'b.pem': 'x', 'node_modules/c': 'x' })).toBe('ok');
  });

  test('20 MB of text stay, one byte more is too large', () => {
    const half = 'x'.repeat(512 * 1024);
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, half]));
    expect(codeOf(files)).toBe('ok');
    expect(codeOf({ ...files, more: 'x' })).toBe('FOLDER_TOO_LARGE');
    expect(codeOf({ ...files, binary: '\0' })).toBe('ok');
  });

  test('nothing left is FOLDER_EMPTY', () => {
    expect(codeOf({})).toBe('FOLDER_EMPTY');
    expect(codeOf({ '.env': 'x', 'a.png': '\0' })).toBe('FOLDER_EMPTY');
    expect(codeOf({ '.gitignore': '*', a: 'x' })).toBe('FOLDER_EMPTY');
  });
});

describe('properties of the rules', () => {
  const name = fc.constantFrom(
    'a',
    'B',
    'b',
    '.git',
    'node_modules',
    'dist',
    '.env',
    'x.pem',
    'con',
    'é',
    '😀',
    '\uffee',
    'src',
    '.gitignore',
  );
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

  test('every file is either kept or counted once as skipped, in the same order for any order of the input', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 30 }), fc.string(), (paths, gitignore) => {
        const files = paths.map((each) => ({ path: each, size: 4 }));
        const select = (input: typeof files) => {
          const selection = selectFolder(input, Buffer.from(gitignore));
          const kept = selection.candidates.filter((file) => {
            const offered = selection.add(file, Buffer.from('text'));
            return offered.ok && offered.value === 'kept';
          });
          return { kept, result: selection.finish() };
        };
        const first = select(files);
        expect(select(files.toReversed())).toEqual(first);
        if (!first.result.ok) return;
        expect(first.result.value.files + first.result.value.skippedFiles).toBe(files.length);
        expect(first.kept).toHaveLength(first.result.value.files);
      }),
      { numRuns: 1_000 },
    );
  });

  test('paths are ordered as their UTF-8 bytes are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: lengthOf('RUNS', { short: 1_000, long: 5_000 }) },
    );
    expect(comparePaths('\uffee', '😀')).toBeLessThan(0);
  });

  test('text is what a strict decoder of UTF-8 takes, without NUL', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf),
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 8 }), (bytes) => {
        let isValid = !bytes.includes(0);
        try {
          decoder.decode(Uint8Array.from(bytes));
        } catch {
          isValid = false;
        }
        expect(isText(Uint8Array.from(bytes))).toBe(isValid);
      }),
      { numRuns: lengthOf('RUNS', { short: 2_000, long: 20_000 }) },
    );
  });
});
