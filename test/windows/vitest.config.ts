/** The scenarios of `npm run test:windows`: they run on Linux, and observe processes under Wine (docs/platforms.md). */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/windows/*.test.ts'],
    // There is one Wine, using one processor.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 100 } },
  },
});
