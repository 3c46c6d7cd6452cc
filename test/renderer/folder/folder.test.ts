/** The folder review in real Chromium: browse, search and share. */

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { writeTree } from '../../support/folder/git-repository.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { callsOf, windowForEachTest } from '../../support/window/window-for-each-test.ts';

let page: Page;
windowForEachTest({
  context: { reducedMotion: 'reduce', viewport: { width: 1280, height: 1400 } },
  use: (opened) => {
    page = opened;
  },
});

const calls = (command: CommandName) => callsOf(page, command);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const row = (name: string) => page.getByRole('treeitem', { name });
const tree = () => page.getByRole('tree');
/** The row that the keyboard is on. */
const marked = () =>
  page.evaluate(() => {
    const id = document.querySelector('[role=tree]')?.getAttribute('aria-activedescendant');
    return (id && document.getElementById(id)?.textContent) || null;
  });
const isMarked = (name: string) => eventually(async () => expect(await marked()).toContain(name));

const open = async (token: string): Promise<void> => {
  await page.evaluate((given) => {
    window.double.answer('folder.preview', () => window.make.makeFolderPreview());
    location.hash = `#folder/${given}`;
  }, token);
  await tree().waitFor();
};

describe('looking at a folder', () => {
  it('shows included and excluded files, why, and how much of each limit they use', async () => {
    await open('folder-of-a-parser');
    await page.getByRole('heading', { level: 1, name: 'parser' }).waitFor();
    await row('door.ts').first().waitFor();
    await row('node_modules').getByText('Dependencies').waitFor();
    await page.getByText('2 secrets are excluded and won’t leave this computer.').waitFor();
    await page.getByRole('meter', { name: 'Files' }).waitFor();
    await page.getByText('20 of 2,000').waitFor();
    await page.getByText(/333\sKB of 20\sMB/).waitFor();
    // What the folder takes, of what the account has free.
    await page.getByRole('meter', { name: 'Account storage' }).waitFor();
    await page.getByText(/333\sKB, [\d.]+\s[MG]B free/).waitFor();
    await page
      .locator('label')
      .filter({ hasText: /^Excluded$/ })
      .click();
    await row('notes.log').click();
    await page.getByText('Ignored by git · “*.log” in .gitignore, line 3').waitFor();

    await button(/^Secrets/).click();
    await eventually(async () => expect(await page.getByRole('treeitem').count()).toBe(3));
    await row('.env').waitFor();
    await page.getByText('Included', { exact: true }).click();
    await row('README.md').waitFor();
    expect(await row('.env').count()).toBe(0);
    await page.getByText('All', { exact: true }).click();
    await page.getByRole('searchbox', { name: 'Find a file' }).fill('part-7');
    await eventually(async () => expect(await page.getByRole('treeitem').count()).toBe(3));
    await page.getByRole('searchbox', { name: 'Find a file' }).fill('nowhere');
    await page.getByText('No files found.').waitFor();
    await button('Show all').click();
    await row('node_modules').waitFor();
  });

  it('finds a file however the letters of its name are composed', async () => {
    const name = 'йод.md'.normalize('NFD');
    await page.evaluate((path) => {
      const goes = [
        { path: 'a.txt', size: 1 },
        { path: 'b.txt', size: 1 },
        { path, size: 1 },
      ];
      window.double.answer('folder.preview', () => window.make.makeFolderPreview({ goes, skipped: [], files: 3 }));
      location.hash = '#folder/folder-of-a-mac';
    }, name);
    await row('a.txt').waitFor();
    for (const form of ['NFC', 'NFD']) {
      await page.getByRole('searchbox', { name: 'Find a file' }).fill('Йод'.normalize(form));
      await eventually(async () => expect(await page.getByRole('treeitem').count()).toBe(1));
      await row(name).waitFor();
    }
    await page.getByRole('searchbox', { name: 'Find a file' }).fill('');
    await row('a.txt').waitFor();
    await tree().focus();
    await isMarked('a.txt');
    await tree().dispatchEvent('keydown', { key: 'й'.normalize('NFC') });
    await isMarked(name);
  });

  it('leads through the tree by the keyboard alone, and shares', async () => {
    await open('folder-of-a-parser');
    await tree().focus();
    await isMarked('.git');
    await page.keyboard.press('ArrowDown');
    await isMarked('deploy');
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => expect(await row('deploy').getAttribute('aria-expanded')).toBe('false'));
    expect(await row('id_ed25519').count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await row('id_ed25519').waitFor();
    await page.keyboard.press('ArrowRight');
    await isMarked('id_ed25519');
    await page.keyboard.press('ArrowLeft');
    await isMarked('deploy');
    await page.keyboard.press('End');
    await isMarked('README.md');
    await page.keyboard.press('s');
    await isMarked('src');
    await page.keyboard.press('Home');
    await isMarked('.git');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');

    await page.getByRole('textbox', { name: 'Title' }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Parser of Friday');
    await page.getByRole('radiogroup', { name: 'Who can open it' }).getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await button(/^Share 20 files/).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await calls('queue.add')).toHaveLength(1));
    expect(await calls('queue.add')).toMatchObject([
      { tokens: ['folder-of-a-parser'], share: { title: 'Parser of Friday' } },
    ]);
    await page.getByText('Drop files here').waitFor();
  });

  it('keeps the title and link that were chosen while another screen is shown', async () => {
    await open('folder-of-a-parser');
    await page.getByRole('textbox', { name: 'Title' }).fill('Parser of Friday');
    await page.getByText('Private', { exact: true }).click();
    await button('Home').click();
    await page.getByText('1 folder to review').waitFor();
    await button('parser').click();
    await button(/^Share 20 files/).click();
    await eventually(async () =>
      expect(await calls('queue.add')).toMatchObject([{ share: { title: 'Parser of Friday', visibility: 'private' } }]),
    );
  });

  it('is not left without a question while it is queued, and its link cannot be changed then', async () => {
    const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    await open('folder-of-a-parser');
    const adding = await page.evaluateHandle(() => {
      const held = Promise.withResolvers<void>();
      window.double.answer('queue.add', async () => {
        await held.promise;
        return { ids: [] };
      });
      return held;
    });
    expect(await asks()).toBe(false);
    await button(/^Share 20 files/).click();
    await expect.poll(asks).toBe(true);
    const fields = [page.getByRole('textbox', { name: 'Title' }), page.getByRole('radio', { name: 'Private' })];
    expect(await Promise.all(fields.map((field) => field.isDisabled()))).toEqual([true, true]);
    await adding.evaluate(({ resolve }) => resolve());
    await expect.poll(asks).toBe(false);
  });

  it('shows the link of the default preset, and a one-time link is not public', async () => {
    await page.evaluate(() => {
      const { double } = window;
      const preset = { id: 'p', name: 'Open', link: { visibility: 'public' as const, ttl: 'week' as const } };
      double.set({ settings: { ...double.state().settings, presets: [preset], defaultPreset: 'p' } });
    });
    await open('folder-of-a-parser');
    for (const name of ['Public', '1 week'])
      await eventually(async () => expect(await page.getByRole('radio', { name }).isChecked()).toBe(true));
    await page.getByRole('switch', { name: 'One-time link' }).press('Space');
    await eventually(async () => expect(await page.getByRole('radio', { name: 'Unlisted' }).isChecked()).toBe(true));
    await button(/^Share 20 files/).click();
    await eventually(async () =>
      expect(await calls('queue.add')).toMatchObject([{ share: { oneTime: true, visibility: 'unlisted' } }]),
    );
  });

  it('keeps fifty thousand entries as light as fifty', async () => {
    await page.evaluate(() => {
      const file = (number: number) => ({ path: `src/part-${number % 100}/file-${number}.ts`, size: number });
      const goes = Array.from({ length: 2_000 }, (_, number) => file(number));
      const skipped = Array.from({ length: 48_000 }, (_, number) => ({
        ...{ path: `photos/day-${number % 300}/picture-${number}.jpg`, reason: 'binary' as const },
        ...{ files: 1, size: 4_000_000 },
      }));
      window.double.answer('folder.preview', () => window.make.makeFolderPreview({ goes, skipped, files: 2_000 }));
      location.hash = '#folder/folder-of-everything';
    });
    await row('photos').waitFor();
    expect(await page.getByRole('treeitem').count()).toBe(2);
    await button('Expand all folders').click();
    await eventually(async () => expect(await page.getByRole('treeitem').count()).toBeGreaterThan(10));
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80);
    await tree().focus();
    await page.keyboard.press('End');
    await isMarked('file-1999.ts');
    await row('file-1999.ts').waitFor();
    await page.getByRole('searchbox', { name: 'Find a file' }).fill('picture-47999');
    await row('picture-47999.jpg').waitFor();
    expect(await page.getByRole('treeitem').count()).toBe(3);
  });
});

