/** The background of an exported image: its pixels, its dialog by keyboard, presets, undo and draft. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Backdrop } from '../../../src/ipc/protocol/drawing.ts';
import { layBackdrop } from '../../../src/renderer/drawing/backdrop-layout.ts';
import { noise, pixelsOf, pngOf } from '../../support/media/pixels.ts';
import { type EditorKit, exportEdited, startEditorKit } from '../../support/window/editor-kit.ts';
import { openEditor } from '../../support/window/editor-page.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

const PICTURE = noise(320, 200, 7);
const PLAIN: Backdrop = { fill: 'white', padding: 'medium', corners: 'square', shadow: 'none', titleBar: 'none' };

let kit: EditorKit;
let pages: RendererPages;
beforeAll(async () => {
  kit = await startEditorKit();
  pages = await startRendererPages();
});
afterAll(async () => {
  await kit.close();
  await pages.close();
});

const exported = async (backdrop: Backdrop) => {
  const page = await kit.page(1);
  const pixels = await pixelsOf(await exportEdited(page, await pngOf(PICTURE), [{ type: 'backdrop', backdrop }]));
  await page.context().close();
  const layout = layBackdrop(backdrop, PICTURE);
  const at = (x: number, y: number) => [
    ...pixels.data.subarray((y * pixels.width + x) * 4, (y * pixels.width + x) * 4 + 4),
  ];
  /** How many pixels of the picture are not as they were, in a part of it that is `inset` smaller. */
  const changed = (inset: number): number => {
    let count = 0;
    for (let y = inset; y < PICTURE.height - inset; y++)
      for (let x = inset; x < PICTURE.width - inset; x++) {
        const from = (y * PICTURE.width + x) * 4;
        const now = at(x + layout.picture.x, y + layout.picture.y);
        if (now.some((value, channel) => value !== PICTURE.data[from + channel])) count += 1;
      }
    return count;
  };
  return { ...layout, pixels, at, changed };
};

it('surrounds the picture without changing one of its pixels', async () => {
  const { size, pixels, at, changed, picture } = await exported(PLAIN);
  expect({ width: pixels.width, height: pixels.height }).toEqual(size);
  expect(size).toEqual({ width: 320 + 2 * picture.x, height: 200 + 2 * picture.x });
  expect(changed(0)).toBe(0);
  for (const [x, y] of [
    [0, 0],
    [size.width - 1, 0],
    [0, size.height - 1],
    [picture.x - 1, picture.y],
  ] as const)
    expect(at(x, y)).toEqual([255, 255, 255, 255]);
});

it('rounds its corners, has a title bar, and is transparent around it where wanted', async () => {
  const clear = {
    fill: 'transparent',
    padding: 'small',
    corners: 'rounder',
    shadow: 'none',
    titleBar: 'dark',
  } as const;
  const { at, changed, window, picture, radius, size } = await exported(clear);
  expect(at(0, 0)).toEqual([0, 0, 0, 0]);
  // The upper corners are those of the bar, the lower ones of the picture.
  expect(at(window.x, window.y)).toEqual([0, 0, 0, 0]);
  expect(at(window.x, size.height - window.y - 1)[3]).toBeLessThan(40);
  expect(at(Math.round(window.x + window.width / 2), window.y + 4)).toEqual([0x33, 0x36, 0x3c, 255]);
  expect(picture.y - window.y).toBe(24);
  expect(changed(radius + 1)).toBe(0);
});

it('casts its shadow outside only, darker below than above', async () => {
  const { at, changed, window, size } = await exported({ ...PLAIN, padding: 'large', shadow: 'strong' });
  expect(changed(0)).toBe(0);
  const middle = Math.round(size.width / 2);
  const [above] = at(middle, window.y - 3);
  const [below] = at(middle, window.y + window.height + 3);
  expect(below).toBeLessThan(above ?? 0);
  expect(above).toBeLessThan(255);
  expect(at(0, 0)).toEqual([255, 255, 255, 255]);
});

it('is chosen by keyboard, undone, remembered, and kept as a preset', async () => {
  const editor = await openEditor(pages, PICTURE);
  const { page } = editor;
  const dialog = page.getByRole('dialog', { name: 'Background' });
  const size = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  await editor.key('f');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Sunset' }).press('Space');
  await dialog.getByRole('radio', { name: 'Large' }).press('Space');
  await dialog.getByRole('button', { name: 'Save as preset' }).press('Enter');
  await dialog.getByRole('button', { name: 'Preset 1', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Use background' }).press('Enter');
  const { size: whole } = layBackdrop(
    { fill: 'sunset', padding: 'large', corners: 'round', shadow: 'soft', titleBar: 'none' },
    PICTURE,
  );
  await size(`${whole.width} × ${whole.height}`);
  await editor.key('Control+z');
  await size('320 × 200');
  // The last one again, by two keys.
  await editor.key('f');
  await dialog.waitFor();
  await page.keyboard.press('Enter');
  await size(`${whole.width} × ${whole.height}`);
  const { backdrop, backdropPresets } = await page.evaluate(() => window.double.state().settings);
  expect(backdrop).toMatchObject({ fill: 'sunset', padding: 'large' });
  expect(backdropPresets).toEqual([backdrop]);

  await editor.key('f');
  await dialog.getByRole('button', { name: 'Delete preset 1' }).click();
  await dialog.getByRole('button', { name: 'No background' }).click();
  await size('320 × 200');
  await editor.key('Control+z');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const left = await pixelsOf(await editor.handedOver());
  expect({ width: left.width, height: left.height }).toEqual(whole);
  expect(editor.problems).toEqual([]);
  await page.context().close();
});
