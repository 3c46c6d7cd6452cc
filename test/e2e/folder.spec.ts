/**
 * A folder from the browser to its share page: dropped or chosen, reviewed, shared. Excluded files are never passed to
 * the host. Real Chromium, the app as started by `npm start`, and its embedded server.
 */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
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

const SECRET = 'PASSWORD=correct-horse-battery-staple';

const makeProject = (name: string): string => {
  const folder = join(profile.path, 'disk', name);
  const files = {
    'README.md': '# The parser\n',
    'src/main.ts': 'export const answer = 42;\n',
    'src/.gitignore': 'made/\n',
    'src/made/x.ts': 'made\n',
    '.gitignore': '*.log\n',
    'notes.log': 'ignored\n',
    '.env': SECRET,
    'node_modules/left/index.js': 'module.exports = 1;\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/info/exclude': '*.local\n',
    'my.local': 'mine\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(profile.path, 'disk', 'outside.txt'), SECRET);
  symlinkSync('../outside.txt', join(folder, 'outside.txt'));
  return folder;
};

const openWindow = async (page: Page): Promise<void> => {
  await page.goto(app.url);
  await expect(page.getByText('Drop files here')).toBeVisible();
};

/** Bodies of everything that the page sends to its host, from the next load on. */
const sentBy = async (page: Page): Promise<Buffer[]> => {
  const sent: Buffer[] = [];
  page.on('request', (request) => {
    const body = request.postDataBuffer();
    if (body) sent.push(body);
  });
  // Chromium does not show the bytes of a blob in the request.
  await page.exposeFunction('noteBlob', (bytes: number[]) => void sent.push(Buffer.from(bytes)));
  await page.addInitScript(() => {
    const send = window.fetch;
    const { noteBlob } = window as unknown as { noteBlob: (bytes: number[]) => Promise<void> };
    window.fetch = async (input, init) => {
      if (init?.body instanceof Blob) await noteBlob([...new Uint8Array(await init.body.arrayBuffer())]);
      return send(input, init);
    };
  });
  return sent;
};

const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });

const expectProject = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('parser');
  await expect(row(page, 'main.ts')).toBeVisible();
  await expect(row(page, '.env')).toContainText('Secrets');
  await expect(row(page, 'node_modules')).toContainText('Dependencies');
  await expect(row(page, 'notes.log')).toContainText('Ignored by git');
  await expect(row(page, 'my.local')).toContainText('Ignored by git');
  await expect(row(page, 'made')).toContainText('Ignored by git');
};

test('a dropped folder is reviewed, and only included files leave the page', async ({ page, context }) => {
  const folder = makeProject('parser');
  const sent = await sentBy(page);
  await openWindow(page);
  await dropFiles(page, folder);
  await expectProject(page);
  await expect(row(page, 'outside.txt')).toHaveCount(0);
  await row(page, 'notes.log').click();
  await expect(page.getByText('“*.log” in .gitignore, line 1')).toBeVisible();
  expect(sent).toEqual([]);

  await page.getByRole('textbox', { name: 'Title' }).fill('The parser of Friday');
  await page.getByRole('button', { name: /^Share 3 files/ }).click();
  const link = page.getByRole('textbox', { name: 'Link to parser' });
  await expect(link).toHaveValue(/\/s\/\w+$/);
  const all = Buffer.concat(sent).toString();
  expect(all).toContain('answer = 42');
  for (const kept of [SECRET, 'module.exports', 'refs/heads/main', 'mine\n', 'made\n']) expect(all).not.toContain(kept);

  const share = await context.newPage();
  await share.goto(await link.inputValue());
  await expect(share.getByText('The parser of Friday').first()).toBeVisible();
  await expect(share.getByText('main.ts').first()).toBeVisible();
  await expect.poll(() => readdirSync(join(profile.path, 'spool'))).toEqual([]);
});

test('a folder that is chosen is the same folder, and can be left unshared', async ({ page }) => {
  const folder = join(profile.path, 'disk', 'parser');
  await openWindow(page);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose folder' }).click();
  await (await choosing).setFiles(folder);
  await expectProject(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Drop files here')).toBeVisible();
  expect(readdirSync(join(profile.path, 'spool'))).toEqual([]);
});

test('an empty folder is reported as empty', async ({ page }) => {
  const folder = join(profile.path, 'disk', 'nothing');
  mkdirSync(folder, { recursive: true });
  await openWindow(page);
  await dropFiles(page, folder);
  await expect(page.getByText('This folder is empty')).toBeVisible();
});
