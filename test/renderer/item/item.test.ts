/** The item page in real Chromium: navigation, link, settings and the messages of each state. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { axeViolations, lowContrast, nameless, overflows } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { goodMp4 } from '../../support/media/media.ts';
import { noise, pngOf } from '../../support/media/pixels.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CAPTURE, showCapture } from '../../support/window/editor-page.ts';
import { ITEM_SCENES } from '../../support/window/item-scenes.ts';
import { PICTURE_CONTENT } from '../../support/window/picture-words.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { callsOf } from '../../support/window/window-for-each-test.ts';

const folder = temporaryFolder('item');
let pages: RendererPages;
let page: Page;
let problems: string[];

beforeAll(async () => {
  pages = await startRendererPages({ recording: await goodMp4() });
  ({ page, problems } = await pages.open({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  }));
});
afterAll(() => pages.close());
afterEach(() => expect(problems).toEqual([]));

const scene = (name: string) => ITEM_SCENES[name]?.(page);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const isShown = (text: string | RegExp) => page.getByText(text).first().waitFor();
const calls = (command: CommandName) => callsOf(page, command);

describe('the navigation', () => {
  it('leads from the title in the library, and back to it, by the keyboard alone', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.setLibrary(Array.from({ length: 300 }, (_, at) => make.makeLibraryItem(at, { title: `Picture ${at}` })));
      location.hash = '#library';
    });
    const link = page.getByRole('link', { name: 'Picture 150', exact: true });
    await eventually(async () => {
      // Never past it: what is drawn lags behind what is scrolled.
      await page.getByRole('main').evaluate((main) => {
        const last = [...main.querySelectorAll('li[aria-posinset]')].at(-1);
        if (Number(last?.getAttribute('aria-posinset') ?? 0) <= 150) main.scrollBy(0, 300);
      });
      expect(await link.count()).toBe(1);
    });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Picture 150' }).waitFor();
    // The keyboard begins at the page's heading, not at the window's first control.
    await eventually(async () => expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1'));
    await button('Library').press('Enter');
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Picture 150'),
    );
    await link.waitFor();
  });

  it('explains an address that leads nowhere', async () => {
    await page.evaluate(() => {
      location.hash = '#item/00000000-0000-4000-8000-00000000ffff';
    });
    await isShown('This item isn’t in your library');
    await button('Go to the library').click();
    await page.getByRole('searchbox').waitFor();
  });
});

describe('the link', () => {
  it('is offered in every format, each as it is pasted', async () => {
    await scene('a picture');
    await button('All formats').click();
    await button('Copy as Markdown').click();
    await eventually(async () =>
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        '[Dashboard of the spring release](https://share.example.com/s/c2)',
      ),
    );
  });

  it('is readable by a camera, with the same link', async () => {
    await button('QR code').click();
    const code = page.getByRole('img', { name: /QR code/ });
    await code.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Save as PNG').click()]);
    expect(download.suggestedFilename()).toBe('Dashboard of the spring release.png');
    const saved = join(folder, 'code.png');
    await download.saveAs(saved);
    const { stdout } = await promisify(execFile)('zbarimg', ['--quiet', '--raw', saved]);
    expect(stdout.trim()).toBe('https://share.example.com/s/c2');
    await button('QR code').click();
    await code.waitFor({ state: 'detached' });
  });
});

describe('the text over a picture', () => {
  const layer = () => page.getByRole('region', { name: 'Text in Dashboard of the spring release' });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  /** In pixels of the picture. */
  const at = async (x: number, y: number): Promise<readonly [number, number]> => {
    const box = await layer().boundingBox();
    if (!box) throw new Error('The layer is not shown.');
    return [box.x + (x / 1280) * box.width, box.y + (y / 800) * box.height];
  };

  it('is where the words are, at every zoom', async () => {
    await scene('a picture');
    await scene('the text of a picture');
    for (const zoom of ['0', '1']) {
      await page.getByRole('region', { name: /^Image/ }).focus();
      await page.keyboard.press(zoom);
      for (const word of PICTURE_CONTENT.words.filter(({ text }) => text === 'ready' || text === 'выдаче')) {
        const box = await layer().getByText(word.text, { exact: true }).boundingBox();
        const [left, top] = await at(word.x, word.y);
        const [right, bottom] = await at(word.x + word.width, word.y + word.height);
        expect(Math.abs((box?.x ?? 0) - left)).toBeLessThan(1.5);
        expect(Math.abs((box?.y ?? 0) - top)).toBeLessThan(1.5);
        expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) - right)).toBeLessThan(1.5);
        expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) - bottom)).toBeLessThan(1.5);
      }
    }
    await page.keyboard.press('0');
    expect(await axeViolations(page)).toEqual([]);
  });

  it('is selected with the pointer, also beside the words, and copied with its line breaks', async () => {
    await layer().scrollIntoViewIfNeeded();
    await page.mouse.move(...(await at(264, 540)));
    await page.mouse.down();
    // Between the lines and left of them.
    await page.mouse.move(...(await at(60, 560)));
    await page.mouse.move(...(await at(362, 620)));
    await page.mouse.up();
    await page.keyboard.press('ControlOrMeta+c');
    await eventually(async () => expect(await copied()).toBe('1284 is ready\nЗаказ 1284'));
    await page.mouse.dblclick(...(await at(600, 620)));
    await page.keyboard.press('ControlOrMeta+c');
    await eventually(async () => expect(await copied()).toBe('выдаче'));
  });

  it('is selected as a whole by the keyboard, and is plain text for other programs', async () => {
    await button('Select all text').press('Enter');
    await isShown(/All text is selected/);
    await page.keyboard.press('ControlOrMeta+c');
    await eventually(async () => expect(await copied()).toBe(PICTURE_CONTENT.text));
    const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
    expect(types).toEqual(['text/plain']);
    await page.evaluate(() => document.getSelection()?.empty());
    await page.getByRole('region', { name: /^Image/ }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    expect(await page.evaluate(() => document.getSelection()?.toString().trim().split(/\s+/).length)).toBe(15);
  });

  it('is read only when asked for, once, and a reading can be stopped', async () => {
    await button('Select text').click();
    await layer().waitFor({ state: 'detached' });
    const before = (await calls('vision.readItem')).length;
    await button('Select text').click();
    await layer().waitFor();
    expect((await calls('vision.readItem')).length).toBe(before);
    await scene('a note');
    await page.evaluate(() => window.double.answer('vision.readItem', () => new Promise<never>(() => {})));
    await scene('a used one-time link');
    expect((await calls('vision.readItem')).length).toBe(before);
    await button('Select text').click();
    await isShown('Reading the text…');
    await button('Cancel').click();
    await page.getByText('Reading the text…').waitFor({ state: 'detached' });
    const [asked] = (await calls('vision.readItem')).slice(-1);
    expect(await calls('vision.stop')).toContainEqual({ reading: (asked as { reading: string }).reading });
  });
});

