import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { FAST } from './test/fast.ts';
import { LongestFirst } from './test/longest-first.ts';
import { skippedOnWindows } from './test/not-on-windows.ts';

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

export default defineConfig({
  plugins: [withSeed, skippedOnWindows, react()],
  resolve: { alias: { electron: path('./test/support/electron/index.ts') } },
  test: {
    reporters: ['default'],
    globalSetup: ['scripts/test-run/run-folder.ts'],
    pool: 'forks',
    // Real processes and browsers wait for each other: with a worker for each core, a third of the processor is idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
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
          setupFiles: ['test/support/fast-guard.ts'],
          // Nothing of theirs outlives a file: they share one process for each core, and what it has imported.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**', 'test/windows/**', ...FAST],
          globalSetup: ['test/support/browser/for-the-run.ts'],
        },
      },
    ],
  },
});
