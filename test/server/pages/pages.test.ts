import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDuration, formatPeriod, formatSize, formatTimeLeft } from '../../../src/server/pages/format.ts';
import { html } from '../../../src/server/pages/html.ts';
import { languageOf, MESSAGES } from '../../../src/server/pages/messages.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { goodMp4, image, video } from '../../support/media/media.ts';
import { startHeldOpenings } from '../../support/server/held-openings.ts';
import { browser, change, editRow, keepProcessing, publish, read, ready } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { formBrowser, userWithPassword } from '../../support/server/signed-in.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';

const PASSWORD = 'correct horse battery';

let server: RunningServer;
let owner: User;
let chrome: Browser;

beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } } });
  owner = await server.user({ plan: 'pro' });
  chrome = await openBrowser();
});
afterAll(async () => {
  await chrome.close();
  await server.stop();
});

/** A page that records external requests and browser errors. */
const visit = async (options: BrowserContextOptions = {}) => {
  const context = await chrome.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  return { page, faults, close: () => context.close() };
};
const shownWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

describe('Templates', () => {
  it('escape all inserted values, and contain nothing else', () => {
    const evil = `<script>"&'`;
    expect(html`<p title="${evil}">${evil}${[html`<b>${1}</b>`, null, false]}</p>`.markup).toBe(
      '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;<b>1</b></p>',
    );
  });
  it('are in English and Russian, each with every sentence', () => {
    expect(Object.keys(MESSAGES.ru).sort()).toEqual(Object.keys(MESSAGES.en).sort());
    expect(languageOf('ru-RU,ru;q=0.9,en;q=0.8')).toBe('ru');
    expect(languageOf('de,en;q=0.5,ru;q=0.4')).toBe('en');
    expect(languageOf('de')).toBe('en');
    expect(languageOf('ru;q=0,en')).toBe('en');
    expect(languageOf(undefined)).toBe('en');
  });
  it('round sizes and durations for display', () => {
    expect([1, 1023, 1024, 1536 * 1024].map((size) => formatSize(size, 'en'))).toEqual([
      '1\u00a0B',
      '1,023\u00a0B',
      '1\u00a0KB',
      '1.5\u00a0MB',
    ]);
    expect([4_400, 65_000, 3_605_000].map(formatDuration)).toEqual(['0:04', '1:05', '1:00:05']);
    const periods = [1, 600, 86_400, 21 * 86_400];
    expect(periods.map((seconds) => formatPeriod(seconds, 'en'))).toEqual([
      ...['1 minute', '10 minutes', '24 hours', '21 days'],
    ]);
    expect(periods.map((seconds) => formatPeriod(seconds, 'ru').replace('\u00a0', ' '))).toEqual([
      ...['1 минуты', '10 минут', '24 часов', '21 дня'],
    ]);
    const left = [0, 1, 119 * 60, 121 * 60, 21 * 86_400].map((seconds) => seconds * 1_000);
    expect(left.map((ms) => formatTimeLeft(ms, 'en'))).toEqual([
      ...['0 minutes', '1 minute', '119 minutes', '3 hours', '21 days'],
    ]);
    expect(left.map((ms) => formatTimeLeft(ms, 'ru').replace('\u00a0', ' '))).toEqual([
      ...['0 минут', '1 минута', '119 минут', '3 часа', '21 день'],
    ]);
  });
});

