/** What a recipient meets on share pages in each browser. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineSuite, itOnLinux } from '../../support/browser/in-each-engine.ts';
import { wordsOf } from '../../support/browser/pdf-words.ts';
import type { Tab } from '../../support/browser/tab.ts';
import { goodMp4, goodWebm, withChapters } from '../../support/media/media.ts';
import { change, publish, ready } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

const SOON = { interval: 100, timeout: 60_000 };
const LONG_LINE = `const sentence = '${'words that go on and on '.repeat(12)}the end';`;
const TEXT = `first line\n${LONG_LINE}\nlast line\n`;

export const sharePagesSuite: EngineSuite = (engine, browser) => {
  let server: RunningServer;
  let owner: User;
  beforeAll(async () => {
    server = await startServer({ config: { limits: { requestsPerMinute: 10_000, guestRequestsPerMinute: 10_000 } } });
    owner = await server.user({ plan: 'pro' });
  });
  afterAll(() => server.stop());

  const note = async (format: 'plain' | 'markdown' | 'code'): Promise<string> => {
    const body = { visibility: 'unlisted', text: TEXT, format, ...(format === 'code' && { language: 'typescript' }) };
    const answer = await ask<{ id: string }>(server.url, {
      method: 'POST',
      path: '/api/v1/pastes',
      key: owner.apiKey,
      body,
    });
    return `${server.url}/s/${answer.body.id}`;
  };
  const picture = async (fields = {}): Promise<string> => {
    const { id } = await publish(server, owner, { visibility: 'unlisted', title: 'A meadow', ...fields });
    return `${server.url}/s/${id}`;
  };

  let tab: Tab;
  beforeAll(async () => {
    tab = await engine().open();
  });
  afterAll(() => tab?.close());

  it.each(['plain', 'markdown', 'code'] as const)('copies the text of a note (%s)', async (format) => {
    await engine().putOnClipboard('before');
    await tab.open(await note(format));
    await tab.click({ role: 'button', name: 'Copy text' });
    await tab.textOf({ role: 'button', name: 'Copied' });
    await expect.poll(engine().clipboard, SOON).toBe(TEXT);
  });

  it('says so when the text of a note cannot be copied', async () => {
    const address = await note('plain');
    await tab.open(address);
    const id = address.slice(address.lastIndexOf('/') + 1);
    await ask(server.url, { method: 'DELETE', path: `/api/v1/content/${id}`, key: owner.apiKey });
    await tab.click({ role: 'button', name: 'Copy text' });
    await tab.textOf({ role: 'button', name: 'Couldn’t copy' });
  });

  it('shows the date under the author in one line', async () => {
    await tab.open(await picture());
    const heights = await tab.evaluate(() => {
      const time = document.querySelector('.by time') as HTMLElement;
      const paragraph = time.parentElement as HTMLElement;
      return {
        time: [...time.getClientRects()].length,
        lines: Math.round(paragraph.offsetHeight / Number.parseFloat(getComputedStyle(paragraph).lineHeight)),
      };
    }, null);
    expect(heights).toEqual({ time: 1, lines: 2 });
  });

  // Read as another program reads it: by xclip.
  itOnLinux('copies a picture itself', async () => {
    const { screen } = engine();
    if (screen === null) throw new Error('There is no X screen.');
    await engine().putOnClipboard('before');
    await tab.open(await picture());
    await tab.click({ role: 'button', name: 'Copy image' });
    await tab.textOf({ role: 'button', name: 'Copied' });
    const copied = async () => {
      const { format, width, height } = await sharp(
        await screen.run('xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'),
      ).metadata();
      return { format, width, height };
    };
    await expect.poll(() => copied().catch(String), SOON).toEqual({ format: 'png', width: 320, height: 200 });
  });

  it('marks a range of lines that its address names', async () => {
    await tab.open(`${await note('code')}#L2-L3`);
    expect(await tab.evaluate(() => document.querySelectorAll('.line.marked').length, null)).toBe(2);
    await tab.click({ css: '.line > a[href="#L1"]' });
    const marked = () => tab.evaluate(() => [...document.querySelectorAll('.line.marked')].map(({ id }) => id), null);
    await expect.poll(marked, SOON).toEqual(['L1']);
  });

  // Debian's WebKitGTK plays no H.264 without gst-libav, but VP9; Safari plays both.
  const container = browser === 'webkit' && process.platform === 'linux' ? 'webm' : 'mp4';
  it('starts a video at the second of its address', async () => {
    const bytes = await readFile(await (container === 'webm' ? goodWebm() : goodMp4()));
    const item = await publish(server, owner, { visibility: 'unlisted' }, bytes);
    await ready(server, owner, item.id);
    await tab.open(`${server.url}/s/${item.id}?t=1`);
    const second = () => tab.evaluate(() => Math.round(document.querySelector('video')?.currentTime ?? 0), null);
    await expect.poll(second, SOON).toBe(1);
  });

  it('goes to a chapter of a video', async () => {
    const bytes = await readFile(await withChapters(container));
    const item = await publish(server, owner, { visibility: 'unlisted' }, bytes);
    await ready(server, owner, item.id);
    await tab.open(`${server.url}/s/${item.id}`);
    await tab.click({ role: 'link', like: 'The end' });
    const second = () => tab.evaluate(() => document.querySelector('video')?.currentTime ?? 0, null);
    await expect.poll(second, SOON).toBeGreaterThanOrEqual(1.5);
    const marked = () => tab.evaluate(() => document.querySelector('[aria-current] span')?.textContent ?? '', null);
    await expect.poll(marked, SOON).toBe('The end');
  });

  it('begins every row of the controls of a video at the left on a phone', async () => {
    const item = await publish(server, owner, { visibility: 'unlisted' }, await readFile(await goodMp4()));
    await ready(server, owner, item.id);
    await tab.open(`${server.url}/s/${item.id}`);
    await tab.resize({ width: 390, height: 800 });
    await tab.textOf({ css: '.speed' });
    const indents = await tab.evaluate(() => {
      const actions = document.querySelector('.about .actions') as HTMLElement;
      const rows = new Map<number, number>();
      for (const control of actions.children) {
        const { left, bottom, width } = control.getBoundingClientRect();
        const row = Math.round(bottom / 10);
        if (width > 0) rows.set(row, Math.min(rows.get(row) ?? Infinity, left));
      }
      const start = actions.getBoundingClientRect().left;
      return [...rows.values()].map((left) => Math.round(left - start));
    }, null);
    expect(indents.length).toBeGreaterThan(1);
    expect(new Set(indents)).toEqual(new Set([0]));
    await tab.resize({ width: 1280, height: 800 });
  });

  it('opens a picture at its full size', async () => {
    await tab.open(await picture());
    await tab.click({ css: '.frame img' });
    await expect.poll(() => tab.evaluate(() => location.pathname, null), SOON).toMatch(/^\/api\/media\/\w+$/);
    expect(await tab.evaluate(() => document.images[0]?.naturalWidth, null)).toBeGreaterThan(1);
  });

  it('tells the minutes left of a one-time link that was opened, and copies no dead link', async () => {
    await tab.open(await picture({ oneTime: true }));
    await tab.click({ role: 'button', name: 'Open' });
    const chip = await tab.textOf({ css: '.chips li', like: 'You can see this for another' });
    expect(chip).toMatch(/another (9|10) minutes$/);
    expect(await tab.has({ role: 'button', name: 'Copy link' })).toBe(false);
  });

  it('shows a near end of a link in the time of the reader', async () => {
    const address = await picture();
    const id = address.slice(address.lastIndexOf('/') + 1);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await change(server, owner, id, { expiresAt });
    await tab.open(address);
    const expected = await tab.evaluate(
      (end) => new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' }).format(new Date(end)),
      expiresAt,
    );
    expect(await tab.textOf({ css: '.chips li', like: 'Available until' })).toBe(`Available until ${expected}`);
  });

  // pdftotext is Debian's.
  itOnLinux('prints every word of a note, and no buttons', async () => {
    await tab.open(await note('code'));
    const words = await wordsOf(await tab.print());
    expect(words).toContain('the end');
    for (const button of ['Copy text', 'Copy link', 'Raw', 'Download']) expect(words).not.toContain(button);
  });
};
