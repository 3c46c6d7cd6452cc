/** The frozen screen in real Chromium: pixel-exact at every scale, by mouse and keyboard, and accessible. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPTURE_MARKS } from '../../../src/ipc/protocol/capture-performance-marks.ts';
import { contrastRatio, shownRatio } from '../../../src/renderer/overlay/picture/contrast.ts';
import { nameless } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import {
  CAPTURE,
  colourOf,
  makeChoosing,
  makeDisplay,
  makeKnownPixels,
  makeWindow,
} from '../../support/window/frozen-desktop.ts';
import { freeze, openOverlay } from '../../support/window/overlay-page.ts';
import { watchForText } from '../../support/window/passing-text.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

const WINDOWS = [
  makeWindow({ x: 700, y: 300, width: 400, height: 300, title: 'In front' }),
  makeWindow({ x: 600, y: 200, width: 600, height: 450, title: 'Behind' }),
];
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'What to do with it' });
const size = (page: Page) => page.locator('[data-part=size]');
const colour = (page: Page) => page.locator('[data-part=colour]');
const poll = <T>(read: () => Promise<T>) => expect.poll(read);

describe.each([1, 1.25, 2])('at %d device pixels per CSS pixel', (ratio) => {
  it('a drawn region is selected to the pixel, and shows the frozen pixels', async () => {
    const overlay = await openOverlay(pages, { ratio });
    const { page } = overlay;
    await overlay.drag(401, 57, 1000, 391);
    await toolbar(page).waitFor();
    await poll(() => size(page).innerText()).toBe('600 × 335');

    // Without the handles, and without the size label where it has no space above.
    const inner = { left: 420, top: 140, width: 560, height: 230 };
    const seen = await sharp(await page.screenshot())
      .extract(inner)
      .removeAlpha()
      .raw()
      .toBuffer();
    const frozen = Buffer.from(makeKnownPixels({ width: 1280, height: 720 }));
    const wanted = await sharp(frozen, { raw: { width: 1280, height: 720, channels: 4 } })
      .extract(inner)
      .removeAlpha()
      .raw()
      .toBuffer();
    expect(seen.equals(wanted)).toBe(true);

    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: { x: 401, y: 57, width: 600, height: 335 }, way: null }]);
    expect(overlay.problems).toEqual([]);
    await page.context().close();
  });

  it('the same is chosen without a pointer', async () => {
    const overlay = await openOverlay(pages, { ratio });
    const { page } = overlay;
    // The first arrow puts the cross into the middle.
    const keys = [
      'ArrowLeft',
      'ArrowLeft',
      'Control+ArrowUp',
      'Space',
      'Control+ArrowRight',
      'ArrowDown',
      'Control+ArrowDown',
    ];
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.press('Space');
    await toolbar(page).waitFor();
    for (const key of ['ArrowRight', 'Shift+ArrowRight', 'Control+Shift+ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: { x: 640, y: 350, width: 12, height: 22 }, way: null }]);
    await page.context().close();
  });

  it('the magnifier shows the pixel aimed at and its colour, and copies it', async () => {
    const overlay = await openOverlay(pages, { ratio });
    const { page } = overlay;
    await overlay.moveTo(777, 345);
    await poll(() => colour(page).innerText()).toBe(colourOf(777, 345));
    const middle = await page.locator('[data-part=lensCanvas]').evaluate((canvas: HTMLCanvasElement) => {
      const pixel = (x: number, y: number) => [...(canvas.getContext('2d')?.getImageData(x, y, 1, 1).data ?? [])];
      return { size: [canvas.width, canvas.height, canvas.clientWidth], middle: pixel(7, 7), corner: pixel(0, 14) };
    });
    const parts = (hex: string) => [...Buffer.from(hex.slice(1), 'hex'), 255];
    expect(middle).toEqual({
      size: [15, 15, 150],
      middle: parts(colourOf(777, 345)),
      corner: parts(colourOf(770, 352)),
    });
    await page.keyboard.press('c');
    await poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(colourOf(777, 345));
    await page.context().close();
  });
});

describe('the hand', () => {
  it('Space moves the selection, Shift makes it a square, handles resize it, a drag moves it', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.moveTo(200, 200);
    await page.mouse.down();
    await overlay.moveTo(299, 249);
    await page.keyboard.down('Space');
    await overlay.moveTo(349, 269);
    await page.keyboard.up('Space');
    await page.keyboard.down('Shift');
    await overlay.moveTo(350, 419);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await poll(() => size(page).innerText()).toBe('200 × 200');
    await overlay.drag(450, 420, 470, 430);
    await overlay.drag(300, 300, 310, 290);
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: { x: 260, y: 210, width: 220, height: 210 }, way: null }]);
    await page.context().close();
  });

  it('a click on the colour copies it, and a click with Ctrl that of the pixel below', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.mouse.move(500, 300);
    await page.keyboard.down('Control');
    await page.mouse.click(501, 301);
    await page.keyboard.up('Control');
    await poll(copied).toBe(colourOf(501, 301));
    await page.keyboard.press('ArrowDown');
    const isAnnounced = await watchForText(page, '[aria-live]', `Colour ${colourOf(501, 302)} copied`);
    await page.getByRole('button', { name: /^#/ }).click();
    await isAnnounced();
    await poll(copied).toBe(colourOf(501, 302));
    // With itself; then with another pixel, in the same words for those who see and those who listen.
    const contrast = page.locator('[data-part=contrast]');
    await poll(() => contrast.innerText()).toBe('Contrast 1.00: too low');
    await page.keyboard.press('ArrowRight');
    const ratio = contrastRatio(colourOf(501, 302), colourOf(502, 302));
    await poll(() => contrast.innerText()).toContain(`Contrast ${shownRatio(ratio)}: `);
    await page.getByText(`${colourOf(502, 302)}. Contrast ${shownRatio(ratio)}: `).waitFor({ state: 'attached' });
    await page.context().close();
  });
});

describe('with Ctrl', () => {
  it('neither two clicks nor the menu of a Mac touch the selection: they only copy the colour', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(100, 100, 199, 149);
    await toolbar(page).waitFor();
    await page.keyboard.down('Control');
    await page.mouse.dblclick(150, 120);
    await page.mouse.click(150, 120, { button: 'right' });
    await page.keyboard.up('Control');
    await poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(colourOf(150, 120));
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: { x: 100, y: 100, width: 100, height: 50 }, way: null }]);
    await page.context().close();
  });
});

describe('windows', () => {
  it('the pointer marks the window in front, a click takes it, a double click shares it', async () => {
    const overlay = await openOverlay(pages, { session: { windows: WINDOWS } });
    const { page } = overlay;
    await overlay.moveTo(800, 400);
    await poll(() => size(page).innerText()).toBe('400 × 300');
    await overlay.moveTo(620, 220);
    await poll(() => size(page).innerText()).toBe('600 × 450');
    await page.mouse.dblclick(800, 400);
    await poll(overlay.chosen).toEqual([{ area: { x: 700, y: 300, width: 400, height: 300 }, way: null }]);
    await page.context().close();
  });

  it('Tab selects window after window, then the buttons', async () => {
    const overlay = await openOverlay(pages, { session: { windows: WINDOWS, mode: 'window' } });
    const { page } = overlay;
    await page.keyboard.press('Tab');
    await page.getByText('Window In front, 400 by 300').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.getByText('Window Behind, 600 by 450').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Whole screen/);
    await page.context().close();
  });

  it('a held Enter takes the window and does not share it at once', async () => {
    const overlay = await openOverlay(pages, { session: { windows: WINDOWS, mode: 'window' } });
    const { page } = overlay;
    await page.keyboard.press('Tab');
    await page.keyboard.down('Enter');
    await toolbar(page).waitFor();
    for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down('Enter');
    expect(await overlay.chosen()).toEqual([]);
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toHaveLength(1);
    await page.context().close();
  });
});

describe('leaving the overlay', () => {
  it('Escape cancels the drag, then the area, then the capture', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(300, 200, 500, 400);
    await toolbar(page).waitFor();
    await page.mouse.move(600, 500);
    await page.mouse.down();
    await page.mouse.move(700, 600);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await poll(() => size(page).innerText()).toBe('201 × 201');
    await page.keyboard.press('Escape');
    await toolbar(page).waitFor({ state: 'hidden' });
    expect(await overlay.cancelled()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await overlay.cancelled()).toBe(1);
    await page.context().close();
  });

  it('the right button does the same', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(300, 200, 500, 400);
    await toolbar(page).waitFor();
    await page.mouse.click(350, 250, { button: 'right' });
    await toolbar(page).waitFor({ state: 'hidden' });
    await page.mouse.click(350, 250, { button: 'right' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('a selection that failed shows the reason, and can be repeated', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(300, 200, 500, 400);
    await page.evaluate(() => window.double.failNext('capture.choose', { code: 'DISK_FULL', detail: '' }));
    await toolbar(page).getByRole('button', { name: 'Share' }).click();
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toHaveLength(2);
    await page.context().close();
  });
});

it('the keyboard works where a button has moved the focus', async () => {
  const overlay = await openOverlay(pages);
  const { page } = overlay;
  await page.getByRole('button', { name: 'Whole screen' }).click();
  await toolbar(page).waitFor();
  await page.keyboard.press('Escape');
  await toolbar(page).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Whole screen' }).press('Enter');
  await toolbar(page).waitFor();
  await page.keyboard.press('Enter');
  await poll(overlay.chosen).toEqual([{ area: { x: 0, y: 0, width: 1280, height: 720 }, way: null }]);
  await page.context().close();
});

/** Waits until the window has heard this from another one. */
const hearing = async (page: Page) => {
  await page.evaluate(() => {
    const told = { state: {} };
    Object.assign(window, { told });
    new BroadcastChannel('linkshot:overlay').addEventListener('message', ({ data }) => {
      Object.assign(told.state, data.change);
    });
  });
  const told = () => page.evaluate(() => (window as unknown as { told: { state: object } }).told.state);
  return (state: object) => poll(told).toMatchObject(state);
};

