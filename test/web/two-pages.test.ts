/** Two pages of one browser, with all parts real: neither loses the other's drafts or errors, nor its own at a restart. */
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { type BrowserHost, startBrowserHost } from '../../src/web/start-browser-host.ts';
import { openBrowser } from '../support/browser/chromium.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildRenderer } from '../support/window/renderer-build.ts';

const profileDir = join(temporaryFolder('web-two-pages'), 'profile');
let rendererDir: string;
let host: BrowserHost;
let browser: Browser;
let context: BrowserContext;

const startHost = async (): Promise<void> => {
  const started = await startBrowserHost({
    ...{ profileDir, rendererDir, port: 0, secrets: async () => createMemoryKeyStore(), service: 'profile' },
    opener: { open: async () => ok(undefined) },
    environment: { ...process.env, LINKSHOT_CLIPBOARD: 'page' },
    log: () => {},
  });
  if (!started.ok) throw new Error(started.error.detail);
  host = started.value;
};
const open = async (): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(host.address);
  await page.getByRole('navigation').first().waitFor();
  return page;
};

beforeAll(async () => {
  rendererDir = await buildRenderer('shipped');
  await startHost();
  browser = await openBrowser();
  context = await browser.newContext({ locale: 'en-GB' });
});
afterAll(async () => {
  await browser.close();
  await host.close();
});

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const write = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    location.hash = '#note';
  });
  await text(page).waitFor();
};
const type = async (page: Page, words: string): Promise<void> => {
  await text(page).click();
  await page.keyboard.insertText(words);
  await page.getByText('Draft saved').waitFor();
};
const says = (page: Page, words: string) => expect.poll(() => text(page).innerText()).toContain(words);

it('each writes a new note of its own, and what they leave is taken up again, one after the other', async () => {
  const [first, second] = [await open(), await open()];
  await write(first);
  await type(first, 'words of the first');
  await write(second);
  expect(await text(second).innerText()).not.toContain('words of the first');
  await type(second, 'words of the second');
  await first.close();
  await second.close();

  const third = await open();
  await write(third);
  await says(third, 'words of the first');
  const fourth = await open();
  await write(fourth);
  await says(fourth, 'words of the second');
  await third.close();
  await fourth.close();
});

it('keeps what is typed while the host is ended, though the page of the next start gives it its key', async () => {
  const first = await open();
  await write(first);
  await type(first, 'typed before');
  await host.close();
  await first.getByText('isn’t responding').first().waitFor();
  await first.keyboard.insertText(' and meanwhile');
  await startHost();
  await first.getByText('previous session').first().waitFor();
  const second = await open();
  await first.getByText('Draft saved').waitFor();
  await says(first, 'typed before and meanwhile');
  await first.close();
  await write(second);
  await says(second, 'typed before and meanwhile');
  await second.close();
});

it('what went wrong is known to both, outlives the page and the host, and is taken away in both', async () => {
  const [first, second] = [await open(), await open()];
  const entry = (page: Page) => page.getByRole('button', { name: /^Messages, 1 / });
  // As the page itself reports to the host.
  await first.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/bridge`, [
      'linkshot',
      `key.${sessionStorage.getItem('linkshot-key')}`,
    ]);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const input = { failure: { code: 'DISK_FULL', detail: 'inner words' } };
    socket.send(JSON.stringify({ id: 1, command: 'problem.note', input }));
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  });
  await entry(first).waitFor();
  await entry(second).waitFor();
  await second.close();
  await first.close();
  await host.close();
  await startHost();

  const [third, fourth] = [await open(), await open()];
  await entry(fourth).waitFor();
  await entry(third).click();
  await third.getByRole('dialog').getByText('This computer’s disk is full').first().waitFor();
  await third.getByRole('button', { name: 'Dismiss all' }).click();
  await entry(third).waitFor({ state: 'detached' });
  await entry(fourth).waitFor({ state: 'detached' });
});
