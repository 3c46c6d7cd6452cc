/** The ways of a user through the window in each browser: paste, choose, capture, note, folder, library, item, settings. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppInEngine, openApp } from '../support/browser/app-in-engine.ts';
import { inEachEngine } from '../support/browser/in-each-engine.ts';
import { writeXClipboard } from '../support/browser/x-clipboard.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('browser-journeys');
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/s\/\w+$/;
const SOON = { interval: 100, timeout: 60_000 };

const png = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 200, channels: 3, background: '#4057d6' } })
    .png()
    .toBuffer();

inEachEngine((engine, browser) => {
  let app: AppInEngine;
  beforeAll(async () => {
    app = await openApp(engine());
  });
  afterAll(() => app?.close());

  const show = (hash: string) =>
    app.tab.evaluate((wanted) => {
      location.hash = wanted;
    }, hash);
  const home = async () => {
    await show('');
    await app.tab.textOf({ role: 'button', name: 'Choose files' });
  };
  const linkTo = (like: string) => ({ role: 'textbox', like: `Link to ${like}` }) as const;
  /** Waits until a link is on the clipboard that was not there before. */
  const nextLink = async (before: string): Promise<string> => {
    await expect
      .poll(async () => {
        const now = await engine().clipboard();
        return now !== before && LINK.test(now);
      }, SOON)
      .toBe(true);
    return engine().clipboard();
  };

  it('shares files that are chosen', async () => {
    await home();
    const path = join(root, 'chosen.png');
    await writeFile(path, await png());
    const before = await engine().clipboard();
    await app.tab.chooseFiles('input[type=file]:not([webkitdirectory])', [path]);
    expect(await app.tab.valueOf(linkTo('chosen.png'))).toBe(await nextLink(before));
  });

  // Ctrl+V outside of a field was not seen to reach the page in WebKitGTK.
  it.skipIf(browser === 'webkit' || process.platform !== 'linux')('shares a picture that is pasted', async () => {
    const { screen } = engine();
    if (screen === null) throw new Error('There is no X screen.');
    await home();
    await app.tab.click({ css: 'h1, h2' });
    await writeXClipboard(screen, await png(), 'image/png');
    // A key of the keyboard: the driver of WebKitGTK presses none that its window hears.
    await screen.run('xdotool', 'key', 'ctrl+v');
    expect(await app.tab.valueOf(linkTo('Pasted image'))).toBe(await nextLink(''));
  });

  it.skipIf(process.platform !== 'linux')('shares a capture of the screen', async () => {
    await home();
    const before = await engine().clipboard();
    await app.tab.click({ role: 'button', like: 'Screen' });
    const link = await nextLink(before);
    expect((await fetch(link)).status).toBe(200);
  });

  it.skipIf(process.platform !== 'linux')('shares a region of the frozen screen that is drawn by keys', async () => {
    await home();
    const before = await engine().clipboard();
    await app.tab.click({ role: 'button', like: 'Region' });
    // Its keys are those of the screen that is shown, which has the focus of the page and of the window.
    const hearsKeys = () =>
      app.tab.evaluate(
        () => document.hasFocus() && document.activeElement?.closest('[data-painted]') instanceof Element,
        null,
      );
    await expect.poll(hearsKeys, SOON).toBe(true);
    await app.tab.press('Space');
    for (const key of ['ArrowRight', 'ArrowDown']) for (let times = 0; times < 5; times++) await app.tab.press(key);
    await app.tab.press('Space');
    await app.tab.textOf({ css: '[data-part=bar]:not([inert])' });
    await app.tab.press('Enter');
    const link = await nextLink(before);
    expect(await (await fetch(link)).text()).toMatch(/\d+ × \d+/);
  });

  it('shares a note', async () => {
    await show('#note');
    await app.tab.click({ css: '.cm-content' });
    await app.tab.fill({ css: '.cm-content' }, 'A note on one line');
    const before = await engine().clipboard();
    await app.tab.click({ role: 'button', name: 'Share' });
    const link = await nextLink(before);
    expect(await (await fetch(link)).text()).toContain('A note on one line');
  });

  // The driver of WebKitGTK chooses no folders, and the browser passes none on from a drop.
  it.skipIf(browser === 'webkit' || process.platform !== 'linux')(
    'shares a dropped folder of code after a review',
    async () => {
      const folder = join(root, `parser-${browser}`);
      await mkdir(join(folder, 'src'), { recursive: true });
      await writeFile(join(folder, 'README.md'), '# Parser\n');
      await writeFile(join(folder, 'src', 'main.ts'), 'export const answer = 42;\n');
      await writeFile(join(folder, '.env'), 'SECRET=1\n');
      await home();
      const before = await engine().clipboard();
      await engine().drop(app.tab, folder);
      await app.tab.click({ role: 'button', like: 'Share 2 files' });
      const page = await (await fetch(await nextLink(before))).text();
      expect(page).toContain('main.ts');
      expect(page).not.toContain('.env');
    },
  );

  it('finds an item in the library, opens its page and changes its link', async () => {
    const { tab } = app;
    await show('#library');
    await tab.fill({ role: 'searchbox' }, 'chosen');
    await tab.click({ css: 'main a', like: 'chosen' });
    await tab.textOf({ css: 'h1', name: 'chosen.png' });
    await tab.click({ css: 'label', name: 'Public' });
    await expect.poll(() => tab.has({ like: 'Saving…' }), SOON).toBe(false);
    await expect.poll(() => tab.has({ css: 'label[data-selected]', name: 'Public' }), SOON).toBe(true);
  });

  it('deletes an item and brings it back', async () => {
    const { tab } = app;
    await show('#library');
    await tab.fill({ role: 'searchbox' }, 'chosen');
    await tab.click({ role: 'button', name: 'Delete chosen.png' });
    await tab.click({ css: '[data-message] button', name: 'Undo' });
    await expect.poll(() => tab.has({ like: 'Deleting' }), SOON).toBe(false);
    await tab.textOf({ css: 'main a', like: 'chosen' });
  });

  it('changes theme and language at once', async () => {
    const { tab } = app;
    await show('#settings');
    await tab.click({ css: 'label', like: 'Dark' });
    const dark = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor, null);
    await expect.poll(dark, SOON).toMatch(/^(rgb\((\d|[1-5]\d), |oklch\(0\.[0-3])/);
    await tab.click({ css: 'label', name: 'Русский' });
    await tab.textOf({ css: 'nav a, nav button', name: 'Настройки' });
  });
});
