/**
 * The Chromium that tests drive without a screen, and the one way to start it. Debian's headless shell has the same engine without
 * the window of the browser around it, which costs three quarters of the processor time of a page; where it is not, Chromium itself.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/** With a window, for a screen. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

export const HEADLESS: LaunchOptions & { readonly args: string[] } = {
  executablePath: process.env['CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM),
  args: [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    ...['--disable-component-update', '--disable-sync'],
  ],
};

/** Where the run of the tests says which browser is the worker's; absent in a program that is no test. */
export const RUN_ADDRESS = 'LINKSHOT_TEST_RUN';

/**
 * A browser without contexts. In a test it is the one of the worker, started once for all files of the run; its `close` ends what was
 * opened here and leaves the browser, with what is on its clipboard, to the next file.
 */
export const openBrowser = async (): Promise<Browser> => {
  const run = process.env[RUN_ADDRESS];
  if (run === undefined) return chromium.launch(HEADLESS);
  const answer = await fetch(`${run}/browser/${process.env['VITEST_POOL_ID'] ?? 'main'}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return chromium.connect(text);
};
