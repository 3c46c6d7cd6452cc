/** The server's pages under a finger: every target is large enough, and nothing scrolls sideways. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorPath } from '../../../src/server/pages/share/share-layout.ts';
import { axeViolations, overflows, smallTargets } from '../../support/audit/page-audit.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { goodMp4 } from '../../support/media/media.ts';
import { publish, ready } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } } as const;
const LONG = 'Снимок экрана с очень длинным названием 2026-11-22 в 11.45.31, второй монитор';
const TEXT = `# Notes\n\n- [x] One\n\n\`\`\`\n${'a-long-line-of-code '.repeat(20)}\n\`\`\`\n`;

let server: RunningServer;
let owner: User;
let chrome: Browser;
const paths: Record<string, string> = {};

beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } } });
  owner = await userWithPassword(server, { plan: 'pro' });
  chrome = await openBrowser();
  const open = { visibility: 'unlisted', title: LONG } as const;
  const note = async (body: Record<string, unknown>): Promise<string> => {
    const { apiKey: key } = owner;
    const answer = await ask<{ id: string }>(server.url, { method: 'POST', path: '/api/v1/pastes', key, body });
    return answer.body.id;
  };
  const picture = await publish(server, owner, open);
  await publish(server, owner, { ...open, visibility: 'public' });
  const video = await publish(server, owner, open, await readFile(await goodMp4()));
  await ready(server, owner, video.id);
  const folder = await sendFile(server.url, {
    path: '/api/v1/folders',
    filename: 'project.zip',
    key: owner.apiKey,
    bytes: zipOf({ 'README.md': TEXT, 'src/deep/er/add.ts': 'export const one = 1;\n' }),
    fields: open,
  });
  const device = { deviceId: 'd', deviceName: 'A laptop with quite a long name', client: null };
  for (const more of [{}, { device }])
    await server.server.keys.add({ accountId: owner.accountId, scopes: ['content:read'], ...more });
  Object.assign(paths, {
    home: '/',
    'sign-in': '/sign-in',
    nowhere: '/nothing/here',
    picture: `/s/${picture.id}`,
    video: `/s/${video.id}`,
    markdown: `/s/${await note({ ...open, text: TEXT, format: 'markdown' })}`,
    code: `/s/${await note({ ...open, text: TEXT, format: 'code', language: 'typescript' })}`,
    folder: `/s/${folder.body.id}`,
    'folder-search': `/s/${folder.body.id}?q=add`,
    'folder-file': `/s/${folder.body.id}?file=src/deep/er/add.ts`,
    lock: `/s/${await note({ ...open, text: 'x', format: 'plain', password: 'correct horse' })}`,
    items: '/account/items',
    'no items': '/account/items?q=nothing',
    item: `/account/items/${picture.id}`,
    account: '/account',
    security: '/account/security',
    code_of_device: '/connect/device',
    author: authorPath(owner.username),
  });
});
afterAll(async () => {
  await chrome.close();
  await server.stop();
});

const OF_ACCOUNT = ['items', 'no items', 'item', 'account', 'security', 'code_of_device', 'author'];
const OF_GUESTS = [
  'home',
  'sign-in',
  'nowhere',
  'picture',
  'video',
  'markdown',
  'code',
  'folder',
  'folder-search',
  'folder-file',
  'lock',
];

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${server.url}/sign-in`);
  await page.locator('#username').fill(owner.username);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/account$/);
};

// The longer words in the narrower window.
describe.each([
  { locale: 'en-US', width: 390 },
  { locale: 'ru-RU', width: 320 },
])('on a phone in $locale', ({ locale, width }) => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await chrome.newContext({ ...PHONE, locale });
    page = await context.newPage();
  });
  afterAll(() => context.close());

  const examine = async (name: string): Promise<void> => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await axeViolations(page)).toEqual([]);
    expect({ name, width, isWider: await overflows(page) }).toEqual({ name, width, isWider: false });
    expect({ name, width, small: await smallTargets(page) }).toEqual({ name, width, small: [] });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(page, 'contrast')).toEqual([]);
  };

  it.each(OF_GUESTS)('the page %s', async (name) => {
    await page.goto(`${server.url}${paths[name]}`);
    await examine(name);
  });

  it('the page of a one-time link, before and after it is opened', async () => {
    const { id } = await publish(server, owner, { visibility: 'unlisted', title: LONG, oneTime: true });
    await page.goto(`${server.url}/s/${id}`);
    await examine('one-time');
    await Promise.all([page.waitForEvent('load'), page.locator('main form button').tap()]);
    await page.getByText(LONG).first().waitFor();
    await examine('one-time, opened');
  });

  it('the pages of the account, with everything opened', async () => {
    await signIn(page);
    for (const name of OF_ACCOUNT) {
      await page.goto(`${server.url}${paths[name]}`);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await examine(name);
    }
    await page.goto(`${server.url}${paths['items']}`);
    await page.getByRole('checkbox').first().check();
    await page.locator('form .button.danger').click();
    await page.waitForURL(/\/delete$/);
    await examine('deletion');
  });
});
