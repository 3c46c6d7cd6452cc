import { defineConfig } from '@playwright/test';
import { HEADLESS } from './test/support/browser/chromium.ts';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  projects: [
    { name: 'here', testDir: 'test/e2e' },
    // The desktop app on Electron's own binary, where that is.
    { name: 'electron', testDir: 'test/electron' },
  ],
  workers: 1,
  timeout: 120_000,
  // Whoever waits for a condition waits as long as a crowded machine needs.
  expect: { timeout: 20_000 },
  // Told as "flaky": a browser on a crowded machine.
  retries: 1,
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    actionTimeout: 20_000,
    headless: true,
    screenshot: 'only-on-failure',
    launchOptions: HEADLESS,
  },
});
