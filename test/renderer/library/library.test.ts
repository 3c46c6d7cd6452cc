/** The library in real Chromium. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { eventually } from '../../support/eventually.ts';
import { callsOf, windowForEachTest } from '../../support/window/window-for-each-test.ts';

let page: Page;
windowForEachTest({
  use: (opened) => {
    page = opened;
  },
});

const calls = (command: CommandName) => callsOf(page, command);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const go = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
const isShown = (text: string | RegExp) => page.getByText(text).first().waitFor();

describe('the library', () => {
  const fill = (count: number, content: { readonly type?: 'IMAGE' | 'PASTE' } = {}) =>
    page.evaluate(
      ([total, own]) => {
        const { make, double } = window;
        double.setLibrary(
          Array.from({ length: total }, (_, number) =>
            make.makeLibraryItem(number, { title: `Picture ${number}`, ...own }),
          ),
        );
      },
      [count, content] as const,
    );
  const rows = () => page.getByRole('list', { name: 'Shared items' }).getByRole('listitem');

  it('teaches while it is empty', async () => {
    await go('Library');
    await isShown('Your links will appear here');
  });

  it('is searched from anywhere with /, by prefixes of words', async () => {
    await fill(60);
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await search.waitFor();
    await page.keyboard.type('5');
    await eventually(async () => expect(await rows().count()).toBe(11));
    await isShown('11 found');
    await page.keyboard.type('x');
    await isShown('Nothing found for “5x”');
    await page.getByRole('button', { name: 'Show everything' }).last().click();
    await isShown('60 items');
  });

  it('shows a thumbnail that is made while its item is shown', async () => {
    let isMade = false;
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
    await page.route('**/thumbnails/**', (route) =>
      route.fulfill(isMade ? { contentType: 'image/svg+xml', body: picture } : { status: 404 }),
    );
    const refused = page.waitForResponse((response) => response.status() === 404);
    await fill(1);
    await go('Library');
    await rows().first().waitFor();
    await refused;
    const images = rows().locator('img');
    await images.waitFor({ state: 'detached' });
    isMade = true;
    await page.evaluate(() => window.double.set({ thumbnails: [window.make.makeLibraryItem(0).id] }));
    const width = () => images.evaluateAll(([image]) => (image as HTMLImageElement | undefined)?.naturalWidth ?? 0);
    await expect.poll(width).toBe(8);
    // The queue no longer has the item: the thumbnail stays.
    await page.evaluate(() => window.double.set({ thumbnails: [] }));
    expect(await width()).toBe(8);
  });

  it('opens a new note with Alt+N, except in a field, where the keys type a letter of a Mac', async () => {
    await fill(3);
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await search.waitFor();
    const isPrevented = (): Promise<boolean> =>
      page.evaluate(() => {
        const target = document.activeElement ?? document.body;
        // A Mac sends this for Option+N, the first half of "ñ".
        const press = { key: 'Dead', code: 'KeyN', altKey: true, bubbles: true, cancelable: true };
        return !target.dispatchEvent(new KeyboardEvent('keydown', press));
      });
    expect(await isPrevented()).toBe(false);
    await search.fill('Picture');
    await search.evaluate((field: HTMLElement) => field.blur());
    expect(await isPrevented()).toBe(true);
    await page.getByRole('textbox', { name: 'Text' }).waitFor();
  });

  it('fetches page after page while the user scrolls', async () => {
    await fill(1_000);
    await go('Library');
    await rows().first().waitFor();
    await eventually(async () => {
      await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
      expect(await page.getByText('Picture 999', { exact: true }).count()).toBe(1);
    });
    // Only what is near the view exists; what does not is counted for screen readers all the same.
    expect(await rows().count()).toBeLessThan(60);
    expect(await rows().last().getAttribute('aria-posinset')).toBe('1000');
  });

  it('completes what came by in passing as soon as it rests, each card in its place', async () => {
    await fill(600);
    await page.evaluate(() => {
      const { double } = window;
      double.set({ settings: { ...double.state().settings, libraryLook: 'grid' } });
    });
    await go('Library');
    await rows().first().waitFor();
    const cards = () =>
      rows().evaluateAll((all) =>
        all.map((card) => ({
          height: card.firstElementChild?.lastElementChild?.getBoundingClientRect().height,
          buttons: card.querySelectorAll('button').length,
        })),
      );
    const [first] = await cards();
    expect(first?.buttons).toBeGreaterThan(0);
    const passing = await page.getByRole('main').evaluate(async (main) => {
      let fewest = Number.POSITIVE_INFINITY;
      for (let frame = 0; frame < 90; frame += 1) {
        main.scrollBy(0, 60);
        await new Promise(requestAnimationFrame);
        for (const card of main.querySelectorAll('li[aria-setsize]'))
          fewest = Math.min(fewest, card.querySelectorAll('button').length);
      }
      return fewest;
    });
    expect(passing).toBe(0);
    await eventually(async () => {
      const rested = await cards();
      expect(rested.length).toBeGreaterThan(8);
      expect(rested).toEqual(rested.map(() => first));
    });
    // A jump leads to a position where the list is idle.
    const missing = await page.getByRole('main').evaluate(async (main) => {
      main.scrollTo(0, 0);
      let fewest = Number.POSITIVE_INFINITY;
      for (let frame = 0; frame < 20; frame += 1) {
        await new Promise(requestAnimationFrame);
        for (const card of main.querySelectorAll('li[aria-setsize]'))
          fewest = Math.min(fewest, card.querySelectorAll('button').length);
      }
      return fewest;
    });
    expect(missing).toBe(first?.buttons);
  });

  it.each(['list', 'grid'] as const)('is navigated with the arrows, to its end and back, as a %s', async (look) => {
    await fill(700);
    await page.evaluate((chosen) => {
      const { double } = window;
      double.set({ settings: { ...double.state().settings, libraryLook: chosen } });
    }, look);
    await go('Library');
    await rows().first().waitFor();
    const at = () =>
      page.evaluate(() => {
        const { activeElement } = document;
        const place = activeElement?.closest('li[aria-posinset]');
        const box = place?.getBoundingClientRect();
        return {
          place: Number(place?.getAttribute('aria-posinset')),
          what: activeElement?.tagName,
          isSeen: box !== undefined && box.top >= 0 && box.bottom <= innerHeight,
          actions: place?.querySelectorAll('button').length,
        };
      });
    const leadsTo = async (key: string, place: number, what = 'A') => {
      await page.keyboard.press(key);
      await expect.poll(at, { message: key }).toEqual({ place, what, isSeen: true, actions: 3 });
    };
    const columns =
      look === 'list'
        ? 1
        : await rows().evaluateAll((all) => {
            const [first] = all;
            return all.filter((row) => row.getBoundingClientRect().top === first?.getBoundingClientRect().top).length;
          });
    await rows().first().getByRole('link').first().focus();
    await leadsTo('ArrowDown', 1 + columns);
    await leadsTo('ArrowDown', 1 + 2 * columns);
    await leadsTo('ArrowUp', 1 + columns);
    if (look === 'grid') await leadsTo('ArrowRight', 2 + columns);
    if (look === 'grid') await leadsTo('ArrowLeft', 1 + columns);
    await leadsTo('Home', 1);
    // As far as has been read, and then on.
    await leadsTo('End', 200);
    await expect.poll(() => calls('library.search').then((asked) => asked.length)).toBeGreaterThan(1);
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('PageDown');
    await expect.poll(async () => (await at()).place).toBeGreaterThan(200);
    await expect.poll(at).toMatchObject({ isSeen: true, actions: 3 });
    const before = (await at()).place;
    await page.keyboard.press(' ');
    await isShown('1 selected');
    await leadsTo('ArrowDown', before + columns);
    await leadsTo('ArrowDown', before + 2 * columns);
    await page.keyboard.press('Shift+ ');
    await isShown(`${2 * columns + 1} selected`);
    await page.keyboard.press('Escape');
    await page.getByText(' selected').first().waitFor({ state: 'detached' });
    // The wheel does not move the keyboard focus.
    await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0));
    await page.getByText('Picture 0', { exact: true }).waitFor();
    expect((await at()).place).toBe(before + 2 * columns);
    await leadsTo('ArrowUp', before + columns);
    await leadsTo('Home', 1);
  });

  it('selects all results with Ctrl+A, also those not scrolled into view', async () => {
    await fill(700);
    await go('Library');
    await rows().first().waitFor();
    await page.keyboard.press('Control+a');
    await isShown('700 selected');
  });

  it('has its keys also after a click on the box of an item', async () => {
    await fill(3);
    await go('Library');
    const box = (number: number) => page.getByRole('checkbox', { name: `Picture ${number}` });
    await box(0).click();
    await isShown('1 selected');
    await page.keyboard.press('Escape');
    await page.getByText('1 selected').first().waitFor({ state: 'detached' });
    await box(0).press(' ');
    await isShown('1 selected');
    await page.keyboard.press('Control+a');
    await isShown('3 selected');
    await box(1).click();
    await isShown('2 selected');
    await page.keyboard.press('Delete');
    const ids = await page.evaluate(() => [window.make.itemId(0), window.make.itemId(2)]);
    await eventually(async () => expect(await calls('library.delete')).toMatchObject([{ ids }]));
  });

  it('keeps the keys of the window from the radio buttons of a dialog', async () => {
    await fill(3);
    await go('Library');
    await rows().first().waitFor();
    await page.keyboard.press('Control+a');
    await button('Change').press('Enter');
    const shown = page.getByRole('radio', { name: 'Private' });
    for (const key of ['/', 'Alt+n', 'Delete']) await shown.press(key);
    expect(await shown.evaluate((radio) => radio === document.activeElement)).toBe(true);
    expect(await page.evaluate(() => location.hash)).toBe('#library');
    expect(await calls('library.delete')).toEqual([]);
  });

  it('is not left without a question while a change of many is being sent', async () => {
    const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    await fill(60);
    await page.evaluate(() => window.double.answer('library.update', () => new Promise<never>(() => {})));
    await go('Library');
    await rows().first().waitFor();
    await page.keyboard.press('Control+a');
    await isShown('60 selected');
    expect(await asks()).toBe(false);
    await button('Change').press('Enter');
    await page.getByRole('radio', { name: 'Private' }).press(' ');
    await isShown('Changed 0 of 60');
    await expect.poll(asks).toBe(true);
  });

  it('gives the keyboard to the next item when the one that had it is deleted', async () => {
    await fill(3);
    await page.evaluate(() => {
      const { make, double } = window;
      double.answer('library.delete', ({ ids }) => ({
        answers: ids.map((id) => ({
          id,
          item: { ...make.makeLibraryItem(1), id, deletingAt: Date.now() + 60_000 },
          failure: null,
        })),
      }));
    });
    await go('Library');
    const title = (number: number) => page.getByRole('link', { name: `Picture ${number}`, exact: true });
    await title(1).focus();
    await page.keyboard.down('Delete');
    await isShown('1 item deleted');
    const onlyOne = async () =>
      expect(await calls('library.delete')).toMatchObject([{ ids: [expect.any(String)], when: 'after-undo' }]);
    await onlyOne();
    await page.evaluate(() => {
      const { make, double } = window;
      double.setLibrary([0, 2].map((number) => make.makeLibraryItem(number, { title: `Picture ${number}` })));
      double.emit({ type: 'library' });
    });
    await title(1).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Picture [02]$/);
    // The key is still held.
    await page.keyboard.down('Delete');
    await page.keyboard.press('Control+a');
    await isShown('2 selected');
    await page.keyboard.down('Delete');
    await onlyOne();
    await page.keyboard.up('Delete');
  });

  it('is narrowed by kind, and shown as pictures', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const kinds = ['IMAGE', 'VIDEO', 'PASTE'] as const;
      double.setLibrary(kinds.map((type, number) => make.makeLibraryItem(number, { type, title: `My ${type}` })));
    });
    await go('Library');
    await button('Type: All types').click();
    await page.getByRole('menuitemradio', { name: 'Videos' }).click();
    await isShown('1 found');
    expect(await rows().count()).toBe(1);
    await button('Grid view').click();
    await eventually(async () => expect(await calls('settings.update')).toEqual([{ libraryLook: 'grid' }]));
    await page.getByText('My VIDEO').waitFor();
    await button('Show everything').press('Enter');
    await eventually(async () => expect(await rows().count()).toBe(3));
    // The button is removed, but the focus is kept.
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await eventually(async () => expect(await search.evaluate((it) => it === document.activeElement)).toBe(true));
  });

  it('changes, copies and deletes many at once, by the keyboard alone', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.setLibrary(
        [0, 1, 2].map((number) => make.makeLibraryItem(number, { tags: number === 1 ? ['seen'] : [] })),
      );
      const answer = (ids: readonly string[], deletingAt: number | null) => ({
        answers: ids.map((id, number) => ({
          ...{ id: id as never, failure: null },
          item: { ...make.makeLibraryItem(number), deletingAt },
        })),
      });
      double.answer('library.delete', ({ ids }) => answer(ids, Date.now() + 60_000));
      double.answer('library.undelete', ({ ids }) => answer(ids, null));
      double.answer('link.format', ({ ids }) => ({ text: ids.map((id) => `https://x/${id}`).join('\n') }));
    });
    await go('Library');
    await rows().first().waitFor();
    await page.keyboard.press('Control+a');
    await isShown('3 selected');
    await button('Copy links').press('Enter');
    await isShown('3 links copied');
    expect(await calls('link.format')).toMatchObject([
      { ids: [{}, {}, {}].map(() => expect.any(String)), to: 'answer' },
    ]);
    await button('Change').press('Enter');
    await page.getByRole('radio', { name: 'Private' }).press(' ');
    await eventually(async () =>
      expect(await calls('library.update')).toMatchObject([{ change: { visibility: 'private' } }]),
    );
    const add = page.getByRole('textbox', { name: 'Add tags' });
    await add.fill('Trip, old');
    await add.press('Enter');
    await eventually(async () =>
      expect((await calls('library.update')).at(-1)).toMatchObject({ change: { addTags: ['trip', 'old'] } }),
    );
    expect(await add.inputValue()).toBe('');
    await isShown('Added: trip, old');
    await button('Remove the tag seen from all').press('Enter');
    await eventually(async () =>
      expect((await calls('library.update')).at(-1)).toMatchObject({ change: { removeTags: ['seen'] } }),
    );
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Remove the tag trip from all',
    );
    await isShown('Removed: seen');
    // Escape clears the input first, and then closes the dialog.
    await add.fill('typed in vain');
    await add.press('Escape');
    await eventually(async () => expect(await add.inputValue()).toBe(''));
    await add.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Delete');
    await isShown('3 items deleted');
    await button('Undo').press('Enter');
    await eventually(async () => expect(await calls('library.undelete')).toHaveLength(1));
  });

  it('shows in the open dialog that changes were refused, and how many, and selects those', async () => {
    await fill(3);
    await page.evaluate(() => {
      const { make, double } = window;
      const refused = { code: 'TOO_MANY_TAGS', detail: 'An item can have at most 10 tags.' } as const;
      double.answer('library.update', ({ ids }) => ({
        answers: ids.map((id) => ({
          ...{ id, item: make.makeLibraryItem(Number(id.slice(-12))) },
          failure: id === make.itemId(1) ? refused : null,
        })),
      }));
    });
    await go('Library');
    await rows().first().waitFor();
    await page.keyboard.press('Control+a');
    await button('Change').press('Enter');
    const add = page.getByRole('textbox', { name: 'Add tags' });
    await add.fill('eleventh');
    await add.press('Enter');
    await page.getByRole('dialog').getByRole('alert').getByText('An item can have up to 10 tags').waitFor();
    await add.press('Escape');
    await isShown('1 of 3 items couldn’t be changed. The others were.');
    await button('Select only those').press('Enter');
    await isShown('1 selected');
    await button('Dismiss').press('Enter');
    await page.keyboard.press('Escape');
  });

  it.each(['IMAGE', 'PASTE'] as const)(
    'has no line of facts of an %s that begins or ends with a dot, however narrow it is',
    async (type) => {
      const before = page.viewportSize();
      await fill(1, { type });
      await go('Library');
      await rows().first().getByText('Unlisted').waitFor();
      await page.setViewportSize({ width: 320, height: 640 });
      const dotsAlone = () =>
        rows()
          .first()
          .getByText('·')
          .evaluateAll(
            (dots) =>
              dots.filter((dot) => {
                const words = document.createRange();
                if (dot.nextSibling) words.selectNode(dot.nextSibling);
                return Math.abs((words.getClientRects()[0]?.top ?? 0) - dot.getBoundingClientRect().top) > 9;
              }).length,
          );
      await eventually(async () => expect(await dotsAlone()).toBe(0));
      if (before) await page.setViewportSize(before);
    },
  );

  it('shows kind, visibility, size and date, and gives the link', async () => {
    await fill(1);
    await go('Library');
    await eventually(async () =>
      expect((await rows().first().innerText()).replaceAll('\u00a0', ' ')).toContain(
        'Image · Unlisted · 470 KB · 20 Nov 2026, 12:00',
      ),
    );
    await button('Copy the link to Picture 0').waitFor();
    await page.getByRole('link', { name: 'Open the share page of Picture 0' }).waitFor();
  });
});
