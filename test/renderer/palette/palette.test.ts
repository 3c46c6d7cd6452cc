/** The command palette and the list of shortcuts in real Chromium. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import type { SHORTCUTS } from '../../../src/renderer/keyboard/shortcuts.ts';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { untilListening } from '../../support/browser/until-listening.ts';
import { eventually } from '../../support/eventually.ts';
import { noise } from '../../support/media/pixels.ts';
import { openEditor } from '../../support/window/editor-page.ts';
import { CAPTURE, makeChoosing, makeKnownPixels } from '../../support/window/frozen-desktop.ts';
import { freeze } from '../../support/window/overlay-page.ts';
import type { RendererPages } from '../../support/window/renderer-page.ts';
import { callsOf, windowForEachTest } from '../../support/window/window-for-each-test.ts';

let pages: RendererPages;
let page: Page;
windowForEachTest({
  context: { permissions: ['clipboard-read', 'clipboard-write'] },
  use: (opened, all) => {
    [page, pages] = [opened, all];
  },
});

const calls = (command: CommandName) => callsOf(page, command);
const field = () => page.getByRole('combobox');
const options = () => page.getByRole('option');
const chosen = () => page.getByRole('option', { selected: true });
const dialog = () => page.getByRole('dialog');
const focusedId = () => page.evaluate(() => document.activeElement?.id ?? '');
const go = (name: string) => page.getByRole('navigation').first().getByRole('link', { name }).click();

const open = async () => {
  await page.keyboard.press('Control+k');
  await field().waitFor();
};
/** Types, waits until the first entry is the expected one, and runs it. */
const command = async (typed: string, name: string) => {
  await open();
  await page.keyboard.type(typed);
  await eventually(async () => expect(await chosen().innerText()).toContain(name));
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
};

const canCapture = () =>
  page.evaluate(() => {
    const { double, make } = window;
    double.answer('capture.start', () => ({}));
    double.set({ capabilities: { ...make.makeState().capabilities, overlay: 'page' } });
  });
const fill = () =>
  page.evaluate(() => {
    const { make, double } = window;
    double.setLibrary(
      Array.from({ length: 9 }, (_, number) => make.makeLibraryItem(number, { title: `Quartz ${number}` })),
    );
  });

