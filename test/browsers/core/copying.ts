/** What the window puts on the clipboard in each browser, read by another program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppInEngine, openApp } from '../../support/browser/app-in-engine.ts';
import { type EngineSuite, itOnLinux } from '../../support/browser/in-each-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('copying');
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/s\/\w+$/;
const BEFORE = 'what was copied before';
/** Firefox allows copying at a printable key only; this one does nothing in the window. */
const KEY = 'x';
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

  const whileAnotherIsActive = async (work: () => Promise<void>): Promise<void> => {
    const { screen } = engine();
    if (screen === null) throw new Error('There is no X screen.');
    const active = () => screen.run('xdotool', 'getactivewindow').then(String, () => '');
    const before = await active();
    const other = spawn('xmessage', ['-center', 'Another program'], {
      env: screen.environment as NodeJS.ProcessEnv,
      stdio: 'ignore',
    });
    const ended = once(other, 'exit');
    try {
      await expect.poll(active, SOON).not.toBe(before);
      await work();
    } finally {
      other.kill();
      await ended;
    }
    await expect.poll(active, SOON).toBe(before);
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
      await expect.poll(() => tab.has({ css: '[data-message]', like: 'second.png' }), SOON).toBe(false);
      await tab.press(KEY);
      expect(await engine().clipboard()).toBe(first);
    });

    // A page of Chromium may copy while its window has the focus.
    if (browser !== 'chromium') {
      const waits = async (name: string): Promise<string> => {
        // The click of the test before still allows copying.
        await expect.poll(() => app.tab.evaluate(() => navigator.userActivation.isActive, null), SOON).toBe(false);
        await engine().drop(app.tab, await picture(name));
        await app.tab.textOf({ css: '[data-message]', like: `Link to ${name} isn’t copied yet` });
        expect(await engine().clipboard()).toBe(BEFORE);
        return app.tab.valueOf(linkTo(name));
      };

      it('copies the link of a dropped file at the next key', async () => {
        const link = await waits('by-key.png');
        await app.tab.press(KEY);
        await expect.poll(engine().clipboard, SOON).toBe(link);
        await app.tab.textOf({ css: '[data-message]', like: 'Link to by-key.png copied' });
      });

      itOnLinux(
        'leaves alone what another program has copied while the link waited, until its Copy button is pressed',
        async () => {
          const { tab } = app;
          const link = await waits('by-button.png');
          await whileAnotherIsActive(async () => {
            await tab.textOf({ css: '[data-message]', like: 'by-button.png' });
            await expect.poll(() => tab.has({ like: 'Click anywhere on this page' }), SOON).toBe(false);
            await engine().putOnClipboard('from another program');
          });
          await tab.click({ css: 'h1, h2' });
          await tab.press(KEY);
          await tab.textOf({ css: '[data-message]', like: 'Link to by-button.png isn’t copied yet' });
          expect(await engine().clipboard()).toBe('from another program');
          await tab.click({ css: '[data-message] button', name: 'Copy' });
          await expect.poll(engine().clipboard, SOON).toBe(link);
          await tab.textOf({ css: '[data-message]', like: 'Link to by-button.png copied' });
        },
      );
    }

    it('copies all links at once', async () => {
      const { tab } = app;
      await tab.click({ role: 'button', name: 'Copy all links' });
      await expect.poll(engine().clipboard, SOON).toMatch(/^(http\S+\n)+http\S+$/);
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