describe('several displays', () => {
  const displays = [makeDisplay(), makeDisplay({ number: 2, x: 1280, width: 800, height: 600, name: 'HDMI-1' })];

  it('one page shows them in turn by their numbers, and areas are those of the desktop', async () => {
    const overlay = await openOverlay(pages, { host: 'page', session: { displays } });
    const { page } = overlay;
    await page.keyboard.press('2');
    await page.getByRole('button', { name: 'Screen 2, HDMI-1' }).waitFor();
    await poll(() =>
      page
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.width),
    ).toBe(800);
    await page.locator('[data-painted]').waitFor();
    // It is smaller than the page and centred.
    await overlay.drag(240 + 10, 60 + 20, 240 + 109, 60 + 69);
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: { x: 1290, y: 20, width: 100, height: 50 }, way: null }]);
    await page.context().close();
  });

  it('windows of their own share the keyboard and one selection', async () => {
    const first = await openOverlay(pages, { session: { displays } });
    const second = await first.page.context().newPage();
    await second.setViewportSize({ width: 800, height: 600 });
    await second.goto(`${first.page.url()}#2`);
    await second.locator('#root').waitFor({ state: 'attached' });
    await poll(() => second.evaluate(() => 'double' in window)).toBe(true);
    await freeze(second, makeChoosing({ displays }), 'windows');
    const [firstHears, secondHears] = [await hearing(first.page), await hearing(second)];

    await first.drag(100, 100, 199, 199);
    await toolbar(first.page).waitFor();
    await secondHears({ hasSelection: true });
    await second.mouse.move(50, 50);
    await second.mouse.down();
    await second.mouse.move(149, 99);
    await second.mouse.up();
    await toolbar(second).waitFor();
    await toolbar(first.page).waitFor({ state: 'hidden' });
    await firstHears({ display: 2, hasSelection: true });

    // The first window has the keyboard still, and its keys are for where the selection is.
    await first.page.keyboard.press('ArrowRight');
    await first.page.keyboard.press('Enter');
    const chosen = () =>
      second.evaluate(() => window.double.calls.filter(({ command }) => command === 'capture.choose'));
    await poll(chosen).toMatchObject([{ input: { id: CAPTURE, area: { x: 1331, y: 50, width: 100, height: 50 } } }]);
    expect(await first.chosen()).toEqual([]);
    await firstHears({ isSubmitted: true });

    // The host has it now: no pointer and no key changes it, in whichever window.
    await first.drag(100, 100, 199, 199);
    await second.mouse.move(300, 300);
    await second.mouse.down();
    await second.mouse.move(349, 349);
    await second.mouse.up();
    await first.page.keyboard.press('ArrowRight');
    await first.page.keyboard.press('Enter');
    const looks = [first.page, second].map((page) => page.locator('[data-look]').getAttribute('data-look'));
    expect(await Promise.all(looks)).toEqual(['aiming', 'chosen']);
    expect(await size(second).innerText()).toBe('100 × 50');
    expect(await chosen()).toHaveLength(1);
    await first.page.context().close();
  });

  it('a screen is taken whole', async () => {
    const overlay = await openOverlay(pages, { host: 'page', session: { displays, mode: 'screen' } });
    await overlay.page.keyboard.press('2');
    await poll(() =>
      overlay.page
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.width),
    ).toBe(800);
    await toolbar(overlay.page).waitFor();
    await overlay.page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: { x: 1280, y: 0, width: 800, height: 600 }, way: null }]);
    await overlay.page.context().close();
  });
});

