/** The layout fits languages longer than English, and every text is translatable. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unaligned } from '../../support/audit/alignment.ts';
import { clippedTexts, cutLinks, overflows } from '../../support/audit/page-audit.ts';
import { ownWords } from '../../support/audit/page-words.ts';
import { OPENING, pseudo } from '../../support/audit/pseudo-locale.ts';
import { noise } from '../../support/media/pixels.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { openEditor } from '../../support/window/editor-page.ts';
import { EDITOR_SCENES } from '../../support/window/editor-scenes.ts';
import { makeWindow } from '../../support/window/frozen-desktop.ts';
import { ITEM_SCENES } from '../../support/window/item-scenes.ts';
import { openOverlay } from '../../support/window/overlay-page.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { speak } from '../../support/window/speak.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

const WIDTHS = [480, 1024, 1600];

/** What has no language or is put together from data. */
const NEUTRAL = [
  /\.(png|webp|webm|avif|mp4|mov|tsx?)$/,
  /^https?:|\.example\.com/,
  // A step of an address.
  /^[\w-]+\/$/,
  /^[\d.,:]+\s?(B|KB|MB|GB|s|min|h)(\/s)?$/,
  /^\d{1,2}\s\w{3,4}\s\d{4}(, \d{2}:\d{2}(:\d{2})?)?$/,
  /^(just now|yesterday|\d+ \w+\.? ago)$/,
  /^(Ctrl|Alt|Shift|Meta|Enter|Esc|Del)(\+|$)/,
  /^#[0-9A-F]{6}$/,
  /^\d+p\d* .* → \d+p/,
  // The languages are called by their own names.
  /^(English|Русский)$/,
  // What is typed into the editor.
  /^Look$/,
  // React Aria's own, in all of its languages.
  /^Dismiss$/,
];
const hardCoded = async (page: Page): Promise<string[]> =>
  (await ownWords(page)).filter((text) => !text.includes(OPENING) && !NEUTRAL.some((pattern) => pattern.test(text)));

/** Of a page that shows a scene; it is switched back to English afterwards. */
const examine = async (page: Page, widths: readonly number[] | 'its own'): Promise<void> => {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await speak(page, 'pseudo');
  try {
    expect(await hardCoded(page)).toEqual([]);
    for (const width of widths === 'its own' ? [before.width] : widths) {
      if (widths !== 'its own') await page.setViewportSize({ ...before, width });
      // Popovers are repositioned in the next frame.
      await expect.poll(() => clippedTexts(page), { message: `at ${width} px` }).toEqual([]);
      // In a page enlarged to 400 % a link is longer than its line.
      if (width >= 480) await expect.poll(() => cutLinks(page), { message: `links at ${width} px` }).toEqual([]);
      await expect.poll(() => overflows(page), { message: `wider than ${width} px` }).toBe(false);
      await expect.poll(() => unaligned(page), { message: `at ${width} px` }).toEqual([]);
    }
  } finally {
    await page.setViewportSize(before);
    await speak(page, 'en');
  }
};

it('makes a sentence longer by two fifths, and leaves everything else unchanged', () => {
  const catalogue = { word: 'Settings', count: (count: number) => `${count} files`, nothing: '·', language: 'en' };
  const disguised = pseudo(catalogue);
  expect(disguised.word).toMatch(/^⟦Šéttîñğš .+⟧$/);
  expect(disguised.word.length).toBeGreaterThanOrEqual(Math.round('Settings'.length * 1.4));
  expect(disguised.count(3)).toContain('3');
  expect(disguised.nothing).toBe('·');
  expect(disguised.language).toBe('en');
});

it('detects neighbours that are not on one line', async () => {
  const { page } = await pages.open();
  await page.evaluate(() => {
    const sign = '<svg width="16" height="16"></svg>';
    document.body.innerHTML = `
      <main><div class="tiles"><button>${sign}One</button><button>${sign}Two<br />lines</button></div></main>
      <div class="bar"><p>Words</p><button>Do it</button></div>`;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`.tiles { display: flex; height: 80px } .bar { display: flex; align-items: center }
      .tiles button { display: grid; align-content: center } .bar p { margin: 0 0 16px }`);
    document.adoptedStyleSheets.push(sheet);
  });
  expect(await unaligned(page)).toEqual([
    expect.stringMatching(/^signs of tiles "OneTwolines"/),
    expect.stringMatching(/^row of bar "WordsDo it"/),
  ]);
  await page.context().close();
});

describe('the window', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await pages.open({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } }));
  });
  afterAll(() => page.context().close());
  it.each(Object.entries({ ...SCENES, ...CAPTURE_SCENES }))('%s', async (_, scene) => {
    await scene(page);
    await examine(page, WIDTHS);
  });
});

describe('the page of an item', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await pages.open({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } }));
  });
  afterAll(() => page.context().close());
  it.each(Object.entries(ITEM_SCENES))('%s', async (_, scene) => {
    await scene(page);
    await examine(page, [320, ...WIDTHS]);
  });
});

describe('the windows of the desktop', () => {
  it.each([
    { which: 'toast', width: 416, scenes: ['captures'] },
    { which: 'recorder', width: 464, scenes: ['recording', 'discarding', 'countdown'] },
  ] as const)('$which', async ({ which, width, scenes }) => {
    const { page } = await pages.open({ reducedMotion: 'reduce', viewport: { width, height: 900 } }, which);
    for (const name of scenes) {
      await CAPTURE_SCENES[name]?.(page);
      await examine(page, 'its own');
    }
    await page.context().close();
  });
});

it('the overlay', async () => {
  const windows = [makeWindow({ x: 700, y: 300, width: 400, height: 300, title: 'In front.png' })];
  const { page, drag } = await openOverlay(pages, { session: { windows } });
  await examine(page, 'its own');
  await drag(200, 150, 700, 500);
  await page.getByRole('toolbar').waitFor();
  await examine(page, 'its own');
  await page.context().close();
});

it('the editor', async () => {
  const editor = await openEditor(pages, noise(641, 403, 1), { reducedMotion: 'reduce' });
  for (const reach of Object.values(EDITOR_SCENES)) {
    await reach(editor);
    await examine(editor.page, WIDTHS);
  }
  await editor.page.context().close();
});
