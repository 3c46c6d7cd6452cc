/**
 * Renders the server's pages, from share pages to sign-in and account, in both themes and languages and at three
 * widths; for review only.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Content } from '../../src/api/content.ts';
import { packFiles } from '../../src/server/folders/normalise-archive.ts';
import { withChapters } from '../../test/support/media/media.ts';
import { change, editRow, type Fields, publish, ready, remove } from '../../test/support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../test/support/server/server.ts';
import { ask } from '../../test/support/server/service-client.ts';
import { PASSWORD, userWithPassword } from '../../test/support/server/signed-in.ts';
import { sendFile } from '../../test/support/server/single-request-upload.ts';
import { NOTE } from './share-pages.ts';

const WIDTHS = [390, 1024, 1600];
const HEIGHT = 900;
/** Longer pages are cut. */
const HEIGHT_MAX = 2_400;
const CODE = `${NOTE.slice(NOTE.indexOf('const wait'), NOTE.indexOf('minute') + 6)}\n\nexport const patience = [1, 2, 3].map(wait); ${'// a long remark '.repeat(12)}\n`;
const FILES = {
  'README.md': '# Small app\n\nStart it with `npm start`. See [the plan](docs/plan.md).',
  'docs/plan.md': '# Plan\n\n1. Make it work\n2. Make it fast',
  'src/main.ts': CODE,
  'src/parser/a-name-that-is-long-enough-to-leave-no-room-for-anything-else-in-its-line.ts': CODE,
  'package.json': '{ "name": "small-app" }\n',
};

interface Place {
  readonly name: string;
  readonly reach: (page: Page) => Promise<unknown>;
}

const makePlaces = async (server: RunningServer, owner: User, picture: Buffer): Promise<readonly Place[]> => {
  const { url } = server;
  const movie = readFileSync(await withChapters('mp4'));
  const item = async (fields: Fields, bytes: Buffer = picture, changed: Fields = {}): Promise<string> => {
    const { id } = await publish(
      server,
      owner,
      { visibility: 'unlisted', title: 'Visitors in November', ...fields },
      bytes,
    );
    if (Object.keys(changed).length > 0) await change(server, owner, id, changed);
    return id;
  };
  const note = async (body: Fields): Promise<string> => {
    const path = '/api/v1/pastes';
    const answer = await ask<Content>(url, {
      method: 'POST',
      path,
      key: owner.apiKey,
      body: { visibility: 'unlisted', ...body },
    });
    return answer.body.id;
  };
  const video = await item({ title: 'How it works' }, movie);
  await ready(server, owner, video);
  const waiting = await item({ title: 'How it waits' }, movie);
  await ready(server, owner, waiting);
  const failed = await item({ title: 'How it fails' }, movie);
  await ready(server, owner, failed);
  await editRow(server, "UPDATE content SET mediaStatus = 'FAILED', mediaError = 'x' WHERE id = ?", failed);
  const removed = await item({});
  await remove(server, owner, removed);
  const folder = await sendFile(url, {
    path: '/api/v1/folders',
    key: owner.apiKey,
    bytes: packFiles(Object.entries(FILES).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))),
    filename: 'small-app.zip',
    fields: { title: 'Small app' },
  });
  const folderId = folder.body.content.id;
  const locked = await item({ password: PASSWORD });
  const connect = new URLSearchParams({
    ...{ client_id: 'desktop', device_name: 'Mira’s laptop', device_id: 'd', code_challenge: 'c'.repeat(43) },
    redirect_uri: 'http://127.0.0.1:4567/callback',
  });
  const at = (name: string, path: string): Place => ({ name, reach: (page) => page.goto(url + path) });
  const signedIn = (name: string, path: string, then = async (_: Page): Promise<void> => {}): Place => ({
    name,
    reach: async (page) => {
      await page.goto(`${url}/account`);
      if ((await page.locator('#username').count()) > 0 && (await page.locator('#password').count()) > 0) {
        await page.locator('#username').fill(owner.username);
        await page.locator('#password').fill(PASSWORD);
        await page.locator('button[type=submit]').click();
        await page.waitForURL(/account/);
      }
      await page.goto(url + path);
      await then(page);
    },
  });
  return [
    at('home', '/'),
    at('picture', `/s/${await item({ tags: ['dashboard', 'november'] })}`),
    at('picture-without-title', `/s/${await item({ title: undefined })}`),
    at('video', `/s/${video}`),
    {
      name: 'video-waiting',
      reach: async (page) => {
        await editRow(server, "UPDATE content SET mediaStatus = 'PROCESSING' WHERE id = ?", waiting);
        return page.goto(`${url}/s/${waiting}`);
      },
    },
    at('video-failed', `/s/${failed}`),
    at('note', `/s/${await note({ title: 'Release notes', text: NOTE, format: 'markdown' })}`),
    at('code', `/s/${await note({ title: 'wait.ts', text: CODE, format: 'code', language: 'typescript' })}`),
    at('folder', `/s/${folderId}`),
    at('folder-file', `/s/${folderId}?file=${encodeURIComponent('src/main.ts')}`),
    at('password', `/s/${locked}`),
    {
      name: 'password-wrong',
      reach: async (page) => {
        await page.goto(`${url}/s/${locked}`);
        await page.locator('#password').fill('not it');
        await page.locator('button[type=submit]').click();
        await page.locator('#complaint').waitFor();
      },
    },
    at('one-time', `/s/${await item({ oneTime: true })}`),
    at('limited', `/s/${await item({}, picture, { viewLimit: 3 })}`),
    at('gone', `/s/${removed}`),
    at('nowhere', '/nothing/here'),
    at('sign-in', '/sign-in'),
    {
      name: 'sign-in-wrong',
      reach: async (page) => {
        await page.goto(`${url}/sign-in`);
        await page.locator('#username').fill(owner.username);
        await page.locator('#password').fill('not it');
        await page.locator('button[type=submit]').click();
        await page.waitForLoadState();
      },
    },
    signedIn('account', '/account'),
    signedIn('connect', `/connect?${connect}`),
    signedIn('connect-device', '/connect/device'),
    at('connect-invalid', '/connect?client_id=x'),
    at('docs', '/docs'),
  ];
};

/** Pictures are `share-NAME-WIDTH-THEME-LANGUAGE.png`. */
export const drawShareMatrix = async (browser: Browser, picture: Buffer, folder: string): Promise<void> => {
  const limits = { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 };
  const server = await startServer({ config: { limits } });
  try {
    const owner = await userWithPassword(server, { plan: 'pro' });
    const places = await makePlaces(server, owner, picture);
    for (const locale of ['en-GB', 'ru-RU']) {
      // Each page is opened by a new visitor, without cookies.
      for (const { name, reach } of places) {
        const context = await browser.newContext({
          locale,
          timezoneId: 'UTC',
          viewport: { width: 1024, height: HEIGHT },
        });
        const page = await context.newPage();
        await reach(page);
        await page.waitForLoadState('networkidle');
        for (const colorScheme of ['light', 'dark'] as const)
          for (const width of WIDTHS) {
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
            await page.setViewportSize({ width, height: HEIGHT });
            const whole = await page.evaluate(() => document.documentElement.scrollHeight);
            const clip = { x: 0, y: 0, width, height: Math.min(HEIGHT_MAX, whole) };
            const file = `share-${name}-${width}-${colorScheme}-${locale.slice(0, 2)}.png`;
            writeFileSync(join(folder, file), await page.screenshot({ fullPage: true, clip }));
          }
        await context.close();
      }
    }
  } finally {
    await server.stop();
  }
};