describe('over the page of a browser', () => {
  it('a screen larger than the tab is shown whole, and can be taken whole', async () => {
    const overlay = await openOverlay(pages, { host: 'page', page: { viewport: { width: 640, height: 500 } } });
    await overlay.drag(0, 0, 639, 499);
    await overlay.page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: { x: 0, y: 0, width: 1279, height: 720 }, way: null }]);
    await overlay.page.context().close();
  });

  it('the page below cannot be reached, and has its focus again afterwards', async () => {
    const overlay = await openOverlay(pages, { host: 'page' });
    const { page } = overlay;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Library' }).focus();
    await freeze(page, makeChoosing(), 'page');
    expect(await page.evaluate(() => document.querySelector('main')?.closest('[inert]') !== null)).toBe(true);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Library');
    await page.context().close();
  });
});

describe('what leaves', () => {
  it('is shown before publishing: the destination, and who can open it', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    const words = 'to share.example.com · anyone with the link';
    await page.getByText(words).and(page.locator(':visible')).first().waitFor();
    await overlay.drag(300, 200, 500, 400);
    await toolbar(page).getByText(words).waitFor();
    await page.evaluate(() => {
      const { double } = window;
      const { settings, effective } = double.state();
      const preset = { id: 'p', name: 'Once', link: { visibility: 'private' as const, oneTime: true } };
      double.set({ settings: { ...settings, presets: [preset], defaultPreset: 'p' }, effective });
    });
    await toolbar(page).getByText('to share.example.com · only you, opens once').waitFor();
    await page.context().close();
  });

  it('stays here where the settings only copy, save or pin, and the main button does just that', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(300, 200, 500, 400);
    const only = { publish: false, copyPicture: false, save: false };
    for (const [name, after] of [
      ['Copy', { ...only, copyPicture: true, save: true }],
      ['Save', { ...only, save: true }],
      ['Save', only],
      ['Pin', { ...only, pin: true }],
    ] as const) {
      await page.evaluate((afterCapture) => {
        const { double } = window;
        double.set({ settings: { ...double.state().settings, afterCapture } });
      }, after);
      await poll(() => toolbar(page).getByRole('button').first().innerText()).toContain(name);
      await toolbar(page).getByText('stays here; Share sends it to share.example.com · anyone with the link').waitFor();
    }
    await page.evaluate(() => window.double.set({ connection: { state: 'none' } }));
    await toolbar(page).getByText('stays on this computer').waitFor();
    await page.context().close();
  });

  it.each([
    ['Edit', 'Control+e', 'edit'],
    ['Copy', 'Control+c', 'copy'],
    ['Save', 'Control+s', 'save'],
    ['Text', 't', 'text'],
  ])('%s has a button and a key', async (name, key, way) => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(300, 200, 500, 400);
    await toolbar(page).getByRole('button', { name }).waitFor();
    await page.keyboard.press(key);
    await poll(overlay.chosen).toMatchObject([{ way }]);
    await page.context().close();
  });

  it('Pin has a button and a key where images can be pinned, and neither elsewhere', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(300, 200, 500, 400);
    const pin = toolbar(page).getByRole('button', { name: 'Pin' });
    await toolbar(page).getByRole('button', { name: 'Save' }).waitFor();
    expect(await pin.count()).toBe(0);
    await page.keyboard.press('p');
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, pins: true } });
    });
    await pin.waitFor();
    expect(await overlay.chosen()).toEqual([]);
    await page.keyboard.press('p');
    await poll(overlay.chosen).toMatchObject([{ way: 'pin' }]);
    await page.context().close();
  });

  it('all of them fit on a narrow display, in the longer language too', async () => {
    const overlay = await openOverlay(pages, { language: 'ru' });
    const { page } = overlay;
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, pins: true } });
    });
    await overlay.drag(20, 57, 300, 391);
    for (const width of [500, 800, 1000]) {
      await page.setViewportSize({ width, height: 720 });
      const buttons = page.getByRole('toolbar').getByRole('button');
      await poll(async () => {
        const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
        return boxes.filter((box) => box === null || box.x < 0 || box.x + box.width > width);
      }).toEqual([]);
    }
    await page.context().close();
  });

  it('Enter runs the action of the settings, and its button names it', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await page.evaluate(() => {
      const { double } = window;
      const afterCapture = { publish: false, copyPicture: true, save: false };
      double.set({ settings: { ...double.state().settings, afterCapture } });
    });
    await overlay.drag(300, 200, 500, 400);
    await toolbar(page).getByRole('button', { name: 'Share Ctrl+U', exact: true }).waitFor();
    await toolbar(page)
      .getByRole('button', { name: /^Copy\s*Enter$/ })
      .click();
    await poll(overlay.chosen).toMatchObject([{ way: null }]);
    await page.context().close();
  });

  it('an area for a recording is recorded, and stays here until it was looked at', async () => {
    const overlay = await openOverlay(pages, { session: { purpose: 'recording' } });
    const { page } = overlay;
    await overlay.drag(300, 200, 500, 400);
    await toolbar(page).getByText('stays here until you share it').waitFor();
    await toolbar(page).getByRole('button', { name: 'Record' }).click();
    await poll(overlay.chosen).toMatchObject([{ way: null }]);
    await page.context().close();
  });
});

