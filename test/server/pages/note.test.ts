/** The share pages of notes, in real Chromium and over HTTP (API decisions 6). */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Content, PASTE_LANGUAGES } from '../../../src/api/content.ts';
import { NOTE_LANGUAGES } from '../../../src/common/rendering/code-languages.ts';
import { TEXT_MESSAGES } from '../../../src/server/pages/share/notes-and-folders/messages.ts';
import { unaligned } from '../../support/audit/alignment.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { longestBlockMs } from '../../support/cpu-time.ts';
import { PATIENT_RENDERING, type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

const PASSWORD = 'correct horse battery';
const SECRET = 'the secret words';

let service: RunningServer;
let owner: User;
let chrome: Browser;
beforeAll(async () => {
  const limits = { requestsPerMinute: 100_000, guestRequestsPerMinute: 100_000 };
  service = await startServer({ config: { limits, rendering: PATIENT_RENDERING } });
  owner = await service.user({ plan: 'pro' });
  chrome = await openBrowser();
});
afterAll(async () => {
  await chrome.close();
  await service.stop();
});

const create = async (body: Record<string, unknown>): Promise<Content> => {
  const answer = await ask<Content>(service.url, {
    method: 'POST',
    path: '/api/v1/pastes',
    key: owner.apiKey,
    body: { format: 'plain', ...body },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const patch = (id: string, body: unknown) =>
  ask<Content>(service.url, { method: 'PATCH', path: `/api/v1/content/${id}`, key: owner.apiKey, body });
const views = async (id: string): Promise<number> =>
  (await ask<Content>(service.url, { path: `/api/v1/content/${id}`, key: owner.apiKey })).body.views;

/** A page that records external requests and browser errors. */
const visit = async (address: string, options: BrowserContextOptions = {}) => {
  const context = await chrome.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(address);
  return { page, faults, close: () => context.close() };
};

describe('The page of a note', () => {
  it('shows Markdown, loads nothing from elsewhere, and names its kind', async () => {
    const note = await create({
      text: '# The plan\n\n- [x] done\n\n| a |\n|---|\n| b |\n\n![cat](https://example.org/cat.png)\n\n<script>document.title = "hacked"</script>',
      format: 'markdown',
      tags: ['work'],
      ttl: 'week',
    });
    const { page, faults, close } = await visit(note.url);
    expect(await page.title()).toBe('The plan · Linkshot');
    expect(await page.getByRole('heading', { name: 'The plan' }).count()).toBe(1);
    expect(await page.getByRole('checkbox', { name: 'Done' }).isDisabled()).toBe(true);
    expect(await page.getByRole('cell', { name: 'b' }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'cat' }).getAttribute('href')).toBe('https://example.org/cat.png');
    const text = (await page.textContent('main')) ?? '';
    for (const part of ['Markdown', '11\u00a0lines', owner.username, '#work', 'Available until', '<script>'])
      expect(text).toContain(part);
    expect(faults).toEqual([]);
    await close();
  });

  it.each(PASTE_LANGUAGES)(
    'shows code of %s with its numbered lines, and a link to a line shows it',
    async (language) => {
      const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1} <b> & "c"`);
      const note = await create({ text: lines.join('\n'), format: 'code', language });
      const { page, faults, close } = await visit(`${note.url}#L100`);
      expect(await page.locator('pre.code').textContent()).toBe(lines.join('\n'));
      expect(await page.locator('.line').count()).toBe(120);
      expect(await page.locator('#L100').evaluate((line) => line.matches(':target'))).toBe(true);
      await expect
        .poll(() => page.locator('#L100').evaluate((line) => line.getBoundingClientRect().top))
        .toBeLessThan(720);
      expect(await page.textContent('.bar')).toContain(language === 'text' ? 'Code' : NOTE_LANGUAGES[language].label);
      expect(faults).toEqual([]);
      await close();
    },
  );

  it('shows plain text unchanged', async () => {
    const text = '\n<b>not bold</b>\n\tindented\n  *stars*\n';
    const { page, close } = await visit((await create({ text })).url);
    expect(await page.locator('pre.plain').textContent()).toBe(text);
    await close();
  });

  it('shows a text that would cost too much plain, and keeps answering', async () => {
    const note = await create({ text: `${'a\n'.repeat(99_000)}`, format: 'code', language: 'csharp' });
    // Without the thread that renders: it is ended after seconds, in which a quick processor computes much more.
    const blocked = await longestBlockMs(async () => {
      const answer = await fetch(note.url);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('a\na\na\n');
    });
    expect(blocked).toBeLessThan(300);
  });

  it('copies the text as it was written and the link', async () => {
    const text = '# *Marks* stay\n\u0007 and controls 😀\n';
    const note = await create({ text, format: 'markdown' });
    const { page, close } = await visit(note.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy text' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(note.url);
    await close();
  });

  it('is whole without a script: the text, the raw text and the download', async () => {
    const note = await create({ text: 'func a()', format: 'code', language: 'go' });
    const { page, close } = await visit(note.url, { javaScriptEnabled: false });
    expect(await page.locator('.hljs-keyword').textContent()).toBe('func');
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Raw' }).click();
    await expect.poll(() => page.textContent('body')).toBe('func a()');
    await close();
  });

  it('offers no download where the owner allows none', async () => {
    const note = await create({ text: 'a' });
    await patch(note.id, { allowDownload: false });
    const page = await (await fetch(note.url)).text();
    expect(page).not.toContain('download');
    expect(page).toContain('>Raw<');
  });

  it('shows the edited text at the same address, marked as edited', async () => {
    const note = await create({ text: 'one' });
    expect(await (await fetch(note.url)).text()).not.toContain('Edited');
    await patch(note.id, { text: 'two', revision: 1 });
    const page = await (await fetch(note.url)).text();
    expect(page).toContain('<pre class="plain" dir="auto">two</pre>');
    expect(page).toContain('Edited');
    await patch(note.id, { format: 'code', language: 'go', revision: 2 });
    expect(await (await fetch(note.url)).text()).toContain('id="L1"');
  });

  it('counts a view once a browser opens it, and none for the owner', async () => {
    const note = await create({ text: 'a' });
    const { page, close } = await visit(note.url);
    await expect.poll(() => views(note.id)).toBe(1);
    await page.reload();
    await page.waitForLoadState('networkidle');
    expect(await views(note.id)).toBe(1);
    await fetch(note.url, { headers: { authorization: `Bearer ${owner.apiKey}` } });
    expect(await views(note.id)).toBe(1);
    await close();
  });

  it.each([390, 1280])('does not scroll sideways at %i pixels, whatever the text', async (width) => {
    const word = 'endless'.repeat(60);
    for (const [format, text] of [
      ['plain', word],
      [
        'markdown',
        `# ${word}\n\n${word}\n\n\`${word}\`\n\n> ${word}\n\n\`\`\`\n${word}\n\`\`\`\n\n|${word}|b|\n|-|-|\n|c|${word}|`,
      ],
      ['code', word],
    ]) {
      const note = await create({ text, format, title: word.slice(0, 180), tags: ['endless'.repeat(4)] });
      const { page, close } = await visit(note.url, { viewport: { width, height: 800 } });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      expect(await unaligned(page)).toEqual([]);
      await close();
    }
  });

  it('has every sentence in Russian for a Russian reader', async () => {
    expect(Object.keys(TEXT_MESSAGES.ru).sort()).toEqual(Object.keys(TEXT_MESSAGES.en).sort());
    const note = await create({ text: 'a\nb\nc', ttl: 'month' });
    const { page, close } = await visit(note.url, { locale: 'ru-RU' });
    const text = (await page.textContent('main')) ?? '';
    for (const part of ['Обычный текст', '3\u00a0строки', 'Доступно до', 'Скопировать текст'])
      expect(text).toContain(part);
    await close();
  });
});

describe('The page of a note that must be opened first', () => {
  it.each([
    ['a password', { password: PASSWORD }],
    ['a one-time link', { oneTime: true }],
  ])('shows nothing of it before: %s', async (_, fields) => {
    const note = await create({ text: SECRET, title: `Title of ${SECRET}`, ...fields });
    const page = await (await fetch(note.url)).text();
    expect(page).not.toContain(SECRET);
    expect(page).not.toContain(owner.username);
    expect((await fetch(`${service.url}/api/media/${note.id}`)).status).toBe(403);
  });

  it('shows it after the right password, without a script', async () => {
    const note = await create({ text: SECRET, password: PASSWORD });
    const { page, close } = await visit(note.url, { javaScriptEnabled: false });
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect.poll(() => page.locator('pre.plain').textContent()).toBe(SECRET);
    await page.getByRole('link', { name: 'Raw' }).click();
    await expect.poll(() => page.textContent('body')).toBe(SECRET);
    await close();
  });

  it('is shown to one browser of a one-time link, its raw text too', async () => {
    const note = await create({ text: SECRET, oneTime: true });
    const { page, close } = await visit(note.url);
    await page.getByRole('button').click();
    await expect.poll(() => page.locator('pre.plain').textContent()).toBe(SECRET);
    expect(await page.textContent('.chips')).toMatch(/You can see this for another (9|10) minutes/);
    expect((await page.request.get(`${service.url}/api/media/${note.id}`)).status()).toBe(200);
    expect((await fetch(note.url)).status).toBe(404);
    expect((await fetch(`${service.url}/api/media/${note.id}`)).status).toBe(404);
    await close();
  });

  it('names the days that are left to a browser where a one-time link stays open for days', async () => {
    const patient = await startServer({ config: { limits: { oneTimeSeconds: 30 * 86_400 } } });
    onTestFinished(() => patient.stop());
    const { apiKey } = await patient.user();
    const body = { text: SECRET, format: 'plain', oneTime: true };
    const note = await ask<Content>(patient.url, { method: 'POST', path: '/api/v1/pastes', key: apiKey, body });
    const { page, close } = await visit(note.body.url);
    await page.getByRole('button').click();
    const left = page.locator('time[data-left]');
    expect(await left.textContent()).toBe('30 days');
    await left.evaluate((time) => time.replaceChildren());
    // The script of the page writes it once a second.
    await expect.poll(() => left.textContent()).toBe('30 days');
    await close();
  });

  it.each(['private', 'deleted'])('is the ordinary 404 while it is %s', async (state) => {
    const unknown = await (await fetch(`${service.url}/s/nothing`)).text();
    const note = await create({ text: SECRET, visibility: state === 'private' ? 'private' : 'unlisted' });
    if (state === 'deleted')
      await ask(service.url, { method: 'DELETE', path: `/api/v1/content/${note.id}`, key: owner.apiKey });
    const answer = await fetch(note.url);
    expect([answer.status, await answer.text()]).toEqual([404, unknown]);
  });
});

describe('The link preview of a note', () => {
  it('describes title, author and first lines while the note is plain, and nothing once it is limited', async () => {
    const note = await create({ text: SECRET, title: 'My note' });
    const page = await (await fetch(note.url)).text();
    const head = page.slice(0, page.indexOf('</head>'));
    expect(head).toContain('<meta property="og:title" content="My note">');
    expect(head).toContain(owner.username);
    expect(head).toContain(`<meta property="og:description" content="${SECRET}">`);
    await patch(note.id, { viewLimit: 5 });
    const limited = await (await fetch(note.url)).text();
    for (const part of ['og:', SECRET, 'My note']) expect(limited).not.toContain(part);
  });
});

describe('The headers of the page of a note', () => {
  it('let in nothing foreign and run its one script by a new nonce each time', async () => {
    const note = await create({ text: 'a', format: 'markdown' });
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(note.url)).headers.get('content-security-policy') ?? ''),
    );
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'");
      expect(policy).toMatch(/script-src 'nonce-[\w-]{20,}'/);
      expect(policy).not.toContain('unsafe');
    }
    expect(policies[0]).not.toBe(policies[1]);
  });
});