describe('The share page', () => {
  it('shows an image with all its metadata, on a phone without scrolling sideways', async () => {
    const item = await publish(server, owner, { title: 'Отчёт <b>2026</b>', tags: ['work'] });
    const { page, faults, close } = await visit({ viewport: { width: 360, height: 700 }, locale: 'ru-RU' });
    await page.goto(item.url);
    expect(await page.getByRole('heading').textContent()).toBe('Отчёт <b>2026</b>');
    const picture = page.getByRole('img', { name: 'Отчёт <b>2026</b>' });
    expect(
      await picture.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight]),
    ).toEqual([320, 200]);
    const text = (await page.textContent('main')) ?? '';
    const size = formatSize((await readFile(await image('png'))).length, 'ru');
    for (const fact of ['320 × 200', size, 'КБ', owner.username, '#work', 'Изображение']) expect(text).toContain(fact);
    expect(await shownWidth(page)).toBeLessThanOrEqual(0);
    expect(await page.getAttribute('html', 'lang')).toBe('ru');
    expect(faults).toEqual([]);
    await close();
  });
  it('keeps the place of the media, so that nothing moves when it arrives', async () => {
    const item = await publish(server, owner, {}, await readFile(await image('jpeg', 1600, 900)));
    for (const width of [390, 1280, 1600]) {
      const { page, close } = await visit({ viewport: { width, height: 800 } });
      await page.route('**/api/media/**', () => {});
      await page.goto(item.url, { waitUntil: 'domcontentloaded' });
      const before = await page.locator('.media').boundingBox();
      await page.unroute('**/api/media/**');
      await page.reload();
      expect(await page.locator('.media').boundingBox()).toEqual(before);
      expect(before?.width).toBeGreaterThan(300);
      expect((before?.width ?? 0) / (before?.height ?? 1)).toBeCloseTo(16 / 9, 1);
      await close();
    }
  });
  it('plays a video by Range and lets it be moved to its middle', async () => {
    const bytes = await readFile(await goodMp4());
    const { id, url } = await publish(server, owner, {}, bytes);
    await ready(server, owner, id);
    const { page, faults, close } = await visit();
    const ranges: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/api/media/') && response.status() === 206)
        ranges.push(response.headers()['content-range'] ?? '');
    });
    await page.goto(url);
    const reached = await page.locator('video').evaluate(
      (element: HTMLVideoElement) =>
        new Promise<number>((resolve, reject) => {
          element.muted = true;
          element.onerror = () => reject(new Error(element.error?.message));
          element.ontimeupdate = () => element.currentTime > 1 && resolve(element.currentTime);
          element.onseeked = () => element.play();
          element.currentTime = 1;
        }),
    );
    expect(reached).toBeGreaterThan(1);
    expect(ranges.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await close();
  });
  it('counts the view of a browser once and none of a bot', async () => {
    const { id, url } = await publish(server, owner);
    await browser(server).page(id);
    const { page, close } = await visit();
    for (let turn = 0; turn < 3; turn++) {
      await Promise.all([page.waitForResponse((response) => response.url().endsWith('/open')), page.goto(url)]);
    }
    expect((await read(server, owner, id)).body.views).toBe(1);
    await close();
  });
  it.each([['with', true] as const, ['without', false] as const])(
    'waits for a video that is not ready and shows it by itself, %s a script',
    async (_, javaScriptEnabled) => {
      const { id, url } = await publish(server, owner, {}, await readFile(await goodMp4()));
      await ready(server, owner, id);
      await editRow(server, "UPDATE content SET mediaStatus = 'FAILED', mediaError = 'x' WHERE id = ?", id);
      const failed = await browser(server).page(id);
      expect(failed.body).toContain(MESSAGES.en.failedVideoTitle);
      await keepProcessing(server, id);
      const { page, close } = await visit({ javaScriptEnabled });
      await page.goto(url);
      await page.getByText(MESSAGES.en.processingTitle).waitFor();
      await editRow(server, "UPDATE content SET mediaStatus = 'READY', mediaError = NULL WHERE id = ?", id);
      await page.locator('video').waitFor();
      await close();
    },
  );
  it('goes on looking for a video after answers that fail, after as long as they ask for', async () => {
    const { id, url } = await publish(server, owner, {}, await readFile(await goodMp4()));
    await ready(server, owner, id);
    await keepProcessing(server, id);
    const { page, close } = await visit();
    await page.clock.install();
    await page.addInitScript(() => {
      const { fetch } = window;
      const broken = () => new ReadableStream({ start: (body) => body.error(new Error('The connection broke.')) });
      const failing = [
        async () => new Response(broken()),
        () => Promise.reject(new TypeError('The server is not reached.')),
        async () => new Response('too many', { status: 429, headers: { 'retry-after': '60' } }),
        async () => new Response('a date', { status: 503, headers: { 'retry-after': new Date().toUTCString() } }),
        ...[500, 502, 404].map((status) => async () => new Response('an error of a proxy', { status })),
      ];
      const looks: number[] = [];
      Object.assign(window, { looks });
      window.fetch = (address, options) => {
        if (options !== undefined) return fetch(address, options);
        looks.push(Date.now());
        return failing.shift()?.() ?? fetch(address);
      };
    });
    await page.goto(url);
    const looks = () => page.evaluate(() => (window as unknown as { looks: number[] }).looks);
    await expect
      .poll(async () => {
        await page.clock.runFor(2_000);
        return (await looks()).length;
      })
      .toBeGreaterThan(7);
    const times = await looks();
    const waits = times.slice(1, 8).map((time, index) => time - (times[index] ?? 0));
    expect(waits.map((wait) => wait >= 60_000)).toEqual([false, false, true, false, false, false, false]);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_000);
    await editRow(server, "UPDATE content SET mediaStatus = 'READY', mediaError = NULL WHERE id = ?", id);
    await expect
      .poll(async () => {
        await page.clock.runFor(2_000);
        return page.locator('video').count();
      })
      .toBe(1);
    await close();
  });
  it('lets in nothing foreign', async () => {
    const { id } = await publish(server, owner);
    const { headers, body } = await browser(server).page(id);
    const policy = headers['content-security-policy'] ?? '';
    const nonce = /script-src 'nonce-([\w-]{22})'/.exec(policy)?.[1];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body.match(/<(script|style)\b[^>]*>/g)?.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
    expect((await browser(server).page(id)).headers['content-security-policy']).not.toBe(policy);
    expect(headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });
  it('shows its days in the time zone of the reader', async () => {
    const item = await publish(server, owner, { title: 'Late in the evening' });
    const [evening, end] = [Date.UTC(2026, 10, 20, 22), Date.UTC(2090, 0, 31, 22)];
    await editRow(server, 'UPDATE content SET "createdAt" = ?, "expiresAt" = ? WHERE id = ?', evening, end, item.id);
    for (const [timezoneId, javaScriptEnabled, created, ends] of [
      ['Pacific/Kiritimati', true, 'November 21, 2026', 'February 1, 2090'],
      ['America/New_York', true, 'November 20, 2026', 'January 31, 2090'],
      ['Pacific/Kiritimati', false, 'November 20, 2026', 'January 31, 2090'],
    ] as const) {
      const { page, faults, close } = await visit({ timezoneId, javaScriptEnabled });
      await page.goto(item.url);
      await page.locator('.by').getByText(created).waitFor();
      await page.getByText(`Available until ${ends}`).waitFor();
      expect(faults).toEqual([]);
      await close();
    }
  });
  it('offers no link that opens nothing for anybody else', async () => {
    const member = await userWithPassword(server, { plan: 'pro' });
    const visitor = formBrowser(server);
    await visitor.signIn(member.username);
    const offersLink = async (id: string) => {
      const { status, body } = await visitor.get(`/s/${id}`);
      expect(status).toBe(200);
      expect(body.includes(' data-url=')).toBe(body.includes('Copy link'));
      return body.includes('Copy link');
    };
    const once = await publish(server, member, { oneTime: true });
    expect(await offersLink(once.id)).toBe(true);
    await browser(server).open(once.id);
    expect(await offersLink(once.id)).toBe(false);
    await change(server, member, once.id, { oneTime: false });
    expect(await offersLink(once.id)).toBe(true);
    const limited = await publish(server, member);
    await change(server, member, limited.id, { viewLimit: 1 });
    expect(await offersLink(limited.id)).toBe(true);
    const viewer = browser(server);
    await viewer.open(limited.id);
    expect(await offersLink(limited.id)).toBe(false);
    expect((await viewer.page(limited.id)).body).not.toContain('Copy link');
    await change(server, member, limited.id, { viewLimit: 2 });
    expect(await offersLink(limited.id)).toBe(true);
  });
  it('offers the download only where the owner allows it', async () => {
    const { id } = await publish(server, owner);
    expect((await browser(server).page(id)).body).toContain('?download=1');
    await change(server, owner, id, { allowDownload: false });
    expect((await browser(server).page(id)).body).not.toContain('?download=1');
  });
});

