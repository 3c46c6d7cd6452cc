/** What a reader can do on a share page beside reading it, in real Chromium: with and without scripts. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { startOf } from '../../../src/server/pages/share/media-page.ts';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { isLong } from '../../support/campaign.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { goodMp4, image } from '../../support/media/media.ts';
import { change, publish, ready } from '../../support/server/items.ts';
import { PATIENT_RENDERING, type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';

const PASSWORD = 'correct horse battery';
const CLIPBOARD: BrowserContextOptions = { permissions: ['clipboard-read', 'clipboard-write'] };
const NO_SCRIPTS: BrowserContextOptions = { javaScriptEnabled: false };

let server: RunningServer;
let owner: User;
let chrome: Browser;
beforeAll(async () => {
  const limits = { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 };
  server = await startServer({ config: { limits, rendering: PATIENT_RENDERING } });
  owner = await server.user({ plan: 'pro' });
  chrome = await openBrowser();
});
afterAll(async () => {
  await chrome.close();
  await server.stop();
});

const open = async (address: string, options: BrowserContextOptions = {}) => {
  const context = await chrome.newContext(options);
  const page = await context.newPage();
  await page.goto(address);
  return { page, close: () => context.close() };
};
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const note = async (text: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Content> => {
  const body = { text, visibility: 'unlisted', format: 'code', language: 'typescript', ...fields };
  return (await ask<Content>(server.url, { method: 'POST', path: '/api/v1/pastes', key: owner.apiKey, body })).body;
};
const video = async (fields: Readonly<Record<string, unknown>> = {}): Promise<Content> => {
  const item = await publish(server, owner, { visibility: 'unlisted', ...fields }, await readFile(await goodMp4()));
  return ready(server, owner, item.id);
};
const FILES = {
  'README.md': '# Small app\n',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`src/part ${index}/file-${index}.ts`, `export const a = ${index};\n`]),
  ),
  'docs/Plan of the year.md': '# Plan\n',
};
const folder = async (files: Readonly<Record<string, string>> = FILES): Promise<Content> =>
  (
    await sendFile(server.url, {
      ...{ path: '/api/v1/folders', key: owner.apiKey, filename: 'small-app.zip' },
      ...{ bytes: zipOf(files), fields: { visibility: 'unlisted' } },
    })
  ).body.content;

describe('The page of a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('copies the picture itself (%s)', async (format) => {
    const item = await publish(server, owner, {}, await readFile(await image(format, 320, 200)));
    const { page, close } = await open(item.url, CLIPBOARD);
    await page.getByRole('button', { name: 'Copy image' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const base64 = await page.evaluate(async () => {
      const [entry] = await navigator.clipboard.read();
      const bytes = await (await entry?.getType('image/png'))?.bytes();
      return bytes === undefined ? '' : btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    });
    const { width, height } = await sharp(Buffer.from(base64, 'base64')).metadata();
    expect([width, height]).toEqual([320, 200]);
    await close();
  });

  it('leads to the original without a script, and offers to save it only where that is allowed', async () => {
    const item = await publish(server, owner);
    const { page, close } = await open(item.url, NO_SCRIPTS);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Original', exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/api/media/${item.id}`);
    await change(server, owner, item.id, { allowDownload: false });
    const markup = await (await fetch(item.url)).text();
    expect(markup).not.toContain('Copy image');
    expect(markup).not.toContain('download');
    await close();
  });
});

describe('The page of a video', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['1m30s', 90],
    ['1h1m1s', 3_661],
    ['2m', 120],
    ['1:30', 90],
    ['1:00:05', 3_605],
    ['', 0],
    ['-5', 0],
    ['soon', 0],
    ['7201', 0],
    ['99999999', 0],
    [['1', '2'], 0],
    [undefined, 0],
  ])('reads the start %j as %i seconds', (t, seconds) => {
    expect(startOf(t, 7_200_000)).toBe(seconds);
  });

  it('starts at the second of its address, without a script too', async () => {
    const item = await video();
    const { page, close } = await open(`${item.url}?t=1s`);
    await expect.poll(() => page.locator('video').evaluate((one: HTMLVideoElement) => one.currentTime)).toBe(1);
    await close();
    expect(await (await fetch(`${item.url}?t=1`)).text()).toContain(`src="/api/media/${item.id}#t=1"`);
    expect(await (await fetch(`${item.url}?t=3600`)).text()).toContain(`src="/api/media/${item.id}"`);
  });

  it('copies a link that starts at the current second', async () => {
    const item = await video();
    const { page, close } = await open(item.url, CLIPBOARD);
    const copy = page.getByRole('button', { name: 'Copy link at current time' });
    await copy.click();
    await expect.poll(() => copied(page)).toBe(item.url);
    await page.locator('video').evaluate(async (one: HTMLVideoElement) => {
      const seeking = new Promise((resolve) => one.addEventListener('seeking', resolve, { once: true }));
      one.currentTime = 1.5;
      await seeking;
    });
    await page.getByRole('button', { name: 'Copied' }).click();
    await expect.poll(() => copied(page)).toBe(`${item.url}?t=1`);
    await close();
  });

  it('plays at the chosen speed, and apart from the page where the browser can', async () => {
    const item = await video();
    const { page, close } = await open(item.url);
    await page.getByLabel('Speed').selectOption('1.5');
    expect(await page.locator('video').evaluate((one: HTMLVideoElement) => one.playbackRate)).toBe(1.5);
    const canPlayApart = await page.evaluate(() => document.pictureInPictureEnabled);
    expect(await page.getByRole('button', { name: 'Picture in picture' }).isVisible()).toBe(canPlayApart);
    await close();
  });

  it('shows no control that needs a script where scripts are blocked', async () => {
    const { page, close } = await open((await video()).url, NO_SCRIPTS);
    expect(await page.locator('main button:visible, main select:visible').count()).toBe(0);
    expect(await page.locator('video[controls]').isVisible()).toBe(true);
    await close();
  });
});

const CODE = Array.from({ length: 40 }, (_, index) => `export const line${index + 1} = ${index + 1};`).join('\n');
const lineNumber = (page: Page, number: number) => page.getByRole('link', { name: `${number}`, exact: true });
const marked = (page: Page): Promise<string[]> =>
  page.locator('.line.marked').evaluateAll((lines) => lines.map(({ id }) => id));

describe('The lines of a text', () => {
  it('are links that mark one line, a range by Shift, and an address that is copied with them', async () => {
    const { url } = await note(CODE);
    const { page, close } = await open(url, CLIPBOARD);
    await lineNumber(page, 3).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#L3');
    await expect.poll(() => marked(page)).toEqual(['L3']);
    await lineNumber(page, 5).click({ modifiers: ['Shift'] });
    await expect.poll(() => new URL(page.url()).hash).toBe('#L3-L5');
    expect(await marked(page)).toEqual(['L3', 'L4', 'L5']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => copied(page)).toBe(`${url}#L3-L5`);
    await close();
  });

  it('are marked and shown when the address names a range', async () => {
    const { url } = await note(CODE);
    const { page, close } = await open(`${url}#L38-L36`, { viewport: { width: 800, height: 300 } });
    expect(await marked(page)).toEqual(['L36', 'L37', 'L38']);
    await expect
      .poll(() => page.locator('#L36').evaluate((line) => line.getBoundingClientRect().top))
      .toBeLessThan(300);
    await close();
  });

  it('take one place in the tab order, and the arrow keys move between them', async () => {
    const { url } = await note(CODE);
    const { page, close } = await open(url);
    await lineNumber(page, 1).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#L3');
    expect(await page.locator('.line > a:not([tabindex="-1"])').count()).toBe(1);
    await close();
  });

  it('are marked and wrapped without a script', async () => {
    const { url } = await note(`${'word '.repeat(100)}\nsecond\n`);
    const { page, close } = await open(url, NO_SCRIPTS);
    await lineNumber(page, 2).click();
    await expect.poll(() => page.locator('#L2').evaluate((line) => line.matches(':target'))).toBe(true);
    const hidden = () => page.locator('pre.code').evaluate((block) => block.scrollWidth - block.clientWidth);
    expect(await hidden()).toBeGreaterThan(0);
    await page.getByLabel('Wrap lines').check();
    expect(await hidden()).toBe(0);
    await close();
  });

  it('are the text alone when it is copied by hand', async () => {
    const { url } = await note(CODE);
    const { page, close } = await open(url);
    const selected = await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.querySelector('pre.code') as Element);
      return getSelection()?.toString();
    });
    expect(selected?.trimEnd()).toBe(CODE);
    await close();
  });
});

describe('A Markdown note', () => {
  it('shows its source and its rendered text by links, without a script', async () => {
    const { url } = await note('# The plan\n\nSome *words*.\n', { format: 'markdown', language: undefined });
    const { page, close } = await open(url, NO_SCRIPTS);
    await page.getByRole('link', { name: 'Source' }).click();
    await expect.poll(() => page.locator('pre.code').textContent()).toBe('# The plan\n\nSome *words*.\n');
    expect(await page.locator('.line').count()).toBe(3);
    await page.getByRole('link', { name: 'Rendered' }).click();
    await expect.poll(() => page.locator('.markdown em').textContent()).toBe('words');
    await close();
  });
});

describe('The search in a folder', () => {
  const shown = (page: Page): Promise<string[]> => page.locator('.tree .file:visible > span').allTextContents();

  it('filters the files by words of their paths while the reader types', async () => {
    const { page, close } = await open((await folder()).url);
    const before = await shown(page);
    await page.getByRole('searchbox', { name: 'Find a file' }).fill('PART 1 .ts');
    expect(await shown(page)).toEqual(['file-1.ts', 'file-10.ts', 'file-11.ts']);
    expect(await page.getByRole('status').textContent()).toBe('Files found: 3');
    await page.getByRole('searchbox').fill('nothing like it');
    expect(await shown(page)).toEqual([]);
    expect(await page.getByRole('status').textContent()).toBe('No files found.');
    await page.getByRole('searchbox').fill('');
    expect(await shown(page)).toEqual(before);
    await close();
  });

  it('is answered by the server without a script', async () => {
    const { url } = await folder();
    const { page, close } = await open(url, NO_SCRIPTS);
    await page.getByRole('searchbox', { name: 'Find a file' }).fill('plan');
    await page.getByRole('button', { name: 'Find' }).click();
    await expect.poll(() => shown(page)).toEqual(['docs/Plan of the year.md']);
    expect(await page.getByRole('status').textContent()).toBe('Files found: 1');
    await page.getByRole('link', { name: 'All files' }).click();
    await expect.poll(() => shown(page)).toContain('file-11.ts');
    await page.goto(`${url}?q=${encodeURIComponent('<b>"x')}`);
    expect(await page.getByRole('searchbox').inputValue()).toBe('<b>"x');
    expect(await page.getByRole('status').textContent()).toBe('No files found.');
    // Each word is looked for in each file: a request of 15 kB does not ask for 7,500 of them.
    await page.goto(`${url}?q=${'a+'.repeat(7_500)}`);
    expect((await page.getByRole('searchbox').inputValue()).length).toBeLessThanOrEqual(200);
    await close();
  });

  it.each([{}, NO_SCRIPTS])('finds a name however its letters are composed (%o)', async (options) => {
    const onDisk = 'Чертёж.md'.normalize('NFD');
    const { page, close } = await open((await folder({ ...FILES, [`docs/${onDisk}`]: 'x' })).url, options);
    for (const form of ['NFC', 'NFD']) {
      await page.getByRole('searchbox', { name: 'Find a file' }).fill('чертёж'.normalize(form));
      await page.getByRole('searchbox').press('Enter');
      await expect.poll(() => page.getByRole('status').textContent()).toBe('Files found: 1');
      expect(await shown(page)).toEqual([expect.stringContaining(onDisk)]);
    }
    await close();
  });

  it('asks the server again where the list has only the files that were found', async () => {
    const { page, close } = await open(`${(await folder()).url}?q=plan`);
    expect(await shown(page)).toEqual(['docs/Plan of the year.md']);
    await page.getByRole('searchbox').fill('file-11');
    expect(await page.getByRole('status').textContent()).toBe('Files found: 1');
    await page.getByRole('searchbox').press('Enter');
    await expect.poll(() => shown(page)).toEqual(['src/part 11/file-11.ts']);
    await close();
  });

  it('is absent where the list is short', async () => {
    expect(await (await fetch((await folder({ 'a.ts': 'a' })).url)).text()).not.toContain('role="search"');
  });
});

describe('The page of a file in a folder', () => {
  it('copies a link to this file with its marked lines', async () => {
    const { url } = await folder();
    const address = `${url}?file=${encodeURIComponent('src/part 3/file-3.ts')}`;
    const { page, close } = await open(`${address}#L1`, CLIPBOARD);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await copied(page);
    expect(new URL(link).searchParams.get('file')).toBe('src/part 3/file-3.ts');
    expect(new URL(link).hash).toBe('#L1');
    expect((await fetch(link)).status).toBe(200);
    await close();
  });
});

describe('A link to a part of a protected item', () => {
  it('opens that part after the password, without a script', async () => {
    const item = await video({ password: PASSWORD });
    const { page, close } = await open(`${item.url}?t=1&x=2`, NO_SCRIPTS);
    await page.getByLabel('Password').fill('wrong password');
    // Else the right one could be typed into the page that is about to go.
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Unlock' }).click()]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?t=1');
    expect(await page.locator('video').getAttribute('src')).toBe(`/api/media/${item.id}#t=1`);
    await close();
  });
});

describe('A link to lines of a protected item', () => {
  it('marks them after the password, also after a wrong one', async () => {
    const item = await note(CODE, { password: PASSWORD });
    const { page, close } = await open(`${item.url}?view=source#L2-L3`);
    await page.getByLabel('Password').fill('wrong password');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Unlock' }).click()]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect.poll(() => page.locator('.line.marked').count()).toBe(2);
    expect(page.url()).toBe(`${item.url}?view=source#L2-L3`);
    await close();
  });
});

describe('All of these pages', () => {
  const LOOKS = [
    [390, 'light', 'ru-RU'],
    [1280, 'dark', 'en-US'],
  ] as const;
  // `npm run test:screens` has both.
  it.each(isLong ? LOOKS : LOOKS.slice(0, 1))(
    'can be read and used at %i pixels, %s, %s',
    async (width, colorScheme, locale) => {
      const { url } = await folder();
      const markdown = await note('# Plan\n\n- [ ] a\n', { format: 'markdown', language: undefined });
      const addresses = [
        (await publish(server, owner)).url,
        (await video()).url,
        `${(await note(CODE)).url}#L3-L5`,
        markdown.url,
        `${markdown.url}?view=source`,
        url,
        `${url}?q=plan`,
        `${url}?file=README.md`,
      ];
      const [first = ''] = addresses;
      const { page, close } = await open(first, { viewport: { width, height: 800 }, colorScheme, locale });
      for (const address of addresses) {
        await page.goto(address);
        expect(await axeViolations(page), address).toEqual([]);
        expect(await overflows(page), address).toBe(false);
      }
      await close();
    },
  );
});
