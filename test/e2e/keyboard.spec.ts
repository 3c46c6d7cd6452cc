/**
 * Complete journeys with only the keyboard: every step is a key press on the element that Tab has reached. The app as
 * started by `npm start`, its embedded server, and real Chromium.
 */
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { en as t } from '../../src/renderer/locales/en.ts';
import { untilListening } from '../support/browser/until-listening.ts';
import { type AppProcess, makeProfile, startApp } from './app-process.ts';

const profile = makeProfile();
let app: AppProcess;

test.beforeAll(async () => {
  app = await startApp(profile.path);
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  profile.remove();
});

test.beforeEach(async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(app.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await untilListening(page);
});

/** More stops than any screen has. */
const STOPS = 120;

/** What has the keyboard, as a screen reader names it. */
const focused = (page: Page): Promise<{ name: string; isSeen: boolean }> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return { name: '', isSeen: true };
    const labels =
      element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((label) => label.innerText) : [];
    const labelled = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id));
    const spoken = [
      element.getAttribute('aria-label'),
      ...labelled.map((label) => label?.textContent ?? ''),
      ...labels,
      element.textContent,
    ];
    const name = spoken.find((text) => text?.trim())?.trim() ?? '';
    const marked = element.closest('label') ?? element;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(marked);
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return { name, isSeen: isOutlined || boxShadow !== 'none' || element.closest('[contenteditable=true]') !== null };
  });

/** Presses Tab (or another key) until the focused element has this name; the focus is visible at every step. */
const reach = async (page: Page, name: string | RegExp, key = 'Tab'): Promise<void> => {
  const passed: string[] = [];
  for (let stop = 0; stop < STOPS; stop += 1) {
    const here = await focused(page);
    const isThere = typeof name === 'string' ? here.name === name : name.test(here.name);
    if (isThere) {
      expect(here).toEqual({ name: here.name, isSeen: true });
      return;
    }
    passed.push(here.name);
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not come to ${name}: ${passed.join(' | ')}`);
};

const press = async (page: Page, name: string | RegExp, key = 'Enter'): Promise<void> => {
  await reach(page, name);
  await page.keyboard.press(key);
};

test('a file is chosen, and its link is on the clipboard', async ({ page }) => {
  const picture = join(profile.path, 'by-keyboard.png');
  await sharp({ create: { width: 320, height: 200, channels: 3, background: '#2f855a' } })
    .png()
    .toFile(picture);
  const choosing = page.waitForEvent('filechooser');
  await press(page, t.intake.choose);
  await (await choosing).setFiles(picture);
  await expect(page.getByRole('textbox', { name: t.link.field('by-keyboard.png') })).toHaveValue(/\/s\/\w+$/);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await press(page, t.link.copyNamed('by-keyboard.png'));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/s\/\w+$/);
});

test('an item of the library is opened, made private and deleted, and the deletion undone', async ({ page }) => {
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('by-key');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await press(page, 'by-keyboard.png');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('by-keyboard');

  await reach(page, new RegExp(`^(${Object.values(t.library.visibility).join('|')})`));
  const chosen = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
  for (let step = 0; step < 3 && (await chosen()) !== 'private'; step += 1) await page.keyboard.press('ArrowLeft');
  expect(await chosen()).toBe('private');
  await expect(page.getByText(t.item.access.onlyYou).first()).toBeVisible();

  await press(page, t.item.delete);
  // The undo ends after ten seconds: by its own key, since a busy machine needs as long for the way by Tab.
  // The item's page offers it too, a moment earlier or later.
  await page.getByRole('region', { name: t.app.messages }).getByRole('button', { name: t.library.undo }).waitFor();
  await reach(page, t.library.undo, 'F6');
  await page.keyboard.press('Enter');
  await expect(page.getByText(t.item.access.onlyYou).first()).toBeVisible();
});

test('a note is written and published, and its text does not keep the keyboard', async ({ page }) => {
  await press(page, t.note.write);
  await expect(page.getByRole('textbox', { name: t.note.text, exact: true })).toBeFocused();
  await page.keyboard.type('A note without a mouse');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect((await focused(page)).name).not.toBe(t.note.text);
  await press(page, t.note.publish);
  await expect(page.getByRole('textbox', { name: /A note without a mouse/ })).toHaveValue(/\/s\/\w+$/);
});

test('a preset is made in the settings', async ({ page }) => {
  const words = t.settingsMore.presets;
  await press(page, t.app.settings);
  await press(page, t.settingsMore.section.presets);
  await press(page, words.make);
  await reach(page, words.name);
  await page.keyboard.type('For the team');
  await page.keyboard.press('Enter');
  await expect(page.getByText('For the team').first()).toBeVisible();
});

test('everything is offered by Ctrl+K, and the keyboard is back where it was', async ({ page }) => {
  await reach(page, t.intake.choose);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await untilListening(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(async () => (await focused(page)).name).toBe(t.intake.choose);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(t.palette.commands.dark.name);
  await expect(page.getByRole('option', { selected: true })).toContainText(t.palette.commands.dark.name);
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
