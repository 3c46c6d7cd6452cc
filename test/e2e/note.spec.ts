/**
 * A note from draft to third revision against the real host and server: written, restored after the app was killed,
 * published, edited in one window after the other, and merged with what the command line has saved meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type AppProcess, makeProfile, openApp, startApp } from './app-process.ts';

const profile = makeProfile();
let app: AppProcess;

test.beforeAll(async () => {
  app = await startApp(profile.path);
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  profile.remove();
});

const openWindow = async (page: Page): Promise<void> => {
  await openApp(page, app);
  await expect(page.getByText('Drop files here')).toBeVisible();
};

/** Replaces the text of a note as a script would, which has not seen the window. */
const editByCommand = (link: string, input: string): void => {
  const program = resolve(import.meta.dirname, '../../src/cli/cli.ts');
  execFileSync(process.execPath, [program, 'edit', link, '-', '--profile', profile.path], { input });
};

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const edit = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('button', { name: 'Edit Release notes' }).click();
  await expect(text(page)).toContainText('Release notes');
};

test('a note is written, published, edited and put together, and nothing of it is lost', async ({ page, context }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await openWindow(page);
  await page.getByRole('button', { name: 'New note' }).click();
  await text(page).click();
  await page.keyboard.insertText('# Release notes\n\n**Fast** and calm.\n\n- one\n- two\n');
  await expect(page.getByRole('button', { name: 'Format: Markdown (auto)' })).toBeVisible();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Release notes' })).toBeVisible();
  await expect(page.getByText('Draft saved')).toBeVisible();

  await app.kill('SIGKILL');
  app = await startApp(profile.path);
  await openWindow(page);
  await page.getByRole('button', { name: 'New note' }).click();
  await expect(page.getByText('Draft restored')).toBeVisible();
  await expect(text(page)).toContainText('Fast');

  await page.getByRole('button', { name: 'Share' }).click();
  const link = page.getByRole('textbox', { name: /^Link to Release notes/ });
  await expect(link).toHaveValue(/\/s\/\w+$/);
  const share = await context.newPage();
  await share.goto(await link.inputValue());
  await expect(share.getByText('Fast', { exact: true })).toBeVisible();

  const other = await context.newPage();
  await openWindow(other);
  await edit(other);
  await edit(page);
  await expect(page.getByText('This note is in use')).toBeVisible();
  await text(other).click();
  await other.keyboard.press('Control+End');
  await other.keyboard.insertText('- three, of the other window\n');
  await other.keyboard.press('Control+s');
  await expect(other.getByText('Saved. The link shows this version.')).toBeVisible();
  await other.close();
  await expect(text(page)).toContainText('of the other window');
  await expect(page.getByText('This note is in use')).toBeHidden();

  editByCommand(share.url(), '# Release notes\n\n- one\n- two\n- three, of the other window\n- four, of a command\n');
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('- four, of mine\n');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('heading', { name: 'Two versions of this note' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Shared version' })).toContainText('of a command');
  const mine = page.getByRole('textbox', { name: 'Your version' });
  await mine.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('- four, of a command\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your version was saved.')).toBeVisible();

  await share.reload();
  await expect(share.getByText('four, of mine')).toBeVisible();
  await expect(share.getByText('four, of a command')).toBeVisible();
});
