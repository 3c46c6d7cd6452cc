/** Drawings survive a closed window and are restored together with a discarded capture. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaptureDraft } from '../../../src/ipc/protocol/drawing.ts';
import { untilListening } from '../../support/browser/until-listening.ts';
import { noise } from '../../support/media/pixels.ts';
import { drawing } from '../../support/window/drawing.ts';
import { CAPTURE, type EditorPage, openEditor } from '../../support/window/editor-page.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

declare global {
  interface Window {
    /** Each lets one answer fail that the host has not given yet. */
    held: (() => void)[];
    answerAgain: () => void;
  }
}

const PICTURE = noise(641, 403, 1);
const SIZE = { width: PICTURE.width, height: PICTURE.height };

let pages: RendererPages;
let editor: EditorPage;
beforeAll(async () => {
  pages = await startRendererPages();
  editor = await openEditor(pages, PICTURE);
});
afterAll(async () => {
  expect(editor.problems).toEqual([]);
  await pages.close();
});

/** A new window with the picture in its editor, on which another window has drawn this. */
const openWith = async (draft: CaptureDraft | null): Promise<void> => {
  const { page } = editor;
  await page.evaluate((known) => {
    const { double } = window;
    double.set({ capture: null, discarded: [] });
    double.answer('capture.draft', () => ({ draft: known, version: null }));
    double.calls.splice(0);
  }, draft);
  await editor.show(PICTURE);
  await canvas().focus();
};

const canvas = () => editor.page.getByRole('application', { name: 'Image' });
const kept = (): Promise<readonly CaptureDraft[]> =>
  editor.page.evaluate(() =>
    window.double.calls.flatMap(({ command, input }) =>
      command === 'capture.keepDraft' ? [(input as { draft: never }).draft] : [],
    ),
  );
const lastKept = async () => (await kept()).at(-1);