describe('the text of a picture', () => {
  const at = { x: 0, y: 0, width: 10, height: 10 };
  const read = { text: 'Order 1284 is ready', words: [], missing: [] };

  it('is copied with one press, and the number of words is told', async () => {
    await scene('a picture');
    await page.evaluate((content) => window.double.answer('vision.readItem', () => content), { ...read, codes: [] });
    await button('Copy text').click();
    await isShown('4 words copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Order 1284 is ready');
  });

  it('that there is none of leaves the clipboard, and says so', async () => {
    const content = { ...read, text: '', codes: [], missing: ['rus' as const] };
    await page.evaluate((found) => window.double.answer('vision.readItem', () => found), content);
    await button('Copy text').click();
    await isShown('No text found');
    await isShown(/Russian text isn’t recognised because its language data isn’t installed/);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Order 1284 is ready');
  });

  it('with a code shows the whole address in plain letters, and opens it only from there', async () => {
    const codes = [
      { ...at, format: 'QRCode', text: 'https://exämple.com/ticket?id=42' },
      { ...at, y: 50, format: 'Code128', text: 'pay\u202Egnp.exe' },
    ];
    await page.evaluate((found) => window.double.answer('vision.readItem', () => found), { ...read, codes });
    await button('Copy text').click();
    await button('Show 2 codes').click();
    const dialog = page.getByRole('dialog', { name: 'Codes in the image' });
    await dialog.getByText('https://xn--exmple-cua.com/ticket?id=42', { exact: true }).waitFor();
    await dialog.getByText('pay\\u{202e}gnp.exe').waitFor();
    const open = dialog.getByRole('link', { name: 'Open in the browser' });
    expect(await open.getAttribute('href')).toBe('https://xn--exmple-cua.com/ticket?id=42');
    await dialog.getByRole('button', { name: 'Copy the code’s contents' }).first().click();
    await eventually(async () =>
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://exämple.com/ticket?id=42'),
    );
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('a picture', () => {
  it('is seen as large as fits, at its own pixels, and in steps, also by keys', async () => {
    const picture = page.getByRole('img', { name: 'Dashboard of the spring release', exact: true });
    const width = () => picture.evaluate((element: HTMLImageElement) => element.width);
    await eventually(async () => expect(await width()).toBeLessThan(1280));
    const fitting = await width();
    await button('100%').click();
    await eventually(async () => expect(await width()).toBe(1280));
    await page.keyboard.press('+');
    await eventually(async () => expect(await width()).toBe(1920));
    await isShown('150%');
    await page.keyboard.press('0');
    await eventually(async () => expect(await width()).toBe(fitting));
  });
});

describe('settings', () => {
  it('are shown immediately, before the service has replied', async () => {
    await isShown(/^Anyone with the link, 72 more times, until /);
    await page.evaluate(() => {
      const { double } = window;
      const call = double.call.bind(double);
      Object.assign(window, { letGo: null });
      double.call = async (command, input) => {
        if (command === 'library.update') await new Promise((resolve) => Object.assign(window, { letGo: resolve }));
        return call(command, input);
      };
    });
    await page.getByRole('radio', { name: 'Public' }).check({ force: true });
    await isShown(/^Everyone, 72 more times/);
    await isShown('Saving…');
    await page.getByRole('radio', { name: 'Private' }).check({ force: true });
    await isShown(/^Only you, until /);
    expect(await calls('library.update')).toEqual([]);
    for (const made of [1, 2]) {
      await eventually(async () => {
        await page.evaluate(() => (window as unknown as { letGo: (() => void) | null }).letGo?.());
        expect(await calls('library.update')).toHaveLength(made);
      });
    }
    expect(await calls('library.update')).toMatchObject([
      { change: { visibility: 'public' } },
      { change: { visibility: 'private' } },
    ]);
    await isShown(/^Only you, until /);
    await eventually(async () => expect(await page.getByText('Saving…').count()).toBe(0));
  });

  it('refuse invalid values while typing, and keep the text', async () => {
    await page.reload();
    await page.getByRole('main').waitFor();
    await scene('a picture');
    await button('Set a password').click();
    const field = page.getByRole('textbox', { name: 'Password' });
    await field.fill('short');
    await field.press('Enter');
    await isShown('Use 8 to 128 characters.');
    await field.fill('correct horse');
    await field.press('Enter');
    await isShown(/^Anyone with the link and the password/);
    // The keyboard is back at the button, which says something else by now.
    await eventually(async () => expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Change'));
    const limit = page.getByRole('group', { name: 'View limit' });
    await limit.getByRole('button', { name: 'Remove' }).click();
    await eventually(async () => expect(await page.getByText(/more times/).count()).toBe(0));
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Renamed');
    await title.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    expect(await calls('library.update')).toMatchObject([
      { change: { password: 'correct horse' } },
      { change: { viewLimit: null } },
      { change: { title: 'Renamed' } },
    ]);
    // The service decides the title where there is none, and the field follows.
    await title.fill('');
    await title.press('Enter');
    await eventually(async () => expect(await title.inputValue()).toBe('Renamed'));
    await title.press('Tab');
    expect((await calls('library.update')).slice(3)).toMatchObject([{ change: { title: '' } }]);
  });

  it('forget what was typed when the user cancels', async () => {
    await page.reload();
    await page.getByRole('main').waitFor();
    await scene('a picture');
    for (const [name, opens, typed, after] of [
      ['Password', 'Set a password', 'correct horse', ''],
      ['View limit', 'Change', '7', '200'],
    ] as const) {
      const group = page.getByRole('group', { name });
      await group.getByRole('button', { name: opens }).click();
      await group.getByRole('textbox').fill(typed);
      await group.getByRole('button', { name: 'Cancel' }).click();
      await group.getByRole('button', { name: opens }).click();
      expect(await group.getByRole('textbox').inputValue()).toBe(after);
    }
  });

  it('keep what is typed where a key or a capture shows something else', async () => {
    await page.reload();
    await page.getByRole('main').waitFor();
    await scene('a picture');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Named by a key');
    await title.press('Control+n');
    await eventually(async () => expect(await page.evaluate(() => location.hash)).toBe('#note'));
    await eventually(async () =>
      expect(await calls('library.update')).toMatchObject([{ change: { title: 'Named by a key' } }]),
    );
    await page.goBack();
    await title.fill('Named before a capture');
    const picture = noise(64, 48, 1);
    pages.captures.set(`${CAPTURE}/picture`, await pngOf(picture));
    await showCapture(page, picture);
    await page.locator('[data-canvas]').waitFor();
    await eventually(async () =>
      expect((await calls('library.update')).slice(1)).toMatchObject([{ change: { title: 'Named before a capture' } }]),
    );
    await page.evaluate(() => window.double.set({ capture: null }));
    await title.waitFor();
  });

  it('offer the expiry once, with a field only for an exact one', async () => {
    await page.reload();
    await page.getByRole('main').waitFor();
    await scene('a picture');
    const choices = page.getByRole('radiogroup', { name: 'Expiry' });
    const field = page.getByLabel('Expires', { exact: true });
    await choices.getByText('Never').click();
    await eventually(async () => expect(await field.count()).toBe(0));
    await choices.getByText('Custom…').click();
    await field.getByRole('button', { name: 'Cancel' }).click();
    await eventually(async () => expect(await field.count()).toBe(0));
    await choices.getByText('Custom…').click();
    await field.locator('input').fill('2099-01-02T03:04');
    await field.getByRole('button', { name: 'Save' }).click();
    await field.getByRole('button', { name: 'Change' }).waitFor();
    expect(await choices.getByRole('radio', { name: 'Custom…' }).isChecked()).toBe(true);
    const expiresAt = await page.evaluate(() => new Date('2099-01-02T03:04').toISOString());
    expect((await calls('library.update')).slice(-2)).toMatchObject([
      { change: { ttl: 'forever' } },
      { change: { expiresAt } },
    ]);
  });

  it('that the plan does not include name the plan that does', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const account = make.makeAccount();
      const trial = {
        ...{ state: 'available', planCode: 'pro', planName: { en: 'Pro', ru: 'Про' }, days: 14, planQuota: true },
        ...{ startsAt: null, endsAt: null, daysLeft: null, reason: null, notice: null },
      } as const;
      const entitlements = { ...account.entitlements, trial };
      double.set({ connection: { ...make.connected(), account: { ...account, entitlements } } as never });
    });
    await isShown('Every plan shows total views. Daily views need a different plan.');
    await isShown('Included in the Pro plan, which you can try for free.');
  });

  it('go back with a reason when the service refuses, and are tried again on a word', async () => {
    await scene('a change that was taken back');
    await isShown('A change was undone: The server can’t be found');
    const once = page.getByRole('switch', { name: /One-time link/ });
    expect(await once.isChecked()).toBe(false);
    await button('Try again').click();
    await isShown(/^Anyone with the link, once, until /);
    await eventually(async () => expect(await page.getByText('A change was undone').count()).toBe(0));
  });
});

describe('many at once, in the library', () => {
  it('change before the eyes, go back with a reason where the service refuses, and change on a word', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({ settings: { ...double.state().settings, libraryLook: 'list' } });
      double.setLibrary([1, 2, 3].map((at) => make.makeLibraryItem(at, { title: `Picture ${at}` })));
      location.hash = '#library';
    });
    const rows = page.getByRole('list', { name: 'Shared items' }).getByRole('listitem');
    await rows.filter({ hasText: 'Unlisted' }).nth(2).waitFor();
    await page.getByRole('main').focus();
    await page.keyboard.press('Control+a');
    const offline = { code: 'SERVER_UNREACHABLE', detail: 'getaddrinfo ENOTFOUND' } as const;
    await page.evaluate((why) => window.double.failNext('library.update', why), offline);
    await button('Change').click();
    await page.getByRole('radio', { name: 'Public' }).click({ force: true });
    await page.keyboard.press('Escape');
    await isShown('A change was undone: The server can’t be found');
    await rows.filter({ hasText: 'Unlisted' }).nth(2).waitFor();
    await button('Try again').click();
    await rows.filter({ hasText: 'Public' }).nth(2).waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('the palette', () => {
  it('offers what can be done with the item that is shown, and only then', async () => {
    await scene('a picture');
    const copy = page.getByRole('option', { name: 'Copy the link of this item' });
    for (const shown of [1, 0]) {
      await page.getByRole('main').focus();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('this item');
      await eventually(async () => expect(await copy.count()).toBe(shown));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.evaluate(() => {
        location.hash = '#home';
      });
    }
  });
});

describe('states', () => {
  it('one that is being deleted can be restored, and then its link works as before', async () => {
    await scene('a picture');
    await page.evaluate(() => {
      const { make, double } = window;
      const mark = (deletingAt: number | null) => {
        const item = { ...make.makeLibraryItem(2, { title: 'Dashboard of the spring release' }), deletingAt };
        double.setLibrary([item]);
        setTimeout(() => double.emit({ type: 'library' }));
        return { answers: [{ id: item.id, item, failure: null }] };
      };
      double.answer('library.delete', () => mark(Date.now() + 60_000));
      double.answer('library.undelete', () => mark(null));
    });
    await button('Delete').click();
    await isShown('No one: it’s being deleted.');
    await page.getByRole('main').getByRole('button', { name: 'Undo' }).click();
    await isShown('Anyone with the link.');
  });

  it('a video in the making becomes one that plays, by itself', async () => {
    await scene('a video in the making');
    await isShown('The video is being processed');
    await page.evaluate(() => {
      const { make, double } = window;
      double.setLibrary([make.makeLibraryItem(8, { type: 'VIDEO', title: 'Screen recording', mediaStatus: 'READY' })]);
    });
    const player = page.locator('video[controls]');
    await player.waitFor();
    await eventually(async () =>
      expect(await player.evaluate(({ duration }: HTMLVideoElement) => duration)).toBeGreaterThan(1),
    );
  });

  it('a used one-time link can be opened once more after turning the setting off and on, in this order', async () => {
    await scene('a used one-time link');
    await isShown(/^No one: the one-time link was opened on /);
    const before = (await calls('library.update')).length;
    await button('Allow one more viewer').click();
    await isShown(/^Anyone with the link, once\.$/);
    await eventually(async () => expect((await calls('library.update')).length).toBe(before + 1));
    expect((await calls('library.update')).slice(before)).toMatchObject([{ change: { rearm: 'unlisted' } }]);
  });

  it('a note is shown as its readers see it, with a button that opens the editor', async () => {
    await scene('a note');
    await page.getByRole('cell', { name: '0.7 s' }).waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    await button('Edit').click();
    await eventually(async () => expect(await page.evaluate(() => location.hash)).toMatch(/^#note\//));
  });

  it('a folder shows its files, and their contents', async () => {
    await scene('a folder');
    await button(/button\.tsx/).click();
    await isShown('/** src/parts/button.tsx */');
    expect(await button(/button\.tsx/).getAttribute('aria-pressed')).toBe('true');
  });

  it('one that was deleted shows what happened and what to do', async () => {
    await scene('an item that is gone');
    await isShown('The link has expired');
    await isShown(/^No one: the link expired on /);
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.evaluate(() => window.double.answer('library.forget', () => ({})));
    await button('Remove from the library').click();
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    expect(await calls('library.forget')).toHaveLength(1);
  });
});

const LOOKS = [
  ['dark', 'ru'],
  ['light', 'en'],
] as const;
describe.each(LOOKS)(
  'everyone can use it: in the %s theme, in the language %s, at every width',
  (colorScheme, language) => {
    let opened: Awaited<ReturnType<RendererPages['open']>>;
    beforeAll(async () => {
      opened = await pages.open({ colorScheme, viewport: { width: 1280, height: 900 } });
      await opened.page.evaluate((chosen) => {
        const { double } = window;
        double.set({ settings: { ...double.state().settings, language: chosen } });
      }, language);
    });
    afterAll(() => opened.page.context().close());

    it.each(Object.entries(ITEM_SCENES))('%s', async (name, show) => {
      await show(opened.page);
      // Lists within the text of a note have no names.
      const unnamed = (await nameless(opened.page)).filter((role) => role !== 'list' || name !== 'a note');
      expect([await axeViolations(opened.page), await lowContrast(opened.page), unnamed]).toEqual([[], [], []]);
      for (const width of [320, 640, 1024]) {
        await opened.page.setViewportSize({ width, height: 900 });
        expect([width, await overflows(opened.page)]).toEqual([width, false]);
      }
      await opened.page.setViewportSize({ width: 1280, height: 900 });
      expect(opened.problems).toEqual([]);
    });
  },
);
