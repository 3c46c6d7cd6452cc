/**
 * Visits every screen with real shared items: the app as started by `npm start`, its embedded server, and real Chromium.
 * No screen is wider than the window or violates an axe rule, and language and theme follow the settings. In Russian,
 * whose words are longest, and dark; with `LONG=1` also in English and light, as all other tests of the window.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { en } from '../../src/renderer/locales/en.ts';
import { ru } from '../../src/renderer/locales/ru.ts';
import { axeViolations, overflows } from '../support/audit/page-audit.ts';
import { isLong } from '../support/campaign.ts';
import { type AppProcess, makeProfile, startApp } from './app-process.ts';
import { dropFiles } from './drag.ts';

const profile = makeProfile();
let app: AppProcess;

test.beforeAll(async () => {
  app = await startApp(profile.path);
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  profile.remove();
});

const NOTE = '# Release\n\nThe **parser** is faster:\n\n```ts\nexport const answer = 42;\n```\n';

const drawPicture = async (name: string): Promise<string> => {
  const path = join(profile.path, name);
  await sharp({ create: { width: 640, height: 360, channels: 3, background: '#4057d6' } })
    .png()
    .toFile(path);
  return path;
};

const makeFolder = (name: string): string => {
  const folder = join(profile.path, 'disk', name);
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'README.md'), '# The parser\n');
  writeFileSync(join(folder, 'src/main.ts'), 'export const answer = 42;\n');
  writeFileSync(join(folder, '.env'), 'PASSWORD=correct-horse-battery-staple');
  return folder;
};

const CYRILLIC = /\p{Script=Cyrillic}{3}/u;

// The other two pairs differ from these in nothing that one of them does not have.
for (const [language, theme] of [['ru', 'dark'] as const, ...(isLong ? [['en', 'light'] as const] : [])]) {
  const t = language === 'en' ? en : ru;
  test.describe(`in ${language}, ${theme}`, () => {
    test.describe.configure({ mode: 'serial' });
    const name = `${language}-${theme}`;
    let context: BrowserContext;
    let page: Page;

    test.beforeAll(async ({ browser }) => {
      context = await browser.newContext({
        ...{ colorScheme: theme, reducedMotion: 'reduce', locale: language === 'en' ? 'en-GB' : 'ru-RU' },
        viewport: { width: 1280, height: 800 },
      });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      page = await context.newPage();
      await page.goto(app.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
    });
    test.afterAll(() => context.close());

    /** What holds for every screen. */
    const inspect = async (screen: Page = page): Promise<void> => {
      await expect.poll(() => axeViolations(screen)).toEqual([]);
      for (const width of [480, 1280]) {
        await screen.setViewportSize({ width, height: 800 });
        await expect.poll(() => overflows(screen), { message: `wider than ${width} px` }).toBe(false);
      }
      const seen = await screen.evaluate(() => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d');
        if (!canvas) throw new Error('no canvas');
        canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
        const [red = 0] = canvas.getImageData(0, 0, 1, 1).data;
        return red > 128 ? 'light' : 'dark';
      });
      expect(seen).toBe(theme);
    };
    /** The same, of a screen of the window. */
    const inspectScreen = async (): Promise<void> => {
      await inspect();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      // In every language the languages are called by their own names.
      const isRussian = async () => CYRILLIC.test((await page.getByRole('main').innerText()).replaceAll('Русский', ''));
      await expect.poll(isRussian).toBe(language === 'ru');
    };
    const go = (place: 'home' | 'library' | 'settings') => page.getByRole('link', { name: t.app[place] }).click();
    const back = (place: 'home' | 'library' | 'settings') =>
      page.getByRole('main').getByRole('button', { name: t.app[place], exact: true }).click();
    const links = () => page.getByRole('main').locator('input[readonly]');
    const linkOf = (thing: string) => page.getByRole('textbox', { name: t.link.field(thing), exact: true });

    test('home: a dropped picture becomes a link', async () => {
      await expect(page.getByRole('button', { name: t.intake.choose })).toBeVisible();
      await inspectScreen();
      await dropFiles(page, await drawPicture(`${name}.png`));
      await expect(linkOf(`${name}.png`)).toHaveValue(/\/s\/\w+$/);
      await inspectScreen();
    });

    test('library: it is found by its name, as a row and as a card', async () => {
      await go('library');
      await page.getByRole('searchbox').fill(name);
      await expect(page.getByRole('listitem')).toHaveCount(1);
      await inspectScreen();
      await page.getByRole('button', { name: t.library.filters.looks.grid }).click();
      await expect(page.getByRole('button', { name: t.library.filters.looks.list })).toBeVisible();
      await inspectScreen();
      await page.getByRole('button', { name: t.library.filters.looks.list }).click();
    });

    test('item: what it is, who can open it, and its link in every form', async () => {
      await page.getByRole('listitem').getByRole('link').first().click();
      await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
      await expect(page.getByText(t.item.access.title).first()).toBeVisible();
      const picture = page.getByRole('main').getByRole('img').first();
      await expect(picture).toBeVisible();
      await inspectScreen();
      await back('library');
      await expect(page.getByRole('searchbox')).toBeVisible();
    });

    test('note: it is written, looked at and published', async () => {
      await go('home');
      await page.getByRole('button', { name: t.note.write }).click();
      const text = page.getByRole('textbox', { name: t.note.text, exact: true });
      await text.click();
      await page.keyboard.insertText(NOTE);
      await page.getByRole('textbox', { name: t.note.title }).fill(`note ${name}`);
      await inspectScreen();
      await page.getByRole('button', { name: t.note.publish }).click();
      await expect(links()).toHaveCount(2);
    });

    test('folder: it is looked at before it is shared', async () => {
      await dropFiles(page, makeFolder(`project-${name}`));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`project-${name}`);
      await expect(page.getByRole('treeitem', { name: 'main.ts' })).toBeVisible();
      await expect(page.getByRole('treeitem', { name: '.env' })).toContainText(t.folder.out.reasons.secret.title);
      await inspectScreen();
      const [verb] = t.folder.share(2, '').split(' ');
      await page.getByRole('button', { name: new RegExp(`^${verb} 2 `) }).click();
      await expect(linkOf(`project-${name}`)).toHaveValue(/\/s\/\w+$/);
    });

    test('queue: what happened to a refused item is explained', async () => {
      const broken = join(profile.path, `broken-${name}.png`);
      writeFileSync(broken, 'not a picture\n');
      await dropFiles(page, broken);
      await page.getByRole('button', { name: `broken-${name}.png`, exact: true }).click();
      await expect(page.getByRole('dialog')).toContainText(t.status.details.happened);
      await inspect();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: t.queue.actions.cancel(`broken-${name}.png`) }).click();
    });

    test('settings: every section', async () => {
      await go('settings');
      const sections = page.getByRole('main').getByRole('navigation').getByRole('button');
      await expect(sections.first()).toBeVisible();
      await inspectScreen();
      for (const section of await sections.all()) await section.click();
      await inspectScreen();
    });

    test('what can be done, and all shortcuts', async () => {
      await page.getByRole('main').focus();
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('combobox')).toBeVisible();
      await inspect();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await inspect();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    test('share pages: picture, note and folder', async () => {
      await go('home');
      await expect(links()).toHaveCount(3);
      const addresses = await links().evaluateAll((fields: HTMLInputElement[]) => fields.map(({ value }) => value));
      const share = await context.newPage();
      for (const address of addresses) {
        await share.goto(address);
        await expect(share.getByRole('heading', { level: 1 })).toBeVisible();
        await inspect(share);
      }
      await share.close();
      // The next user starts with an empty list.
      await page.getByRole('button', { name: t.queue.clearFinished }).click();
      await expect(links()).toHaveCount(0);
    });
  });
}