it('the camera of a recording is chosen before and after the selection, by its button and by the W key', async () => {
  const overlay = await openOverlay(pages, { session: { purpose: 'recording' } });
  const { page } = overlay;
  const chosen = () => page.evaluate(() => window.double.state().settings.recordingCamera);
  const button = page.getByRole('button', { name: /W$/ });
  await button.getByText('Camera off').click();
  await poll(chosen).toBe('Integrated Camera');
  await overlay.drag(300, 200, 500, 400);
  await page.keyboard.press('w');
  await poll(chosen).toBe('HD Pro Webcam C920');
  await toolbar(page).getByRole('button', { name: 'HD Pro Webcam C920' }).press('Space');
  await poll(chosen).toBe(null);
  await page.context().close();
});

it('no camera is offered for a picture, nor where there is none', async () => {
  for (const session of [{}, { purpose: 'recording' }] as const) {
    const { page } = await openOverlay(pages, { session });
    await page.evaluate(() => window.double.answer('recording.cameras', () => ({ cameras: [] })));
    await page.keyboard.press('Escape');
    await freeze(page, makeChoosing(session), 'windows');
    await page.keyboard.press('w');
    expect(await page.getByRole('button', { name: /W$/ }).count()).toBe(0);
    const changes = () => window.double.calls.filter(({ command }) => command === 'settings.update').length;
    expect(await page.evaluate(changes)).toBe(0);
    await page.context().close();
  }
});