describe('a drawing', () => {
  it('and is too large to be stored is reported, once', async () => {
    const { drawing: before, ...rest } = drawing(SIZE);
    const points = Array.from({ length: 100_000 }, (_, at) => ({ x: (at % 640) + 0.123456, y: (at % 400) + 0.5 }));
    const [first] = before.marks;
    const pen = { id: 8, kind: 'pen', colour: first?.colour ?? '', width: 1, points } as const;
    await openWith({ ...rest, drawing: { ...before, marks: [pen], nextId: 9 } });
    const said = editor.page.getByText('There are too many annotations to save as a draft');
    await editor.key('r', 'Enter');
    await said.waitFor();
    expect(await kept()).toEqual([]);
    await editor.page.getByRole('button', { name: 'Dismiss' }).first().click();
    await said.waitFor({ state: 'detached' });
  });

  beforeEach(() => openWith(null));

  it('is kept a moment after each change, with its look, the link and a text that is not done', async () => {
    const { page } = editor;
    await editor.key('r', 'Enter');
    await expect
      .poll(lastKept)
      .toMatchObject({ drawing: { picture: SIZE, marks: [{ kind: 'rectangle' }] }, share: {} });
    await page.getByRole('radio', { name: 'Thick' }).press('Space');
    await expect.poll(lastKept).toMatchObject({ style: { width: 'thick' } });
    await canvas().focus();
    await editor.key('t', 'Enter');
    await page.keyboard.type('half a wo');
    await expect.poll(lastKept).toMatchObject({ drawing: { marks: [{}, { kind: 'text', text: 'half a wo' }] } });
    await page.getByRole('button', { name: /Link settings$/ }).click();
    await page
      .getByRole('dialog')
      .locator('label')
      .filter({ has: page.locator('input[value=private]') })
      .click();
    await expect.poll(lastKept).toMatchObject({ share: { visibility: 'private' } });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('is not written without a change, and is written once after everything was undone', async () => {
    await editor.key('Control+=', 'v');
    await editor.key('r', 'Enter');
    await expect.poll(lastKept).toMatchObject({ drawing: { marks: [{}] } });
    await editor.key('Control+z');
    await expect.poll(lastKept).toMatchObject({ drawing: { marks: [] } });
    expect(await kept()).toHaveLength(2);
  });

  it('while the host is unavailable is stored as soon as it is back, and the window reports it', async () => {
    const { page } = editor;
    await page.evaluate(() => {
      window.double.setLink('down');
      window.double.failNext('capture.keepDraft', { code: 'APP_FAILED', detail: 'away' });
    });
    await page.getByText('Linkshot isn’t responding').waitFor();
    await editor.key('e', 'Enter');
    await expect.poll(kept).toHaveLength(1);
    await page.evaluate(() => window.double.setLink('up'));
    await expect.poll(kept).toHaveLength(2);
    expect(await lastKept()).toMatchObject({ drawing: { marks: [{ kind: 'ellipse' }] } });
    await page.getByText('Linkshot isn’t responding').waitFor({ state: 'detached' });
  });

  it('is stored again when the user goes back to a state that could not be stored, nor the one after it', async () => {
    const { page } = editor;
    const heldWith = (count: number) => expect.poll(() => page.evaluate(() => window.held.length)).toBe(count);
    await page.evaluate(() => {
      const { double } = window;
      window.held = [];
      window.answerAgain = () => Object.assign(double, { call });
      const { call } = double;
      const error = { code: 'APP_FAILED', detail: 'away' } as const;
      double.call = (command, input) =>
        command === 'capture.keepDraft'
          ? new Promise((resolve) => window.held.push(() => resolve({ ok: false, error })))
          : call(command, input);
    });
    await editor.key('r', 'Enter');
    await heldWith(1);
    await editor.key('e', 'Enter');
    await heldWith(2);
    await page.evaluate(() => {
      for (const fail of window.held) fail();
      window.answerAgain();
    });
    await editor.key('Control+z');
    await expect.poll(kept).toHaveLength(1);
    expect(await lastKept()).toMatchObject({ drawing: { marks: [{ kind: 'rectangle' }] } });
  });

  it('is sent before the picture is discarded or the page is hidden', async () => {
    await editor.key('l', 'Enter');
    await editor.page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
    await expect.poll(lastKept).toMatchObject({ drawing: { marks: [{ kind: 'line' }] } });
    await editor.key('Delete', 'Escape');
    await editor.page.getByText('Capture discarded').waitFor();
    const commands = await editor.page.evaluate(() => window.double.calls.map(({ command }) => command));
    expect(commands.slice(-2)).toEqual(['capture.keepDraft', 'capture.cancel']);
  });
});

describe('an earlier drawing', () => {
  it('is restored with its crop, its style and its link, and exported unchanged', async () => {
    const { drawing: drawn, ...rest } = drawing(SIZE);
    const crop = { x: 10, y: 20, width: 300, height: 200 };
    await openWith({ ...rest, drawing: { ...drawn, crop } });
    const { page } = editor;
    expect(await editor.marks()).toEqual([
      ...['Redaction 1', 'Step 1', 'Text “Look”', 'Highlight 1', 'Drawing 1', 'Rectangle 1', 'Arrow 1'],
    ]);
    await page.locator('header').getByText('300 × 200').waitFor();
    await canvas().focus();
    await editor.key('r', 'Enter');
    await expect.poll(lastKept).toMatchObject({
      drawing: { crop, nextId: 9, marks: [{}, {}, {}, {}, {}, {}, {}, { kind: 'rectangle', id: 8 }] },
      style: { width: 'thick', textSize: 'large', look: 'solid' },
    });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await editor.handedOver();
    expect(await editor.finished()).toMatchObject({ picture: 'src-edited-picture', share: { ttl: 'day' } });
  });

  it('on a picture of another size is left alone', async () => {
    await openWith(drawing({ width: 10, height: 10 }));
    expect(await editor.marks()).toEqual([]);
  });

  it('is not left out while the editor opens: nothing is exported before it is read', async () => {
    const { page } = editor;
    await openWith(null);
    const actions = ['Share', 'Copy', 'Save', 'Pin'].map((name) => page.getByRole('button', { name, exact: true }));
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, pins: true }, capture: null });
    });
    await canvas().waitFor({ state: 'detached' });
    const reading = await page.evaluateHandle(
      ([id, size, known]) => {
        const { double } = window;
        const held = Promise.withResolvers<void>();
        double.answer('capture.draft', async () => {
          await held.promise;
          return { draft: known, version: null };
        });
        double.set({ capture: { state: 'editing', id, name: 'Screenshot.png', takenAt: 0, ...size } });
        return held;
      },
      [CAPTURE, SIZE, drawing(SIZE)] as const,
    );
    await page.getByText('Opening the editor…').waitFor();
    for (const action of actions) expect(await action.isDisabled()).toBe(true);
    await page.keyboard.press('Control+u');
    await reading.evaluate(({ resolve }) => resolve());
    await canvas().waitFor();
    for (const action of actions) expect(await action.isDisabled()).toBe(false);
    expect(await page.evaluate(() => window.double.calls.map(({ command }) => command))).not.toContain(
      'capture.finish',
    );
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, pins: false } });
    });
  });

  it('that the window could not read is left out only where the user wants that', async () => {
    const { page } = editor;
    await page.evaluate(() => window.double.set({ capture: null }));
    await canvas().waitFor({ state: 'detached' });
    await page.evaluate(
      ([id, size]) => {
        const { double } = window;
        double.calls.splice(0);
        double.failNext('capture.draft', { code: 'APP_FAILED', detail: 'not now' });
        double.set({ capture: { state: 'editing', id, name: 'Screenshot.png', takenAt: 0, ...size } });
      },
      [CAPTURE, SIZE] as const,
    );
    await page.getByText('Couldn’t load the image').waitFor();
    const finishes = () =>
      page.evaluate(() =>
        window.double.calls.flatMap(({ command, input }) => (command === 'capture.finish' ? [input] : [])),
      );
    const share = async (): Promise<void> => {
      await page.evaluate(() => window.double.failNext('capture.finish', { code: 'DRAWING_NOT_APPLIED', detail: '' }));
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('alertdialog', { name: 'Export it without your edits?' }).waitFor();
    };
    await share();
    await page.getByRole('button', { name: 'Don’t export' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await share();
    expect(await finishes()).toHaveLength(2);
    for (const input of await finishes()) expect(input).not.toHaveProperty('isUnedited');
    await page.getByRole('button', { name: 'Export without edits' }).click();
    await expect.poll(async () => (await finishes()).at(-1)).toMatchObject({ picture: null, isUnedited: true });
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });

  it('that another window has stored meanwhile is shown, and nothing is exported or written over', async () => {
    const { page } = editor;
    const refused = { code: 'DRAWING_NOT_APPLIED', detail: '' } as const;
    const acts = [
      ['capture.finish', () => page.getByRole('button', { name: 'Share', exact: true }).click()],
      ['capture.keepDraft', () => editor.key('r', 'Enter')],
    ] as const;
    for (const [command, act] of acts) {
      await openWith(null);
      await page.evaluate(
        ([refusing, failure, draft]) => {
          const { double } = window;
          double.failNext(refusing, failure);
          double.answer('capture.draft', () => ({ draft, version: { by: 'another window', revision: 'newer' } }));
        },
        [command, refused, drawing(SIZE)] as const,
      );
      await act();
      await page.getByText('This capture was edited in another window').waitFor();
      await canvas().waitFor();
      expect(await editor.marks()).toContain('Redaction 1');
      await page.getByRole('button', { name: 'Dismiss' }).first().click();
      const asked = await page.evaluate(() =>
        window.double.calls.filter(({ command: name }) => name === 'capture.finish'),
      );
      expect(asked).toHaveLength(command === 'capture.finish' ? 1 : 0);
      for (const { input } of asked) expect(input).not.toHaveProperty('isUnedited');
      expect(await kept()).toHaveLength(command === 'capture.finish' ? 0 : 1);
      await canvas().focus();
      await editor.key('e', 'Enter');
      await expect.poll(lastKept).toMatchObject({ drawing: { marks: { length: 8 } } });
      expect(await page.evaluate(() => window.double.calls.at(-1)?.input)).toMatchObject({ basis: { read: 'newer' } });
    }
  });

  it('is never written over by a window that could not read it', async () => {
    const { page } = editor;
    await page.evaluate(() => window.double.set({ capture: null }));
    await canvas().waitFor({ state: 'detached' });
    await page.evaluate(
      ([id, size]) => {
        const { double } = window;
        double.answer('capture.draft', () => ({ draft: null, version: null }));
        double.calls.splice(0);
        double.failNext('capture.draft', { code: 'APP_FAILED', detail: 'not now' });
        double.set({ capture: { state: 'editing', id, name: 'Screenshot.png', takenAt: 0, ...size } });
      },
      [CAPTURE, SIZE] as const,
    );
    await page.getByText('Couldn’t load the image').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await canvas().waitFor();
    expect(await kept()).toEqual([]);
  });
});

