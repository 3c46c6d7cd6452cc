/** The account's items in a browser, without scripts and with them, and the share button of share pages on a phone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } } as const;
const TITLE = 'A picture of a meadow';

let server: RunningServer;
let owner: User;
let picture: Content;
let chrome: Browser;
beforeAll(async () => {
  server = await startServer();
  owner = await userWithPassword(server, { plan: 'pro' });
  picture = await publish(server, owner, { visibility: 'unlisted', title: TITLE });
  await publish(server, owner, { visibility: 'public', title: TITLE });
  chrome = await openBrowser();
});
afterAll(async () => {
  await chrome.close();
  await server.stop();
});

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${server.url}/sign-in`);
  await page.locator('#username').fill(owner.username);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/account$/);
};

describe('the share button of a share page', () => {
  /** Replaces the browser's own sheet, which a test cannot close. */
  const visit = async (answer: 'shared' | 'AbortError' | 'NotAllowedError' | 'no sheet'): Promise<Page> => {
    const page = await (await chrome.newContext(PHONE)).newPage();
    await page.addInitScript((how) => {
      const opened: ShareData[] = [];
      Object.assign(window, { opened });
      Object.defineProperty(Navigator.prototype, 'canShare', { value: how === 'no sheet' ? undefined : () => true });
      navigator.share = async (data) => {
        opened.push(data ?? {});
        if (how !== 'shared') throw new DOMException('', how);
      };
    }, answer);
    await page.goto(picture.url);
    return page;
  };
  const button = (page: Page) => page.locator('.system-share');

  it.each(['shared', 'AbortError', 'NotAllowedError'] as const)(
    'opens the sheet with the link (%s)',
    async (answer) => {
      const page = await visit(answer);
      await button(page).tap();
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { opened: ShareData[] }).opened))
        .toEqual([{ title: TITLE, url: picture.url }]);
      await expect
        .poll(() => button(page).textContent())
        .toBe(answer === 'NotAllowedError' ? 'Couldn’t share' : 'Share');
      await page.context().close();
    },
  );

  it('is absent in a browser without a sheet', async () => {
    const page = await visit('no sheet');
    expect(await page.locator('.copy').first().isVisible()).toBe(true);
    expect(await button(page).isVisible()).toBe(false);
    await page.context().close();
  });
});

describe('the account without scripts', () => {
  it('searches, changes and deletes items', async () => {
    const context = await chrome.newContext({ ...PHONE, javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page);
    await publish(server, owner, { title: 'To be deleted', visibility: 'unlisted' });
    await page.getByRole('link', { name: 'Items' }).click();
    await page.getByLabel('Title or tag').fill('deleted');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'To be deleted' }).click();
    // The list has a field with such a label too.
    await page.waitForURL(/\/account\/items\/\w+$/);
    await page.getByLabel('Title').fill('Deleted soon');
    await page.getByLabel('Private').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Deleted soon');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/account\/items\/delete$/);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 item deleted.').waitFor();
    expect(await page.getByText('Deleted soon').count()).toBe(0);
    await context.close();
  });
});

describe('the account with scripts', () => {
  it('selects all items of a page at once, and copies the formats of a link', async () => {
    const context = await chrome.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await signIn(page);
    await page.goto(`${server.url}/account/items`);
    const boxes = page.locator('input[name=id]');
    await page.getByLabel('Select all on this page').check();
    expect(await boxes.evaluateAll((all: HTMLInputElement[]) => all.every(({ checked }) => checked))).toBe(true);
    await boxes.first().uncheck();
    expect(
      await page
        .getByLabel('Select all on this page')
        .evaluate(({ checked, indeterminate }: HTMLInputElement) => [checked, indeterminate]),
    ).toEqual([false, true]);
    await page.goto(`${server.url}/account/items/${picture.id}`);
    await page.getByText('More formats').click();
    await page.getByRole('button', { name: 'Copy: Markdown' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `![${TITLE}](${server.url}/api/media/${picture.id})`,
    );
    await context.close();
  });
});
