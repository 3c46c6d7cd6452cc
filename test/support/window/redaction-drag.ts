/** Drags a redaction over a part of a picture, at a zoom and a display scale, and verifies that nothing of it is left. */
import { expect } from 'vitest';
import { differences, noise, pixelsOf, withOther } from '../media/pixels.ts';
import type { EditorPage } from './editor-page.ts';

/** The picture that the editor must have open. */
export const REDACTED_PICTURE = noise(641, 403, 1);
const HIDDEN = { x: 290, y: 180, width: 60, height: 40 };
/** The same picture, but for the hidden part. */
const WITH_OTHER_PART = withOther(REDACTED_PICTURE, HIDDEN, 99);

/** The keys that set a zoom, from the one that fits the picture into the window. */
type ZoomKeys = readonly string[];
const FITTED: ZoomKeys = [];
export const ZOOMS: readonly ZoomKeys[] = [FITTED, ['Control+-', 'Control+-'], ['Control+=', 'Control+=', 'Control+=']];

/** Hides a little more than `HIDDEN`, by some fraction of a pixel; around the middle, which every zoom keeps. */
const hide = async ({ page, key }: EditorPage, zoomKeys: ZoomKeys, displayScale: number): Promise<void> => {
  const canvas = page.getByRole('application', { name: 'Image' });
  await canvas.focus();
  await key(...zoomKeys, 'b');
  const percent = await page.getByRole('button', { name: /^Zoom \d+/ }).innerText();
  const scale = Number.parseInt(percent, 10) / 100 / displayScale;
  const box = await canvas.boundingBox();
  if (!box) throw new Error('no canvas');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const reach = { x: (HIDDEN.width / 2 + 3.3) * scale, y: (HIDDEN.height / 2 + 4.7) * scale };
  await page.mouse.move(middle.x - reach.x, middle.y - reach.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + reach.x, middle.y + reach.y);
  await page.mouse.up();
};

/** Publishes two pictures at each zoom that differ in the hidden part only; fails unless the same bytes leave. */
export const expectNothingOfRedacted = async (
  editor: EditorPage,
  zooms: readonly ZoomKeys[],
  displayScale: number,
): Promise<void> => {
  const { page } = editor;
  // The pattern of a mosaic is new each time; here all have the same.
  await page.evaluate(() => {
    crypto.getRandomValues = (<T extends Uint32Array>(values: T) => values.fill(7) as T) as never;
  });
  const publish = async (zoomKeys: ZoomKeys): Promise<Buffer> => {
    await hide(editor, zoomKeys, displayScale);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    return editor.handedOver();
  };
  for (const [index, zoomKeys] of zooms.entries()) {
    if (index > 0) await editor.show(REDACTED_PICTURE);
    const one = await publish(zoomKeys);
    await editor.show(WITH_OTHER_PART);
    expect(one.equals(await publish(zoomKeys))).toBe(true);
    // It really hides, and only there.
    const changed = differences(REDACTED_PICTURE, await pixelsOf(one));
    expect(changed.length).toBeGreaterThan(HIDDEN.width * HIDDEN.height * 0.99);
    expect(changed.length).toBeLessThan((HIDDEN.width + 12) * (HIDDEN.height + 14));
  }
};