describe('the palette', () => {
  it('lists what can be done, chosen with arrows, Home and End, and gives the keyboard back on Esc', async () => {
    const button = page.getByRole('button', { name: 'Paste' });
    await button.focus();
    await open();
    const first = await chosen().innerText();
    await page.keyboard.press('ArrowDown');
    await eventually(async () => expect(await chosen().innerText()).not.toBe(first));
    await page.keyboard.press('Home');
    await eventually(async () => expect(await chosen().innerText()).toBe(first));
    await page.keyboard.press('End');
    const last = await options().last().innerText();
    await eventually(async () => expect(await chosen().innerText()).toBe(last));
    // The field names the chosen entry to screen readers.
    expect(await field().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    await eventually(async () => expect(await chosen().innerText()).toBe(first));
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await eventually(async () => expect(await button.evaluate((it) => it === document.activeElement)).toBe(true));
  });

  it('opens screens and sections of the settings, by their names in either language', async () => {
    await command('библ', 'Library');
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await command('settings general', 'Settings: general');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const appearance = page.getByRole('heading', { name: 'Appearance' });
    await eventually(async () => {
      const box = await appearance.boundingBox();
      expect(box && box.y > 0 && box.y < 720).toBe(true);
    });
    // The keyboard is where the eye is.
    expect(await appearance.evaluate((it) => document.activeElement?.contains(it) === true)).toBe(true);
    await command('home', 'Home');
    await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
  });

  it('offers captures only where there are any, and one at a time', async () => {
    await open();
    await page.keyboard.type('capture region');
    await eventually(async () => expect(await options().count()).toBe(1));
    expect(await options().innerText()).toContain('Search the library');
    await page.keyboard.press('Escape');
    await canCapture();
    await command('capture reg', 'Capture a region');
    await command('screen all', 'Capture all screens');
    await command('rec scr', 'Record the screen');
    await eventually(async () =>
      expect(await calls('capture.start')).toEqual([
        { mode: 'region' },
        { mode: 'all' },
        { mode: 'region', purpose: 'recording' },
      ]),
    );
    await page.evaluate(() => {
      window.double.answer('recording.stop', () => ({ id: 'x' as never }));
      window.double.set({ recording: window.make.makeRunning(null) });
    });
    await command('stop', 'Stop the recording');
    await eventually(async () => expect(await calls('recording.stop')).toEqual([{}]));
  });

  it('pauses and resumes, changes theme, language and look', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({ queue: { items: [make.makeItem('queued', 2)], live: {}, paused: false } });
    });
    await command('pause', 'Pause all uploads');
    await command('resume', 'Resume all uploads');
    await command('dark', 'Theme: dark');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await command('pictures library', 'Show the library as a grid');
    await command('язык рус', 'Language: Russian');
    await page.getByRole('link', { name: 'Библиотека' }).waitFor();
    expect(await calls('settings.update')).toEqual([{ theme: 'dark' }, { libraryLook: 'grid' }, { language: 'ru' }]);
    expect([await calls('queue.pauseAll'), await calls('queue.resumeAll')]).toEqual([[{}], [{}]]);
  });

  it('finds links: Enter copies, Ctrl+Enter opens, and the whole search is one entry away', async () => {
    await fill();
    await page.evaluate(() => {
      window.double.set({ capabilities: { ...window.double.state().capabilities, clipboard: 'host' } });
    });
    await command('3', 'Quartz 3');
    await page.getByText('Link to Quartz 3 copied').waitFor();
    const id = await page.evaluate(() => window.make.itemId(3));
    expect(await calls('link.copy')).toEqual([{ id }]);
    await open();
    await page.keyboard.type('quartz');
    await eventually(async () => expect(await options().count()).toBe(7));
    await page.keyboard.press('Control+Enter');
    await eventually(async () => expect(await calls('link.open')).toHaveLength(1));
    await open();
    await page.keyboard.type('5');
    await eventually(async () => expect(await options().count()).toBe(2));
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await eventually(async () => expect(await search.inputValue()).toBe('5'));
    await eventually(async () => expect(await search.evaluate((it) => it === document.activeElement)).toBe(true));
  });

  it('copies no link of an earlier query while the newer one is being answered', async () => {
    await fill();
    await open();
    await eventually(async () => expect(await options().filter({ hasText: 'Quartz' }).count()).toBe(6));
    await page.evaluate(() => {
      window.double.set({ capabilities: { ...window.double.state().capabilities, clipboard: 'host' } });
      window.double.answer('library.search', () => new Promise(() => {}));
    });
    await page.keyboard.insertText('granite');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await eventually(async () => expect(await search.inputValue()).toBe('granite'));
    expect(await calls('link.copy')).toEqual([]);
  });

  it('copies the newest link, and shows where links will be before there are any', async () => {
    await command('newest', 'Copy the latest link');
    await page.getByText('Your links will appear here').waitFor();
    await fill();
    await page.evaluate(() => {
      window.double.set({ capabilities: { ...window.double.state().capabilities, clipboard: 'host' } });
    });
    await command('last link', 'Copy the latest link');
    await page.getByText(/^Link to Quartz \d copied$/).waitFor();
    expect(await calls('link.copy')).toHaveLength(1);
  });

  it('takes the last deletion back while that is possible', async () => {
    await fill();
    await page.evaluate(() => {
      const { make, double } = window;
      const answer = (ids: readonly string[], deletingAt: number | null) => ({
        answers: ids.map((id) => ({
          ...{ id: id as never, failure: null },
          item: { ...make.makeLibraryItem(0), deletingAt },
        })),
      });
      double.answer('library.delete', ({ ids }) => answer(ids, Date.now() + 60_000));
      double.answer('library.undelete', ({ ids }) => answer(ids, null));
    });
    await go('Library');
    await page.getByRole('button', { name: 'Delete Quartz 0' }).click();
    await page.getByText('1 item deleted').waitFor();
    await command('undo', 'Undo the last deletion');
    await eventually(async () => expect(await calls('library.undelete')).toHaveLength(1));
    await page.getByText('1 item deleted').waitFor({ state: 'detached' });
    await open();
    await page.keyboard.type('undo');
    await eventually(async () => expect(await options().count()).toBe(1));
    expect(await options().innerText()).toContain('Search the library');
  });

  it('receives all keys while it is open, and does not open over the frozen screen', async () => {
    await canCapture();
    await open();
    await page.keyboard.press('Tab');
    await page.keyboard.type('/?');
    await page.keyboard.press('Control+k');
    await dialog().waitFor({ state: 'detached' });
    expect(await page.evaluate(() => location.hash)).toBe('');
    const session = makeChoosing();
    for (const display of session.displays)
      pages.captures.set(`${CAPTURE}/${display.number}`, makeKnownPixels(display));
    await freeze(page, session, 'page');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('?');
    await page.evaluate(() => window.double.set({ capture: null }));
    // Pressed after it, the key works: nothing was waiting.
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await page.keyboard.press('/');
    expect(await dialog().count()).toBe(1);
    expect(await page.evaluate(() => location.hash)).toBe('');
  });
});

