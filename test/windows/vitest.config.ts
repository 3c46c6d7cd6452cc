/** The scenarios of `npm run test:windows`: on Windows, or on Linux with processes under Wine (docs/platforms.md). */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/windows/*.test.ts'],
    // Wine uses one processor.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 100 } },
  },
});
