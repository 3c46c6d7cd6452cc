/**
 * Renders the scenes of the window, the editor, the overlay and the panels, and the server's pages, in both themes and
 * languages, for review only: most at three widths, the overlay and the panels at one. Each group of the app's scenes
 * runs in one page, which is rendered again for each variant.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { noise } from '../../test/support/media/pixels.ts';
import { CAPTURE_SCENES } from '../../test/support/window/capture-scenes.ts';
import { openEditor } from '../../test/support/window/editor-page.ts';
import { EDITOR_SCENES } from '../../test/support/window/editor-scenes.ts';
import { makeWindow } from '../../test/support/window/frozen-desktop.ts';
import { ITEM_SCENES } from '../../test/support/window/item-scenes.ts';
import { openOverlay } from '../../test/support/window/overlay-page.ts';
import type { RendererPages } from '../../test/support/window/renderer-page.ts';
import { speak } from '../../test/support/window/speak.ts';
import { SCENES } from '../../test/support/window/window-scenes.ts';
import { drawSettingsSections } from './settings-sections.ts';
import { drawShareMatrix } from './share-matrix.ts';

const WIDTHS = [480, 1024, 1600];
const HEIGHT = 900;
const STILL = { reducedMotion: 'reduce', viewport: { width: 1280, height: HEIGHT } } as const;

interface Matrix {
  readonly pages: RendererPages;
  /** An example picture to share. */
  readonly picture: Buffer;
  /** The output folder: `NAME-WIDTH-THEME-LANGUAGE.png`. */
  readonly folder: string;
  readonly isWanted: (thing: { readonly name: string }) => boolean;
}

const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const draw = async (page: Page, folder: string, name: string, widths: readonly number[]): Promise<void> => {
  const before = page.viewportSize();
  for (const language of ['en', 'ru'] as const) {
    await speak(page, language);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of widths) {
        await page.setViewportSize({ width, height: before?.height ?? HEIGHT });
        await settled(page);
        const file = `${name}-${width}-${colorScheme}-${language}.png`.replaceAll(/[^\w.-]+/g, '_');
        writeFileSync(join(folder, file), await page.screenshot());
      }
    }
  }
  await speak(page, 'en');
  if (before) await page.setViewportSize(before);
};

export const drawMatrix = async ({ pages, picture, folder, isWanted }: Matrix): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const { page } = await pages.open(STILL);
  // Each scene starts where the previous one ended, so run them all.
  for (const [name, scene] of Object.entries({ ...SCENES, ...CAPTURE_SCENES })) {
    await scene(page);
    if (isWanted({ name: `window-${name}` })) await draw(page, folder, `window-${name}`, WIDTHS);
  }
  if (isWanted({ name: 'settings' })) await drawSettingsSections(page, folder, WIDTHS);
  await page.context().close();

  const { page: item } = await pages.open(STILL);
  for (const [name, scene] of Object.entries(ITEM_SCENES)) {
    await scene(item);
    if (isWanted({ name: `item-${name}` })) await draw(item, folder, `item-${name}`, WIDTHS);
  }
  await item.context().close();

  const editor = await openEditor(pages, noise(1280, 720, 1), STILL);
  for (const [name, reach] of Object.entries(EDITOR_SCENES)) {
    await reach(editor);
    if (isWanted({ name: `editor-${name}` })) await draw(editor.page, folder, `editor-${name}`, WIDTHS);
  }
  await editor.page.context().close();

  const windows = [makeWindow({ x: 700, y: 300, width: 400, height: 300 })];
  const overlay = await openOverlay(pages, { session: { windows }, page: { reducedMotion: 'reduce' } });
  if (isWanted({ name: 'overlay-hint' })) await draw(overlay.page, folder, 'overlay-hint', [1280]);
  await overlay.drag(200, 150, 700, 500);
  await overlay.page.getByRole('toolbar').waitFor();
  if (isWanted({ name: 'overlay-chosen' })) await draw(overlay.page, folder, 'overlay-chosen', [1280]);
  await overlay.page.evaluate(() => {
    const { double } = window;
    const afterCapture = { publish: false, copyPicture: true, save: false };
    double.set({ settings: { ...double.state().settings, afterCapture } });
  });
  if (isWanted({ name: 'overlay-kept' })) await draw(overlay.page, folder, 'overlay-kept', [480, 1280]);
  await overlay.page.context().close();

  for (const { which, width, scenes } of [
    { which: 'toast', width: 416, scenes: ['captures'] },
    { which: 'recorder', width: 464, scenes: ['recording', 'discarding', 'countdown'] },
  ] as const) {
    const panel = await pages.open({ ...STILL, viewport: { width, height: 600 } }, which);
    for (const name of scenes) {
      await CAPTURE_SCENES[name]?.(panel.page);
      if (isWanted({ name: `${which}-${name}` })) await draw(panel.page, folder, `${which}-${name}`, [width]);
    }
    await panel.page.context().close();
  }
  if (isWanted({ name: 'share' })) await drawShareMatrix(pages.browser, picture, folder);
};