it('an area for its text has one action, and says that nothing is uploaded', async () => {
  const overlay = await openOverlay(pages, { session: { purpose: 'text' } });
  const { page } = overlay;
  await overlay.drag(300, 200, 500, 400);
  await toolbar(page).getByText('read on this computer, not uploaded').waitFor();
  await toolbar(page).getByRole('button', { name: 'Copy text' }).click();
  await poll(overlay.chosen).toMatchObject([{ way: null }]);
  await page.context().close();
});

it('an area is scrolled from its button, and by the S key', async () => {
  const overlay = await openOverlay(pages);
  const { page } = overlay;
  await overlay.drag(300, 200, 500, 400);
  await toolbar(page).getByRole('button', { name: 'Scrolling' }).click();
  await poll(overlay.chosen).toMatchObject([{ way: 'scroll' }]);
  await page.context().close();
  const other = await openOverlay(pages);
  await other.drag(300, 200, 500, 400);
  await other.page.keyboard.press('s');
  await poll(other.chosen).toMatchObject([{ way: 'scroll' }]);
  await other.page.context().close();
});

it('a scrolling capture that was asked for has one action', async () => {
  const overlay = await openOverlay(pages, { session: { purpose: 'scrolling' } });
  const { page } = overlay;
  await overlay.drag(300, 200, 500, 400);
  expect(await toolbar(page).getByRole('button').allInnerTexts()).toEqual([
    expect.stringMatching('Scroll and capture'),
    '',
  ]);
  await toolbar(page).getByRole('button', { name: 'Scroll and capture' }).click();
  await poll(overlay.chosen).toMatchObject([{ way: null }]);
  await page.context().close();
});

