import { defineConfig } from '@playwright/test';
import { HEADLESS } from './test/support/browser/chromium.ts';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  projects: [
    { name: 'here', testDir: 'test/e2e' },
    // The desktop app on Electron's own binary, where that is.
    { name: 'electron', testDir: 'test/electron' },
  ],
  // They wait more than they compute.
  workers: 2,
  timeout: 300_000,
  // Whoever waits for a condition waits as long as a crowded machine needs.
  expect: { timeout: 60_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    actionTimeout: 60_000,
    headless: true,
    screenshot: 'only-on-failure',
    launchOptions: HEADLESS,
  },
});
