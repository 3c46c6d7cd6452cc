/** Opens a window before each test of a file and closes it afterwards. Browser errors fail the test. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { type RendererPages, startRendererPages } from './renderer-page.ts';

interface EachWindow {
  readonly context?: BrowserContextOptions;
  /** Makes the MP4 that every recording in review is. */
  readonly recording?: () => Promise<string>;
  /** Gets the window of the test that begins, and brings it to where the test begins. */
  readonly use: (page: Page, pages: RendererPages) => Promise<void> | void;
}

export const windowForEachTest = ({ context = {}, recording, use }: EachWindow): void => {
  let pages: RendererPages;
  let opened: { readonly page: Page; readonly problems: readonly string[] };
  beforeAll(async () => {
    pages = await startRendererPages(recording === undefined ? {} : { recording: await recording() });
  });
  afterAll(() => pages.close());
  beforeEach(async () => {
    opened = await pages.open(context);
    await use(opened.page, pages);
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.page.context().close();
  });
};

/** What the window has asked of its host by this command, in order. */
export const callsOf = (page: Page, command: CommandName): Promise<unknown[]> =>
  page.evaluate(
    (name) => window.double.calls.filter((call) => call.command === name).map(({ input }) => input),
    command,
  );
