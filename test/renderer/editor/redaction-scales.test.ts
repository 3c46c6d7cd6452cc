/** No redacted pixel leaves the editor, at every zoom on every display scale. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEditor } from '../../support/window/editor-page.ts';
import { expectNothingOfRedacted, REDACTED_PICTURE, ZOOMS } from '../../support/window/redaction-drag.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

it.each([1, 1.25, 2])('no pixel depends on the redacted ones, at any zoom on a display of scale %d', async (scale) => {
  const editor = await openEditor(pages, REDACTED_PICTURE, { deviceScaleFactor: scale });
  await expectNothingOfRedacted(editor, ZOOMS, scale);
  expect(editor.problems).toEqual([]);
  await editor.page.context().close();
});
