import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { excludedBy } from '../../../src/common/folder/match-gitignore.ts';
import { lengthOf } from '../../support/campaign.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { createGitJudge } from '../../support/folder/git-check-ignore.ts';

const git = createGitJudge();
afterAll(() => rmSync(git.folder, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);

const ours = (gitignore: string, paths: readonly string[]) => {
  const excluded = excludedBy(bytes(gitignore), paths);
  if (!excluded) throw new Error('Judged too complex');
  return [...excluded.keys()].sort();
};

const expectAsGit = (gitignore: string, paths: readonly string[]) => {
  const unique = [...new Set(paths)];
  expect(ours(gitignore, unique), JSON.stringify(gitignore)).toEqual([...git.excluded(gitignore, unique)].sort());
};

/** Of generated patterns, each judged on so many generated paths. */
const LISTS = lengthOf('RUNS', { short: 80, long: 2_000 });
const PATHS_OF_LIST = 50;

// biome-ignore format: a table
const PATHS = [
  'a', 'b', 'ab', 'abc', 'A', 'a/b', 'a/b/c', 'b/a', 'a/x/b', 'a/x/y/b', 'foo', 'foo/bar', 'foo/bar/baz', 'x/foo',
  'x/foo/bar', 'foo.txt', 'x/foo.txt', 'foo.txt/y', '#foo', '!foo', 'foo ', ' foo', 'a]b', 'a-b', 'a\\b', 'a*b',
  'é', 'é/x', 'ééé', 'aé', '日本.txt', 'node_modules/a/index.js', 'src/build/out.js', 'build/x', 'Build/x', '.env',
  'x/.env', 'a.b.c', 'deep/a/b/c/d/e/f', 'ax', 'a/ax', 'aab', 'foo\r', 'dir/.gitignore', '[', 'a[b', 'x/a/b',
  'aa/b', 'ab/c/x', 'tab\tname', '😀', 'x😀y'
];

describe('a .gitignore is judged as git judges it', () => {
  test.each([
    ['names, anchors and folders', 'foo\n/a/b\nbuild/\n*.txt\nx/\n'],
    ['taking back in, but not from an excluded folder', '*\n!*.txt\n!foo/\n!foo/bar\n'],
    ['double stars', '**/foo\na/**/b\nfoo/**\n**\n!a/**\n'],
    ['double stars beside a literal, which only git reads so', 'a**/b\n'],
    ['a double star at the end of a literal', 'foo/b**\n'],
    ['three stars and an empty segment', 'a***/x\na**//\na***/b\n***/foo\n'],
    ['an escaped slash after double stars', '**\\/foo\n'],
    ['a slash that is escaped at the end', 'foo\\/\n'],
    ['comments, escapes and spaces', '#foo\n\\#foo\n\\!foo\nfoo\\ \nb   \n a\n'],
    ['a backslash at the end', 'a\\\nfoo\\\\\n'],
    ['brackets', '[ab]\n[!a]b\n[^f]oo\na[]]b\na[a-c]\n[a-\n[[:upper:]]\n[[:nope:]]\n[]-a]x\na[\\]b]b\n[c-a]b\n'],
    ['a bracket that is never closed', 'a[b\n[\n'],
    ['question marks are bytes', '?\n??\na?\n'],
    ['a mark of byte order, line ends of Windows', '\ufefffoo\r\nbar\r\n\r\n'],
    ['no line end at the end', 'foo\nbar\r'],
    ['folders by a path', 'foo/bar/\n/x/\n'],
    ['nothing at all', '\n\n/\n!\n!/\n//\n   \n'],
    ['the dot files', '.*\n!/.env\n'],
    ['one level of stars', '*/foo\n/*\n!/a\n/a/*\n!/a/b\n'],
  ])('%s', (_, gitignore) => expectAsGit(gitignore, PATHS));

  test('on generated pairs of pattern and path', () => {
    const segment = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', 'é', ' ', '.', '-', 'x', '\\', ']', '[', '*', '😀', '#', '!'),
      minLength: 1,
      maxLength: 4,
    });
    const path = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join('/'))
      .filter((text) => !/(^|\/)(\.\.?)(\/|$)/.test(text));
    // biome-ignore format: a table
    const piece = fc.constantFrom(
      'a', 'b', 'a', 'b', 'x', 'A', 'é', ' ', '.', '-', '*', '*', '**', '***', '/', '/', '/**/', '**/', '/**', '?',
      '[ab]', '[!a]', '[a-x]', '[^-b]', '[]a]', '[[:alpha:]]', '[[:punct:]x]', '[a', '\\', '\\*', '\\a', '\\ ',
      '\\/', '!', '#', '[\\]]'
    );
    const line = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const negated = fc.tuple(fc.constantFrom('', '', '!'), line).map((parts) => parts.join(''));
    // git needs seconds for many stars on a long name: few of them are enough to compare.
    const tame = negated.filter((text) => (text.match(/\*+/g) ?? []).length <= 3);
    fc.assert(
      fc.property(
        fc.array(tame, { minLength: 1, maxLength: 4 }),
        fc.uniqueArray(path, { minLength: PATHS_OF_LIST, maxLength: PATHS_OF_LIST }),
        fc.constantFrom('\n', '\r\n'),
        (lines, paths, lineEnd) => expectAsGit(lines.join(lineEnd), paths),
      ),
      { numRuns: LISTS },
    );
  });

  test('on the trees of installed packages, with their own kinds of patterns', () => {
    const paths = git.tree(['fastify', 'typebox', 'react-aria-components']);
    expect(paths.length).toBeGreaterThan(500);
    for (const gitignore of [
      '*.md\n!README.md\n/test/\nlib/**/*.js\n',
      'dist\n*.d.ts\n!**/types/*.d.ts\nbuild/**/[a-m]*\n',
      '/*\n!/fastify\n!/typebox\n/fastify/*\n!/fastify/lib\n*.[cm]js\n',
    ]) {
      expectAsGit(gitignore, paths);
    }
  });
});

