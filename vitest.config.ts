import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BUILT } from './scripts/test-run/built-variable.ts';
import { ALONE } from './test/alone.ts';
import { BY_OWN_COMMAND } from './test/by-own-command.ts';
import { FAST } from './test/fast.ts';
import { InDrawnOrder, LongestFirst } from './test/longest-first.ts';
import { skippedOnWindows } from './test/not-on-windows.ts';
import { ALSO_ON_ENGINES } from './test/on-engines.ts';

/** With slashes, as Vite names modules on Windows too. */
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url)).replaceAll('\\', '/');
/** Windows starts a process several times as slowly, and Wine more so. */
const LONGEST_MS = process.platform === 'win32' ? 1_200_000 : 300_000;
const seededFastCheck = path('./test/support/seeded-fast-check.ts');

/** Whoever imports fast-check has it with a seed. */
const withSeed: Plugin = {
  name: 'seeded-fast-check',
  enforce: 'pre',
  resolveId: (source, importer) => (source === 'fast-check' && importer !== seededFastCheck ? seededFastCheck : null),
};

const builtWorkerFile = path('./test/support/processes/built-worker-file.ts');

/** `npm test` starts workers as they ship. */
const withBuiltWorkers: Plugin = {
  name: 'built-workers',
  enforce: 'pre',
  resolveId: (source) =>
    process.env[BUILT] === '1' && source.endsWith('base/node/worker-file.ts') ? builtWorkerFile : null,
};

const allOf = (path: string): string => (path.endsWith('.ts') ? path : `${path}/**`);

/** Playwright's, and those that have a configuration of their own. */
const OTHERS = ['test/e2e/**', 'test/windows/**', 'test/browsers/**'];
const OF_OTHER_COMMANDS = process.env['LONG'] === undefined ? Object.values(BY_OWN_COMMAND).flat().map(allOf) : [];
const ALONE_FILES = Object.keys(ALONE);
const HAS_NAMED_ENGINES = process.env['LINKSHOT_TEST_ENGINES'] !== undefined;
/** Where the engines come from Debian's packages, unless this run has named its engines: then all files are on them. */
const IS_ON_ENGINES_TOO = process.platform === 'linux' && !HAS_NAMED_ENGINES;

/**
 * Starting a process costs the more, the more memory its parent has: of 500 MB, 23 ms in pages of 4 KiB and 2 ms in pages of
 * 2 MiB. Without a limit of arenas, workers of many files grow to 700 MB.
 */
process.env['MALLOC_ARENA_MAX'] ??= '2';
process.env['GLIBC_TUNABLES'] ??= 'glibc.malloc.hugetlb=1';

export default defineConfig({
  plugins: [withSeed, withBuiltWorkers, skippedOnWindows, react()],
  resolve: { alias: { electron: path('./test/support/electron/index.ts') } },
  test: {
    reporters: ['default'],
    // Each project adds its own.
    exclude: OF_OTHER_COMMANDS,
    globalSetup: ['scripts/test-run/run-folder.ts'],
    pool: 'forks',
    // A worker of many files spends a fifth of its time on collecting short-lived objects with Node's 16 MB for them, and
    // looks through all others each time they have grown by a few megabytes or nothing has happened for a while.
    execArgv: ['--max-semi-space-size=32', '--initial-old-space-size=512', '--no-memory-reducer'],
    // Real processes and browsers wait for each other: with a worker for each core, a third of the processor is idle.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: process.env['ORDER'] === undefined ? LongestFirst : InDrawnOrder },
    // They end what hangs. No test expects to be quicker: a busy machine may take ten times as long as an idle one.
    testTimeout: LONGEST_MS,
    hookTimeout: LONGEST_MS,
    // Whoever waits for a condition waits as long as a busy machine needs.
    expect: { poll: { timeout: 240_000 } },
    env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: [...FAST],
          setupFiles: ['test/support/fast-guard.ts', 'test/support/shared-guard.ts', 'test/support/every-file.ts'],
          // Nothing of theirs outlives a file: they share one process for each core, and what it has imported.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['test/**/*.test.{ts,tsx}'],
          // Records in a file are quick; on other engines the same tests need a network.
          exclude: [...OTHERS, ...(HAS_NAMED_ENGINES ? [] : FAST), ...ALONE_FILES],
          globalSetup: ['test/support/browser/for-the-run.ts'],
          setupFiles: ['test/support/shared-guard.ts', 'test/support/every-file.ts'],
          // A start of Node, its imports and the first page of a browser cost more than most files.
          isolate: false,
        },
      },
      ...(IS_ON_ENGINES_TOO
        ? [
            {
              extends: true,
              test: {
                name: 'engines',
                include: [...ALSO_ON_ENGINES],
                env: { LINKSHOT_TEST_ENGINES: 'postgres,s3' },
                globalSetup: ['test/support/browser/for-the-run.ts'],
                setupFiles: ['test/support/shared-guard.ts', 'test/support/every-file.ts'],
                isolate: false,
              },
            } as const,
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE_FILES,
          globalSetup: ['test/support/browser/for-the-run.ts'],
          setupFiles: ['test/support/every-file.ts'],
        },
      },
      // Chromium is the browser of all other tests.
      ...(process.env['BROWSERS'] === undefined
        ? []
        : [
            {
              extends: true,
              test: {
                name: 'browsers',
                include: ['test/browsers/**/*.test.ts'],
                globalSetup: ['test/support/browser/for-the-run.ts'],
                setupFiles: ['test/support/every-file.ts'],
              },
            } as const,
          ]),
    ],
  },
});
