/** What `npm test` leaves out exists, has a command, and runs in a workflow. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { programOf } from '../scripts/test-run/package-command.ts';
import { AT_LENGTH, BY_OWN_COMMAND } from './by-own-command.ts';

const root = resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const workflows = globSync('.github/workflows/*.yml', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

it.each(Object.entries(BY_OWN_COMMAND))('npm run %s runs the files that npm test leaves out', (command, paths) => {
  const all = [...paths, ...(AT_LENGTH[command as keyof typeof BY_OWN_COMMAND] ?? [])];
  expect(all.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  // Desktops one after the other: beside each other, none has the processor time for its start and its frames.
  const order = command === 'test:desktops' ? '--no-file-parallelism ' : '';
  expect(scripts[command]).toBe(`node scripts/test-run/long.ts ${order}${all.join(' ')}`);
});

it('no project of npm test has a file of another command', () => {
  const [node, ...words] = [...programOf('vitest'), 'list', '--filesOnly', '--json'];
  const { LONG: _, LINKSHOT_TEST_ENGINES: __, ...env } = process.env;
  const listed = JSON.parse(execFileSync(node, words, { cwd: root, env, encoding: 'utf8' })) as { file: string }[];
  const files = listed.map(({ file }) => relative(root, file).replaceAll('\\', '/'));
  expect(files).toContain('test/by-own-command.test.ts');
  const others = Object.values(BY_OWN_COMMAND).flat();
  expect(files.filter((file) => others.some((path) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
});

it.each(Object.entries(BY_OWN_COMMAND))('npm run %s is run by a workflow', (command, paths) => {
  const atNight = scripts['test:long']?.split(' ').slice(2) ?? [];
  const isAtNight = paths.every((path) => atNight.some((filter) => path.includes(filter)));
  expect(workflows).toContain(`- run: npm run ${isAtNight ? 'test:long' : command}\n`);
});
