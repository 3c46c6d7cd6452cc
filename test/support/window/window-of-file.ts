/** Shares one window between all tests of a file or group. Browser errors fail the group. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RendererPages, startRendererPages } from './renderer-page.ts';

/** `use` gets the window before the first test, and brings it to where the tests begin. */
export const windowOfFile = (use: (page: Page) => Promise<void> | void, context: BrowserContextOptions = {}): void => {
  let pages: RendererPages;
  let problems: readonly string[];
  beforeAll(async () => {
    pages = await startRendererPages();
    const opened = await pages.open(context);
    problems = opened.problems;
    await use(opened.page);
  });
  afterAll(async () => {
    expect(problems).toEqual([]);
    await pages.close();
  });
};