describe('for everyone', () => {
  it.each(['en', 'ru'] as const)(
    'no rule of accessibility is broken, before and after the choice (%s)',
    async (language) => {
      for (const host of ['window', 'page'] as const) {
        const last = { x: 10, y: 10, width: 100, height: 100 };
        const displays = [makeDisplay(), makeDisplay({ number: 2, x: 1280 })];
        const overlay = await openOverlay(pages, { host, language, session: { windows: WINDOWS, last, displays } });
        const { page } = overlay;
        await page.evaluate(axe.source);
        const broken = () =>
          page.evaluate(async () => {
            const { axe: loaded } = window as unknown as { axe: typeof import('axe-core') };
            const { violations } = await loaded.run();
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
          });
        for (const key of ['ArrowLeft', 'l']) {
          await page.keyboard.press(key);
          await page.locator(`[data-look=${key === 'l' ? 'chosen' : 'aiming'}]`).waitFor();
          expect({ host, key, broken: await broken() }).toEqual({ host, key, broken: [] });
          expect(await nameless(page)).toEqual([]);
        }
        expect(overlay.problems).toEqual([]);
        await page.context().close();
      }
    },
  );

  it('announces the position of the selection when it rests, not at each step', async () => {
    const overlay = await openOverlay(pages);
    const { page } = overlay;
    await overlay.drag(300, 200, 399, 299);
    const live = page.locator('[aria-live]', { hasText: 'Region 100 by 100 at 300, 200' });
    await live.waitFor({ state: 'attached' });
    await live.evaluate((announced) => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const note = () => heard.push(announced.textContent ?? '');
      new MutationObserver(note).observe(announced, { childList: true, characterData: true, subtree: true });
      // Without pauses, like a held key on a fast machine.
      const press = { key: 'ArrowRight', bubbles: true, cancelable: true };
      const surface = document.querySelector('[role=application]');
      for (let step = 0; step < 12; step += 1) surface?.dispatchEvent(new KeyboardEvent('keydown', press));
    });
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    await poll(heard).toEqual(['Region 100 by 100 at 312, 200']);
    await page.context().close();
  });

  it('nothing is made or taken away while the pointer moves', async () => {
    const overlay = await openOverlay(pages, { session: { windows: WINDOWS } });
    const { page } = overlay;
    await overlay.moveTo(20, 20);
    await poll(() => colour(page).innerText()).toBe(colourOf(20, 20));
    await page.evaluate(() => {
      const made: string[] = [];
      Object.assign(window, { made });
      const isElement = (node: Node) => node.nodeType === Node.ELEMENT_NODE;
      new MutationObserver((records) => {
        for (const { addedNodes, removedNodes } of records)
          made.push(...[...addedNodes, ...removedNodes].filter(isElement).map(({ nodeName }) => nodeName));
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (let step = 1; step <= 40; step += 1) await overlay.moveTo(20 + step * 25, 20 + step * 15);
    await poll(() => colour(page).innerText()).toBe(colourOf(1020, 620));
    expect(await page.evaluate(() => (window as unknown as { made: string[] }).made)).toEqual([]);
    await page.context().close();
  });

  it('marks the steps from the press to the painted screen, in this order', async () => {
    const { page } = await openOverlay(pages);
    const marks = () =>
      page.evaluate(() =>
        performance.getEntriesByType('mark').map((mark) => ({ name: mark.name, at: mark.startTime })),
      );
    await eventually(async () => expect((await marks()).map(({ name }) => name)).toContain(CAPTURE_MARKS.painted));
    const found = await marks();
    expect(found.map(({ name }) => name)).toEqual(Object.values(CAPTURE_MARKS));
    expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((a, b) => a - b));
    await page.context().close();
  });
});
