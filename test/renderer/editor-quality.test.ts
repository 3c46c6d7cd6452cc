/** Everyone can use the editor: in both themes and languages, at every width, with the keyboard and a screen reader. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditorPage, openEditor } from '../support/editor-page.ts';
import { lowContrast, nameless, overflows, tabStops } from '../support/page-audit.ts';
import { noise } from '../support/pixels.ts';
import { type RendererPages, startRendererPages } from '../support/renderer-page.ts';

const PICTURE = noise(641, 403, 1);

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

const violations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: loaded } = window as unknown as { axe: typeof import('axe-core') };
    // Beside an open popover React Aria puts a way to close it that only screen readers see, outside of all landmarks.
    const isOpen = document.querySelector('[role=dialog]') !== null;
    const { violations: found } = await loaded.run({ rules: { region: { enabled: !isOpen } } });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
};

const canvasOf = ({ page }: EditorPage) => page.locator('[data-canvas]');

/** States of the editor worth looking at; each begins where the one before ended. */
const STATES: Readonly<Record<string, (editor: EditorPage) => Promise<void>>> = {
  drawn: async (editor) => {
    await canvasOf(editor).focus();
    await editor.key('a', 'Enter', 'n', 'Enter', 'h', 'Enter', 'b', 'Enter');
  },
  solid: ({ page }) =>
    page
      .locator('fieldset label')
      .filter({ has: page.locator('input[value=solid]') })
      .click(),
  writing: async (editor) => {
    await canvasOf(editor).focus();
    await editor.key('t', 'Enter');
    await editor.page.keyboard.type('Look');
  },
  cropping: async (editor) => {
    await editor.key('Escape');
    await canvasOf(editor).focus();
    await editor.key('c', 'Shift+ArrowLeft');
  },
  marks: async ({ page }) => {
    await page.locator('header button[aria-expanded]').click();
    await page.getByRole('dialog').waitFor();
  },
  link: async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('section button[aria-expanded]').click();
    await page.getByRole('dialog').waitFor();
  },
  question: async (editor) => {
    await editor.key('Escape');
    await editor.page.getByRole('dialog').waitFor({ state: 'detached' });
    await canvasOf(editor).focus();
    await editor.key('v', 'Escape');
    await editor.page.getByRole('alertdialog').waitFor();
  },
};

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('axe finds nothing, every text can be read and every control has a name', async () => {
    const editor = await openEditor(pages, PICTURE, { colorScheme, reducedMotion: 'reduce' });
    const { page, problems } = editor;
    for (const [name, reach] of Object.entries(STATES)) {
      await reach(editor);
      expect({ name, found: await violations(page) }).toEqual({ name, found: [] });
      expect({ name, nameless: await nameless(page) }).toEqual({ name, nameless: [] });
      // The ink of the picture is the person's choice, and what lies behind the question is dimmed on purpose.
      if (name !== 'writing' && name !== 'question')
        expect({ name, faint: await lowContrast(page) }).toEqual({ name, faint: [] });
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe.each([320, 480, 1024, 1600])('at %d px', (width) => {
  it.each(['en', 'ru'] as const)('nothing is wider than the window, in %s', async (language) => {
    const editor = await openEditor(pages, PICTURE, { viewport: { width, height: 720 }, settings: { language } });
    for (const [name, reach] of Object.entries(STATES)) {
      await reach(editor);
      expect({ name, overflows: await overflows(editor.page) }).toEqual({ name, overflows: false });
      const canvas = await canvasOf(editor).boundingBox();
      expect(canvas?.width).toBe(width);
      expect(canvas?.height).toBeGreaterThan(250);
    }
    await editor.page.context().close();
  });
});

it('the keyboard reaches every control, and its place is always seen', async () => {
  const editor = await openEditor(pages, PICTURE);
  await STATES['drawn']?.(editor);
  // Tab begins after this one.
  await editor.page.getByRole('button', { name: 'Back to the window, and go on later' }).focus();
  const stops = await tabStops(editor.page);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  const names = stops.map(({ name }) => name);
  for (const name of [
    'Discard',
    // The first of its group; the others are reached by arrows.
    'Select and move (V)',
    'Undo (Ctrl+Z)',
    'Zoom in (Ctrl +)',
    'Marks: 4 marks',
    'Picture',
    'It goes to share.example.com. Unlisted. Link settings',
    'Copy',
    'Save',
    'Upload',
  ])
    expect(names).toContain(name);
  await editor.page.context().close();
});