describe('the page before an item', () => {
  it('opens the item by its password without a script, and reports a wrong one', async () => {
    const { url } = await publish(server, owner, { password: PASSWORD, title: 'Behind the lock' });
    const { page, close } = await visit({ javaScriptEnabled: false, viewport: { width: 360, height: 700 } });
    expect((await page.goto(url))?.status()).toBe(200);
    expect(await shownWidth(page)).toBeLessThanOrEqual(0);
    await page.getByLabel(MESSAGES.en.password).fill('wrong password');
    await page.getByRole('button').click();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe(MESSAGES.en.passwordWrong);
    await page.goto(page.url());
    await page.getByLabel(MESSAGES.en.password).fill(PASSWORD);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Behind the lock' }).waitFor();
    const width = () => page.locator('main img').evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width).toBe(320);
    await page.reload();
    await page.getByRole('heading', { name: 'Behind the lock' }).waitFor();
    await close();
  });
  it('asks to wait after the eleventh wrong password', async () => {
    const { url } = await publish(server, owner, { password: PASSWORD });
    const { page, close } = await visit({ javaScriptEnabled: false });
    await page.goto(url);
    for (let turn = 0; turn < 11; turn++) {
      await page.getByLabel(MESSAGES.en.password).fill('wrong password');
      // Else the next one could be typed into the page that is about to go.
      await Promise.all([page.waitForEvent('load'), page.getByRole('button').click()]);
    }
    await page.getByRole('heading', { name: MESSAGES.en.tooManyTitle }).waitFor();
    await close();
  });
  it('is opened once by its button, and is not available to the next browser', async () => {
    const { url } = await publish(server, owner, { oneTime: true, title: 'Only once' });
    const [first, second] = [await visit(), await visit()];
    await second.page.goto(url);
    await first.page.goto(url);
    await first.page.getByRole('button', { name: MESSAGES.en.open }).click();
    await first.page.getByRole('heading', { name: 'Only once' }).waitFor();
    await second.page.getByRole('button', { name: MESSAGES.en.open }).click();
    await second.page.getByRole('heading', { name: MESSAGES.en.unavailableTitle }).waitFor();
    await first.close();
    await second.close();
  });
  it('accepts a second click before the response has arrived', async () => {
    const { id } = await publish(server, owner, { oneTime: true, title: 'Only once' });
    const line = await startHeldOpenings(server.url);
    const context = await chrome.newContext();
    const page = await context.newPage();
    await page.goto(`${line.url}/s/${id}`);
    const button = await page.getByRole('button', { name: MESSAGES.en.open }).boundingBox();
    if (button === null) throw new Error('The page has no button.');
    const middle = [button.x + button.width / 2, button.y + button.height / 2] as const;
    await page.mouse.click(...middle);
    await expect.poll(line.openings).toBe(1);
    await page.mouse.click(...middle);
    line.release();
    await page.getByRole('heading', { name: 'Only once' }).waitFor();
    await context.close();
    await line.close();
  });
});