/** A tenth of what one evaluation may cost: 100 ms of a processor of 2.5 GHz. */
const FEW_STEPS = 4_000_000;

describe('no pattern can hang the judge', () => {
  test.each([
    ['eight stars on a long name', `${'*a'.repeat(8)}b\n`, 'a'.repeat(200)],
    ['a hundred stars', `${'*a'.repeat(100)}b\n`, 'a'.repeat(200)],
    ['a hundred double stars', `${'**/a/'.repeat(100)}b\n`, 'a/'.repeat(99).concat('x')],
    ['question marks and stars', `${'?*'.repeat(100)}b\n`, 'a'.repeat(200)],
    ['a star in each of many folders', `${'*/'.repeat(100)}b\n`, 'a/'.repeat(101).concat('x')],
  ])('%s: an answer after few steps', (_, gitignore, path) => {
    expect(excludedBy(bytes(gitignore), [path, `${path}c`], FEW_STEPS)?.size).toBe(0);
  });

  test('patterns that need too much work are not evaluated', () => {
    const paths = Array.from({ length: 50_000 }, (_, index) => `folder/${'a'.repeat(150)}${index}`);
    const gitignore = bytes(Array.from({ length: 200 }, (_, index) => `${'*a'.repeat(20)}${index}b`).join('\n'));
    expect(excludedBy(gitignore, paths)).toBeNull();
  });

  test('what is not counted as a step costs little: half a megabyte of patterns of every kind, few steps', () => {
    for (const unit of ['**/', '[a]', '*', '?', '\\', '[', '[[:alnum:]]', '*a', '!', 'a\n', '/', '[[:']) {
      const spent = cpuMs(() => {
        const paths = ['a/b/c', 'a'.repeat(60_000), 'a/'.repeat(30_000).concat('b')];
        excludedBy(bytes(unit.repeat(512 * 1024).slice(0, 512 * 1024)), paths, FEW_STEPS);
      });
      expect(spent, unit).toBeLessThan(2_000);
    }
  });

  test('an ordinary .gitignore of 400 patterns over 5,000 files is applied', () => {
    const patterns = Array.from({ length: 400 }, (_, index) => (index % 2 ? `[Dd]ir${index}/` : `*.ext${index}`));
    const paths = Array.from({ length: 5_000 }, (_, index) => `src/part${index % 50}/file${index}.ext${index % 7}`);
    const excluded = excludedBy(bytes(patterns.join('\n')), paths);
    expect(excluded?.size).toBe(paths.filter((path) => /ext[0246]$/.test(path)).length);
  });
});

test('an excluded path is named by its outermost excluded folder', () => {
  const excluded = excludedBy(bytes('logs/\n*.tmp\n'), ['logs/a/b', 'x/logs/c', 'y.tmp', 'z/y.tmp', 'kept']);
  const named = [...(excluded ?? [])].map(([path, out]) => [path, out.path]);
  expect(Object.fromEntries(named)).toEqual({
    'logs/a/b': 'logs/',
    'x/logs/c': 'x/logs/',
    'y.tmp': 'y.tmp',
    'z/y.tmp': 'z/y.tmp',
  });
});
