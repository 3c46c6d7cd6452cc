/** What the window puts on the clipboard in each browser, read by another program. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppInEngine, openApp } from '../../support/browser/app-in-engine.ts';
import type { EngineSuite } from '../../support/browser/in-each-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('copying');
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/s\/\w+$/;
const BEFORE = 'what was copied before';
const SOON = { interval: 100, timeout: 60_000 };

const picture = async (name: string): Promise<string> => {
  const path = join(root, name);
  await writeFile(
    path,
    await sharp({ create: { width: 64, height: 40, channels: 3, background: '#4057d6' } })
      .png()
      .toBuffer(),
  );
  return path;
};
const linkTo = (name: string) => ({ role: 'textbox', name: `Link to ${name}` }) as const;

export const copyingSuite: EngineSuite = (engine, browser) => {
  let app: AppInEngine;
  const start = (host: 'desktop' | 'elsewhere'): void => {
    beforeAll(async () => {
      app = await openApp(engine(), { host });
    });
    afterAll(() => app?.close());
    beforeEach(() => engine().putOnClipboard(BEFORE));
  };

  describe('with the host on the same desktop', () => {
    start('desktop');

    it('copies the link of a dropped file without a click in the page', async () => {
      await engine().drop(app.tab, await picture('shot.png'));
      await expect.poll(engine().clipboard, SOON).toMatch(LINK);
      expect(await app.tab.valueOf(linkTo('shot.png'))).toBe(await engine().clipboard());
      await app.tab.textOf({ css: '[data-message]', like: 'Link to shot.png copied' });
    });
  });

  describe('with the host elsewhere', () => {
    start('elsewhere');

    it('copies the link of a dropped file at the latest at the next click, and does not say so before', async () => {
      const { tab } = app;
      await engine().drop(tab, await picture('first.png'));
      const link = await tab.valueOf(linkTo('first.png'));
      // A page of Chromium may copy while its window has the focus.
      if (browser !== 'chromium') {
        await tab.textOf({ css: '[data-message]', like: 'Link to first.png isn’t copied yet' });
        expect(await engine().clipboard()).toBe(BEFORE);
        expect(await tab.has({ like: 'Link to first.png copied' })).toBe(false);
        expect(await tab.has({ css: '[data-message] button', name: 'Copy' })).toBe(true);
        await tab.click({ css: 'h1, h2' });
      }
      await expect.poll(engine().clipboard, SOON).toBe(link);
      await tab.textOf({ css: '[data-message]', like: 'Link to first.png copied' });
      expect(await tab.has({ like: 'isn’t copied yet' })).toBe(false);
    });

    it('keeps what the user copies in the page instead of the link that waits', async () => {
      const { tab } = app;
      await engine().drop(tab, await picture('second.png'));
      const first = await tab.valueOf(linkTo('first.png'));
      await tab.valueOf(linkTo('second.png'));
      await tab.click({ role: 'button', name: 'Copy the link to first.png' });
      await expect.poll(engine().clipboard, SOON).toBe(first);
      await tab.press('Shift');
      expect(await engine().clipboard()).toBe(first);
    });

    it('copies all links at once', async () => {
      const { tab } = app;
      await tab.click({ role: 'button', name: 'Copy all links' });
      await expect.poll(engine().clipboard, SOON).toMatch(/^http\S+\nhttp\S+$/);
    });

    it('keeps the actions of the finished list in the line of its heading on a phone', async () => {
      const { tab } = app;
      await tab.resize({ width: 390, height: 800 });
      await tab.textOf({ role: 'button', name: 'Clear list' });
      const middles = await tab.evaluate(() => {
        const heading = document.querySelector('#finished-title') as HTMLElement;
        const parts = [heading, ...(heading.parentElement?.querySelectorAll('button') ?? [])];
        return parts.map((part) => {
          const { top, bottom } = part.getBoundingClientRect();
          return Math.round((top + bottom) / 2 - heading.getBoundingClientRect().top);
        });
      }, null);
      expect(middles).toHaveLength(3);
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(3);
      await tab.resize({ width: 1280, height: 800 });
    });

    it('copies a link in the chosen format', async () => {
      const { tab } = app;
      const first = await tab.valueOf(linkTo('first.png'));
      await tab.click({ css: 'nav a, nav button', name: 'Settings' });
      await tab.click({ css: 'nav button', name: 'Upload' });
      await tab.click({ css: 'label', name: 'Markdown' });
      await tab.click({ css: 'nav a, nav button', name: 'Home' });
      await tab.click({ role: 'button', name: 'Copy the link to first.png' });
      await expect.poll(engine().clipboard, SOON).toBe(`![first](${first.replace('/s/', '/api/media/')})`);
    });
  });
};
