/**
 * Starts the headless Chromium of tests; no other module starts one. Debian's headless shell has the same engine
 * without the browser's own window, which saves three quarters of the processor time of a page; where it is missing,
 * Chromium itself is used.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { PATIENCE_MS } from '../poll-timeouts.ts';

/** With a window, for a screen. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

export const HEADLESS: LaunchOptions & { readonly args: string[] } = {
  executablePath: process.env['CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM),
  args: [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    ...['--disable-component-update', '--disable-sync'],
    // A page of a test ends before what the optimising compiler makes of its scripts has paid for itself.
    '--js-flags=--no-opt',
  ],
};

/** The address at which the test run provides the worker's browser; absent outside of tests. */
export const RUN_ADDRESS = 'LINKSHOT_TEST_RUN';

/**
 * A browser without contexts. In a test it is the worker's, started once for all files of the run; its `close` closes
 * what was opened here and keeps the browser, including its clipboard, for the next file.
 */
export const openBrowser = async (): Promise<Browser> => {
  const run = process.env[RUN_ADDRESS];
  if (run === undefined) return chromium.launch(HEADLESS);
  const answer = await fetch(`${run}/browser/${process.env['VITEST_POOL_ID'] ?? 'main'}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return patient(await chromium.connect(text));
};

/** In its pages whoever waits for a condition waits as long as a busy machine needs. */
const patient = (browser: Browser): Browser => {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
};
