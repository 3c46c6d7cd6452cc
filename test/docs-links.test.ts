/** What the documentation points at is there: pages and their headings, sources, and the tests that prove a promise. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => name !== 'README.md');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** As the hosts of repositories make them. */
const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(pages)('%s links to existing files and headings', (page) => {
  const targets = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const lost = targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const led = path === '' ? page : relative(root, resolve(root, dirname(page), path));
    return !existsSync(join(root, led)) || (anchor !== undefined && !anchorsOf(led).includes(anchor));
  });
  expect(lost).toEqual([]);
});

it.each(pages)('%s names no test that is not there', (page) => {
  const named = [...textOf(page).matchAll(/\btest\/[\w./-]+\.(?:test|spec)\.tsx?\b/g)].map(([path]) => path);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it.each(decisions)('docs/decisions/%s has a number, a date, a status and its place in the index', (name) => {
  const text = textOf(`docs/decisions/${name}`);
  const [number = ''] = name.split('-');
  expect(text).toMatch(new RegExp(`^# ${number}\\. .+\n\n- Date: 20\\d\\d-\\d\\d-\\d\\d.*\n- Status: \\w+`));
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
    ...['Context', 'Decision', 'Consequences'],
  ]);
  expect(textOf('docs/decisions/README.md')).toContain(`[${number}](${name})`);
});

/** All that is in the tree, as paths from its root. */
const tree = ['src', 'test', 'scripts', 'docs', 'bin', 'resources', 'packaging'].flatMap((folder) => [
  folder,
  ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
]);

/** A source may be named from any folder above it, as `queue/steps/` of the engine is. */
it.each(pages)('%s names no source and no folder of sources that is not there', (page) => {
  const words = [...textOf(page).matchAll(/`([\w@./-]+)`/g)].map(([, word = '']) => word.replace(/\/$/, ''));
  const named = words.filter((word) => /^(src|test|scripts)\/|\/.*\.(tsx?|mjs|css)$/.test(word));
  expect(named.filter((word) => !tree.some((path) => path === word || path.endsWith(`/${word}`)))).toEqual([]);
});

it('of ours in the comparison links to a test or a page', () => {
  const rows = textOf('docs/comparison.md')
    .split('\n')
    .filter((line) => /^\| \w/.test(line));
  const ours = rows.map((row) => row.split(' | ')[1] ?? '');
  expect(ours.length).toBeGreaterThan(8);
  expect(ours.filter((cell) => !/\]\(\S+\)/.test(cell) && !['**no**', 'MIT'].includes(cell))).toEqual([]);
});

it('the glossary has at most twenty words', () => {
  const words = textOf('docs/glossary.md')
    .split('\n')
    .filter((line) => /^\| (?!Word |---)/.test(line));
  expect(words.length).toBeGreaterThan(10);
  expect(words.length).toBeLessThanOrEqual(20);
});
