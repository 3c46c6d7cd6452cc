import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const electronDouble = fileURLToPath(new URL('./test/support/electron/index.ts', import.meta.url));

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { electron: electronDouble } },
  test: {
    reporters: ['default'],
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**'],
    globalSetup: ['test/support/browser/for-the-run.ts'],
    pool: 'forks',
    // Real processes wait more than they compute: each core has a worker.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Whoever waits for a condition waits as long as a crowded machine needs.
    expect: { poll: { timeout: 30_000 } },
    env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
  },
});