describe('the list of shortcuts', () => {
  it('opens with ?, but not while the user types, and returns the focus', async () => {
    await fill();
    await page.keyboard.press('/');
    await eventually(async () => expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT'));
    await page.keyboard.press('?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('?');
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    await dialog().getByText('Select all').waitFor();
    expect(await dialog().getByText('Region selection').count()).toBe(0);
    await page.evaluate(() => navigator.clipboard.writeText('not for the screen behind'));
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByText('not for the screen behind').count()).toBe(0);
    await eventually(async () => expect(await focusedId()).toBe('content'));
  });

  it('opens over the editor too, which receives no keys meanwhile, while the palette does not', async () => {
    const editor = await openEditor(pages, noise(64, 48, 1));
    await editor.page.keyboard.press('Control+k');
    await editor.page.keyboard.press('?');
    const list = editor.page.getByRole('dialog');
    await list.getByText('Numbered steps').waitFor();
    for (const [name, keys] of [
      ['Background', /^F$/],
      ['Move selection by ten pixels', /^Alt\s*← ↑ → ↓$/],
    ] as const)
      expect(await list.getByText(name, { exact: true }).locator('..').locator('dd').innerText()).toMatch(keys);
    expect(await editor.page.getByRole('combobox').count()).toBe(0);
    await editor.key('b', 'Enter', 'Escape');
    await list.waitFor({ state: 'detached' });
    expect([await editor.marks(), editor.problems]).toEqual([[], []]);
    const commands = await editor.page.evaluate(() => window.double.calls.map((call) => call.command));
    expect(commands).not.toContain('capture.cancel');
    await editor.page.context().close();
  });

  it('has the keys of captures and hotkeys where there are captures', async () => {
    await canCapture();
    await page.evaluate(() => {
      const key = {
        accelerator: 'Control+Shift+X',
        state: 'asked',
        bound: null,
        pressedAt: null,
        failure: null,
      } as const;
      window.double.set({
        hotkeys: {
          way: 'x11',
          command: '',
          commandPlace: 'settings',
          shortcut: 'none',
          replacesSnippingTool: false,
          keys: [{ action: 'region', ...key }],
        },
      });
    });
    await open();
    await page.keyboard.type('shortc keyb help');
    await eventually(async () => expect(await chosen().innerText()).toContain('Show all shortcuts'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    for (const title of ['System-wide', 'Window', 'Region selection', 'Editor', 'Recording review'])
      await dialog().getByRole('heading', { name: title }).waitFor();
    expect(await dialog().getByText('X', { exact: true }).count()).toBe(1);
  });
});

describe('each listed shortcut works', () => {
  const inWindow: Record<keyof typeof SHORTCUTS.window, () => Promise<void>> = {
    palette: async () => {
      await page.keyboard.press('Control+k');
      await field().waitFor();
    },
    shortcuts: async () => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    },
    choose: async () => {
      // That this opens the dialog of the browser is proven in home.test.ts.
      const input = page.locator('input[type=file][multiple]').first();
      await input.evaluate((it) => it.addEventListener('click', () => it.setAttribute('data-clicked', '')));
      await page.keyboard.press('Control+o');
      await eventually(async () => expect(await input.getAttribute('data-clicked')).toBe(''));
    },
    newNote: async () => {
      await page.keyboard.press('Control+n');
      await page.getByRole('heading', { name: 'New note' }).waitFor();
    },
    paste: async () => {
      await page.evaluate(() => navigator.clipboard.writeText('pasted words'));
      await page.keyboard.press('Control+v');
      await page.getByText('pasted words').waitFor();
    },
    search: async () => {
      await page.keyboard.press('/');
      const search = page.getByRole('searchbox', { name: 'Search the library' });
      await eventually(async () => expect(await search.evaluate((it) => it === document.activeElement)).toBe(true));
    },
    move: async () => {
      await page.evaluate(() => {
        const { make, double } = window;
        double.set({
          queue: { items: [make.makeItem('queued', 2), make.makeItem('queued', 3)], live: {}, paused: false },
        });
      });
      await page.getByRole('button', { name: 'Pause shot-3.png' }).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await eventually(async () => expect(await calls('queue.move')).toHaveLength(1));
    },
    messages: async () => {
      await page.evaluate(() => window.double.failNext('queue.pauseAll', { code: 'INTERNAL', detail: 'inner words' }));
      await page.getByRole('button', { name: 'Pause all' }).click();
      const message = page.locator('[data-message]').last();
      await message.waitFor();
      await page.keyboard.press('F6');
      await eventually(async () =>
        expect(await message.evaluate((it) => it.contains(document.activeElement))).toBe(true),
      );
    },
  };
  it('of the window', async () => {
    for (const proof of Object.values(inWindow)) {
      await proof();
      await untilListening(page);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await page.evaluate(() => {
        location.hash = '#home';
      });
      await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
      await page.getByRole('main').focus();
    }
  });

  it('of the library', async () => {
    await fill();
    await page.evaluate(() => window.double.answer('library.delete', () => ({ answers: [] })));
    await go('Library');
    await page.getByRole('listitem').first().waitFor();
    const keys: Record<keyof typeof SHORTCUTS.library, string> = {
      ...{ items: 'ArrowDown', choose: 'Space', range: 'Shift+Space' },
      ...{ all: 'Control+a', delete: 'Delete', none: 'Escape' },
    };
    await page.getByRole('listitem').first().getByRole('link').first().focus();
    await page.keyboard.press(keys.choose);
    await page.getByText('1 selected').first().waitFor();
    await page.keyboard.press(keys.items);
    await page.keyboard.press(keys.items);
    await page.keyboard.press(keys.range);
    await page.getByText('3 selected').first().waitFor();
    await page.keyboard.press(keys.none);
    await page.keyboard.press(keys.all);
    await page.getByText('9 selected').first().waitFor();
    await page.keyboard.press(keys.none);
    await page.getByText('9 selected').first().waitFor({ state: 'detached' });
    await page.keyboard.press(keys.all);
    await page.keyboard.press(keys.delete);
    await eventually(async () => expect(await calls('library.delete')).toMatchObject([{ ids: { length: 9 } }]));
  });
});

describe.each([
  ['light', 'en', 1024],
  ['dark', 'ru', 480],
] as const)('in the %s theme, in %s, at %d px', (colorScheme, language, width) => {
  it('both can be used by everyone', async () => {
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await fill();
    await canCapture();
    await page.evaluate((chosenLanguage) => {
      const { double } = window;
      double.set({ settings: { ...double.state().settings, language: chosenLanguage } });
    }, language);
    await open();
    await page.keyboard.type('s');
    await page.getByRole('option', { name: 'Quartz' }).first().waitFor({ state: 'detached' });
    expect([await axeViolations(page), await overflows(page)]).toEqual([[], false]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await dialog().waitFor();
    expect([await axeViolations(page), await overflows(page)]).toEqual([[], false]);
  });
});
