/** Scenes of the editor, with the pointer over no control; each continues from the previous one. */
import { untilListening } from '../browser/until-listening.ts';
import type { EditorPage } from './editor-page.ts';

export const canvasOf = ({ page }: EditorPage) => page.locator('[data-canvas]');

/** Hides tooltips: they appear by time, and cover the bars. */
const leaveControls = async ({ page }: EditorPage): Promise<void> => {
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => {
    const described = document.activeElement?.getAttribute('aria-describedby')?.split(' ') ?? [];
    return [...document.querySelectorAll('[role=tooltip]')].every(({ id }) => described.includes(id));
  });
};

const WAYS: Readonly<Record<string, (editor: EditorPage) => Promise<void>>> = {
  drawn: async (editor) => {
    await canvasOf(editor).focus();
    await editor.key('a', 'Enter', 'n', 'Enter', 'h', 'Enter', 'b', 'Enter');
  },
  solid: ({ page }) =>
    page
      .locator('fieldset label')
      .filter({ has: page.locator('input[value=solid]') })
      .click(),
  secrets: async ({ page }) => {
    await page.evaluate(() => {
      const at = { x: 40, y: 60, width: 160, height: 30, confidence: 90 };
      const found = [
        { kind: 'email', ...at },
        { kind: 'card', ...at, y: 120 },
      ] as const;
      window.double.answer('vision.findSecrets', () => ({ found: [...found], missing: [] }));
    });
    await page.locator('header button:has(svg.lucide-shield-alert)').click();
    await page.locator('main section button').nth(2).waitFor();
  },
  backdrop: async (editor) => {
    await editor.page.locator('main section button').last().click();
    await canvasOf(editor).focus();
    await editor.key('f');
    await editor.page.getByRole('dialog').waitFor();
    await untilListening(editor.page);
  },
  writing: async (editor) => {
    await editor.page.keyboard.press('Escape');
    await editor.page.getByRole('dialog').waitFor({ state: 'detached' });
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
    await untilListening(page);
  },
  link: async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('section button[aria-expanded]').click();
    await page.getByRole('dialog').waitFor();
    await untilListening(page);
  },
  behind: async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate(() => {
      const { double, make } = window;
      const error = { failure: { code: 'SOURCE_MISSING', detail: '' }, since: make.NOON, retryAt: null } as const;
      const items = [make.makeItem('started', 1), make.makeItem('queued', 2, { error })];
      double.set({ queue: { items, live: {}, paused: false } });
    });
    await page.locator('section button:not([aria-expanded]):has-text("2")').waitFor();
  },
  question: async (editor) => {
    await editor.key('Escape');
    await editor.page.getByRole('dialog').waitFor({ state: 'detached' });
    await canvasOf(editor).focus();
    await editor.key('v', 'Escape');
    await editor.page.getByRole('alertdialog').waitFor();
  },
};

export const EDITOR_SCENES: Readonly<Record<string, (editor: EditorPage) => Promise<void>>> = Object.fromEntries(
  Object.entries(WAYS).map(([name, reach]) => [
    name,
    async (editor: EditorPage) => {
      await reach(editor);
      await leaveControls(editor);
    },
  ]),
);