describe('a folder that does not go yet', () => {
  it('over a limit names the limit and what to do, and its button explains why it is disabled', async () => {
    await page.evaluate(() => {
      const refusal = { code: 'FOLDER_TOO_MANY_FILES', detail: 'too many' } as const;
      window.double.answer('folder.preview', () =>
        window.make.makeFolderPreview({ files: 2_000, refusal, unread: 812 }),
      );
      location.hash = '#folder/folder-too-large-to-share';
    });
    await page.getByText('The folder contains too many files').waitFor();
    await page.getByText(/Most of it is in src/).waitFor();
    await page.getByText('more than 2,000').waitFor();
    await page.getByText('812 files not scanned').waitFor();
    expect(await button(/^Share 2000 files/).count()).toBe(0);
    const again = page.getByRole('button', { name: 'Rescan', exact: true });
    await eventually(async () =>
      expect(
        await again.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent),
      ).toContain('A limit is exceeded'),
    );
    await page.evaluate(() => window.double.answer('folder.preview', () => window.make.makeFolderPreview()));
    await again.click();
    await eventually(async () => expect(await button(/^Share 20 files/).isEnabled()).toBe(true));
  });

  it('larger than the free space of the account is reported', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({ connection: make.connected({ storageUsed: make.GIB - 1_000 }) });
    });
    await open('folder-of-a-parser');
    await page.getByText('Not enough storage in your account').waitFor();
    expect(await button(/^Share 20 files/).count()).toBe(0);
  });

  it('is read with its progress, and can be stopped', async () => {
    await page.evaluate(() => {
      window.double.answer('folder.preview', () => new Promise<never>(() => {}));
      window.double.answer('folder.progress', () => ({ progress: { files: 1_204, share: 0.4 } }));
      location.hash = '#folder/folder-that-is-long';
    });
    await page.getByText('Reading 1,204 files').waitFor();
    const bar = page.getByRole('progressbar');
    await eventually(async () => expect(await bar.getAttribute('aria-valuenow')).toBe('40'));
    await button('Stop').click();
    await page.getByText('Drop files here').waitFor();
    await eventually(async () => expect(await calls('folder.stop')).toEqual([{ token: 'folder-that-is-long' }]));
  });

  it('that no longer exists is reported, and an empty one too', async () => {
    await page.evaluate(() => {
      window.double.failNext('folder.preview', { code: 'COMMAND_INVALID', detail: 'no longer at hand' });
      location.hash = '#folder/folder-that-is-gone';
    });
    await page.getByText('This folder is no longer available').waitFor();
    await button('Home').click();
    await page.getByText('Drop files here').waitFor();
    expect(await page.getByText(/folders? to review/).count()).toBe(0);
    await page.evaluate(() => {
      const nothing = { files: 0, goes: [], skipped: [], skippedFiles: 0, uncountedFolders: 0 };
      window.double.answer('folder.preview', () => window.make.makeFolderPreview(nothing));
      location.hash = '#folder/folder-without-files';
    });
    await page.getByText('This folder is empty').waitFor();
  });

  it('that the page reads is shown with a warning where rules of git outside of it may be missed', async () => {
    const root = temporaryFolder('chosen-folder');
    const choose = async (path: string): Promise<void> => {
      await page.locator('input[webkitdirectory]').setInputFiles(join(root, path));
      await tree().waitFor();
    };
    const warning = page.getByText('The browser can’t read git’s rules outside this folder');
    const git = { '.git/HEAD': 'ref: refs/heads/main', '.git/config': '[core]\n\tignorecase = true\n' };
    writeTree(join(root, 'whole'), { ...git, '.gitignore': '/Private/\n', 'private/x.ts': '1', 'main.ts': '1' });
    writeTree(join(root, 'whole/part'), { 'y.ts': '1' });
    await choose('whole/part');
    await warning.waitFor();
    await button('Home').click();
    await choose('whole');
    await page.getByRole('heading', { level: 1, name: 'whole' }).waitFor();
    await button(/^Ignored by git/).waitFor();
    expect(await warning.count()).toBe(0);
  });

  it('waits with others, one is looked at after the other, and Home keeps them in sight', async () => {
    await page.evaluate(() => {
      const { double, make } = window;
      double.set({ capabilities: { ...double.state().capabilities, folders: true } });
      const names = ['first', 'second'];
      double.answer('folder.choose', () => {
        const name = names.shift() ?? 'third';
        return { folder: { token: `folder-named-${name}` as never, name } };
      });
      double.answer('folder.preview', ({ token }) =>
        make.makeFolderPreview({ name: token.replace('folder-named-', '') }),
      );
    });
    await button('Choose folder').click();
    await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
    await button('Home').click();
    await page.getByText('1 folder to review').waitFor();
    await button('Choose folder').click();
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
    await page.getByText('2 folders to review').waitFor();
    await button(/^Share 20 files/).click();
    await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
    await button('Cancel').click();
    await page.getByText('Drop files here').waitFor();
    expect(await page.getByText(/folders? to review/).count()).toBe(0);
    expect(await calls('queue.add')).toMatchObject([{ tokens: ['folder-named-second'] }]);
  });
});

it('everyone can use it in both themes, at twice the size and in a narrow window', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [1280, 640, 320]) {
      await page.setViewportSize({ width, height: 600 });
      await open(`folder-${colorScheme}-${width}`);
      expect({ width, found: await axeViolations(page), wide: await overflows(page) }).toEqual({
        ...{ width, found: [], wide: false },
      });
    }
  }
});