describe('A link preview', () => {
  const preview = async (id: string) =>
    (await browser(server).page(id)).body.match(/<meta (property="og:|name="author")[^>]*>/g) ?? [];

  it('describe plain items, with the author as the owner chose', async () => {
    const open = await publish(server, owner, { visibility: 'public', title: 'Seen by all' });
    const tags = (await preview(open.id)).join('');
    for (const part of ['Seen by all', `${server.url}/api/media/${open.id}`, 'og:image:type', `(@${owner.username})`])
      expect(tags).toContain(part);
    const quiet = await server.user();
    await editRow(server, 'UPDATE accounts SET previewAuthor = 0, unlistedPreviews = 0 WHERE id = ?', quiet.accountId);
    const anonymous = await publish(server, quiet, { visibility: 'public' });
    expect((await preview(anonymous.id)).join('')).not.toContain(quiet.username);
    expect(await preview((await publish(server, quiet)).id)).toEqual([]);
    expect(await preview((await publish(server, owner)).id)).not.toEqual([]);
  });
  it('never describe protected, one-time or limited items', async () => {
    const limited = await publish(server, owner, { visibility: 'public' });
    await change(server, owner, limited.id, { viewLimit: 5 });
    for (const { id } of [
      await publish(server, owner, { visibility: 'public', password: PASSWORD }),
      await publish(server, owner, { oneTime: true }),
      limited,
    ])
      expect(await preview(id)).toEqual([]);
  });
  it('asks search engines to stay away from all but public items', async () => {
    const [unlisted, open] = [await publish(server, owner), await publish(server, owner, { visibility: 'public' })];
    expect((await browser(server).page(unlisted.id)).body).toContain('noindex');
    expect((await browser(server).page(open.id)).body).not.toContain('noindex');
  });
  it.each([
    ['unlisted', 'noindex'],
    ['public', null],
  ])('asks search engines the same about all that is loaded of an item that is %s', async (visibility, robots) => {
    const { id } = await publish(server, owner, { visibility });
    const bytes = zipOf({ 'main.ts': 'const a = 1;\n' });
    const fields = { visibility };
    const sending = { path: '/api/v1/folders', key: owner.apiKey, bytes, filename: 'app.zip', fields } as const;
    const folder = (await sendFile(server.url, sending)).body.content;
    for (const path of [
      `/api/media/${id}`,
      `/api/media/${id}/preview`,
      `/api/media/${id}/preview.jpg`,
      `/api/media/${folder.id}`,
      `/s/${folder.id}/raw?file=main.ts`,
      `/oembed?url=${encodeURIComponent(`${server.url}/s/${id}`)}`,
    ]) {
      // The preview is made meanwhile.
      await expect.poll(async () => (await fetch(server.url + path)).status, { message: path }).toBe(200);
      for (const method of ['GET', 'HEAD'])
        expect((await fetch(server.url + path, { method })).headers.get('x-robots-tag'), path).toBe(robots);
    }
  });
});

describe('The server at its root', () => {
  it('describes the service and links to the documentation', async () => {
    const { page, faults, close } = await visit();
    await page.goto(server.url);
    await page.getByRole('link', { name: MESSAGES.en.homeDocs }).click();
    await page.getByText('Linkshot API').first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

describe('an address that leads nowhere', () => {
  const get = (path: string, accept: string) => fetch(`${server.url}${path}`, { headers: { accept } });

  it('is a page in browsers, and problem details for programs and in the whole of the API', async () => {
    const page = await get('/nothing/here', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<main');
    const undecodable = await get('/s/%zz', 'text/html');
    expect([undecodable.status, undecodable.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    for (const [path, accept] of [
      ['/nothing/here', '*/*'],
      ['/api/v1/nothing', 'text/html'],
    ] as const) {
      const answer = await get(path, accept);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    }
  });
});

describe('A tall video', () => {
  it('is as high as the window lets it and no higher', async () => {
    const tall = await video('tall-page.mp4', {
      size: '180x640',
      args: [
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-pix_fmt',
        'yuv420p',
        '-crf',
        '40',
        '-c:a',
        'aac',
        '-b:a',
        '32k',
      ],
    });
    const { id, url } = await publish(server, owner, {}, await readFile(tall));
    await ready(server, owner, id);
    const { page, close } = await visit({ viewport: { width: 1280, height: 600 } });
    await page.goto(url);
    expect((await page.locator('.media').boundingBox())?.height).toBeLessThanOrEqual(600 * 0.76 + 1);
    await close();
  });
});