describe('a capture that was discarded', () => {
  it('is offered for a while, and restored with its annotations', async () => {
    await openWith(null);
    const { page } = editor;
    await editor.key('Escape');
    await page.getByText('You can restore it for an hour while Linkshot is running.').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await canvas().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-canvas'))).toBe(true);
    await untilListening(page);
    await editor.key('r', 'Enter', 'v', 'Escape', 'Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard this capture?' });
    await question.getByText('You can restore it with its annotations for an hour.').waitFor();
    await expect.poll(lastKept).toMatchObject({ drawing: { marks: [{ kind: 'rectangle' }] } });
    const draft = await lastKept();
    await page.evaluate(
      (known) => window.double.answer('capture.draft', () => ({ draft: known ?? null, version: null })),
      draft,
    );
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await canvas().waitFor();
    expect(await editor.marks()).toEqual(['Rectangle 1']);
  });

  it('is not offered after its deletion, or while another one is in its place', async () => {
    const { page } = editor;
    const offer = page.getByText('Capture discarded');
    for (const change of ['cleared', 'taken'] as const) {
      await openWith(null);
      await editor.key('Escape');
      await offer.waitFor();
      await page.evaluate((what) => {
        const startsAt = Date.now() + 60_000;
        if (what === 'cleared') window.double.set({ discarded: [] });
        else window.double.set({ capture: { state: 'waiting', mode: 'region', purpose: 'picture', startsAt } });
      }, change);
      await offer.waitFor({ state: 'detached' });
    }
  });

  it('is restored from the palette when its notification is closed', async () => {
    await openWith(null);
    const { page } = editor;
    await editor.key('Escape');
    await page.getByText('Capture discarded').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await editor.key('Control+k');
    await page.getByRole('combobox').fill('bring back');
    await page.getByRole('option', { name: 'Restore the discarded capture' }).waitFor();
    await editor.key('Enter');
    await canvas().waitFor();
    expect(await page.evaluate(() => window.double.state().discarded)).toEqual([]);
  });
});
