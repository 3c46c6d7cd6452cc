/** Accessibility of the editor: both themes and languages, every width, keyboard and screen reader. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeViolations,
  lowContrast,
  nameless,
  overflows,
  overlappingControls,
  tabStops,
} from '../../support/audit/page-audit.ts';
import { noise } from '../../support/media/pixels.ts';
import { type EditorPage, openEditor } from '../../support/window/editor-page.ts';
import { canvasOf, EDITOR_SCENES } from '../../support/window/editor-scenes.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { speak } from '../../support/window/speak.ts';

const PICTURE = noise(641, 403, 1);

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

describe('every state of it can be used by everyone', () => {
  let editor: EditorPage;
  beforeAll(async () => {
    editor = await openEditor(pages, PICTURE, { reducedMotion: 'reduce' });
  });
  afterAll(() => editor.page.context().close());

  it.each(Object.entries(EDITOR_SCENES))('%s', async (name, reach) => {
    const { page, problems } = editor;
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'light' });
    await reach(editor);
    // The user chooses the ink of the picture, and everything behind the dialog is dimmed on purpose.
    const isDimmed = name === 'writing' || name === 'question' || name === 'backdrop';
    const faint = async () => (isDimmed ? [] : await lowContrast(page));
    expect({ nameless: await nameless(page) }).toEqual({ nameless: [] });
    expect({ light: await axeViolations(page), faint: await faint() }).toEqual({ light: [], faint: [] });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ dark: await axeViolations(page, 'contrast'), faint: await faint() }).toEqual({ dark: [], faint: [] });
    for (const language of ['ru', 'en'] as const) {
      await speak(page, language);
      for (const width of [320, 480, 1024, 1600]) {
        await page.setViewportSize({ width, height: 720 });
        // Popovers are repositioned in the next frame.
        await expect.poll(() => overflows(page), { message: `wider than ${width} px in ${language}` }).toBe(false);
        await expect.poll(() => overlappingControls(page), { message: `at ${width} px in ${language}` }).toEqual([]);
        const canvas = await canvasOf(editor).boundingBox();
        expect(canvas?.width).toBe(width);
        expect(canvas?.height).toBeGreaterThan(250);
      }
    }
    expect(problems).toEqual([]);
  });
});

it('the keyboard reaches every control, and its place is always seen', async () => {
  const editor = await openEditor(pages, PICTURE);
  await EDITOR_SCENES['drawn']?.(editor);
  // Tab begins after this one.
  await editor.page.getByRole('button', { name: 'Back, and continue later' }).focus();
  const stops = await tabStops(editor.page);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  const names = stops.map(({ name }) => name);
  for (const name of [
    'Discard',
    // The first of its group; the others are reached by arrows.
    'Select and move (V)',
    'Undo (Ctrl+Z)',
    'Zoom in (Ctrl +)',
    'Annotations: 4 annotations',
    'Copy text',
    'Find secrets',
    'Image',
    'Destination: share.example.com. Unlisted. Link settings',
    'Copy',
    'Save',
    'Share',
  ])
    expect(names).toContain(name);
  await editor.page.context().close();
});
