/** The list of the long test files: it names files that exist, and a run starts with them in its order. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { BY_OWN_COMMAND } from './by-own-command.ts';
import { LONG_FILES } from './long-files.ts';
import { LongestFirst } from './longest-first.ts';

const root = resolve(import.meta.dirname, '..');

it('every long test file is there, is run by npm test, and is named once', () => {
  expect(LONG_FILES.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const byOwnCommand = Object.values(BY_OWN_COMMAND).flat();
  expect(LONG_FILES.filter((file) => byOwnCommand.includes(file))).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});

it('the longest start first, and the projects stay apart', async () => {
  const [first = '', second = ''] = LONG_FILES;
  const real = { name: 'real', config: { isolate: true, sequence: { groupOrder: 0 } } };
  const fast = { ...real, name: 'fast' };
  const specification = (project: typeof real, file: string) =>
    ({ project, moduleId: join(root, file) }) as unknown as TestSpecification;
  const sequencer = new LongestFirst({ cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest);
  const files = [
    specification(real, 'test/test-count.test.ts'),
    specification(real, second),
    specification(fast, 'test/fast.ts'),
    specification(real, first),
  ];
  const sorted = await sequencer.sort(files);
  expect(sorted.map(({ moduleId }) => moduleId.slice(root.length + 1))).toEqual([
    'test/fast.ts',
    first,
    second,
    'test/test-count.test.ts',
  ]);
});
