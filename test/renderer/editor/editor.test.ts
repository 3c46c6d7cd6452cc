/** The editor in the real window, by pointer and by keyboard, and the commands it sends to the engine. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { differences, noise, pixelsOf } from '../../support/media/pixels.ts';
import { CAPTURE, type EditorPage, openEditor, showCapture } from '../../support/window/editor-page.ts';
import { expectNothingOfRedacted, REDACTED_PICTURE, ZOOMS } from '../../support/window/redaction-drag.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

const PICTURE = noise(641, 403, 1);

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

const opened: EditorPage[] = [];
const open: typeof openEditor = async (...given) => {
  const editor = await openEditor(...given);
  opened.push(editor);
  return editor;
};
afterEach(async () => {
  for (const { page, problems } of opened.splice(0)) {
    expect(problems).toEqual([]);
    await page.context().close();
  }
});

const upload = ({ page }: EditorPage) => page.getByRole('button', { name: 'Share', exact: true }).click();

describe('with the pointer', () => {
  it('every tool draws its mark, and nothing else of the picture is changed', async () => {
    const editor = await open(pages, PICTURE);
    for (const [key, from, to] of [
      ['a', { x: 30, y: 30 }, { x: 120, y: 60 }],
      ['r', { x: 150, y: 30 }, { x: 240, y: 60 }],
      ['e', { x: 30, y: 80 }, { x: 120, y: 110 }],
      ['l', { x: 150, y: 80 }, { x: 240, y: 110 }],
      ['p', { x: 30, y: 130 }, { x: 120, y: 160 }],
      ['h', { x: 150, y: 130 }, { x: 240, y: 160 }],
      ['b', { x: 30, y: 180 }, { x: 120, y: 210 }],
    ] as const) {
      await editor.key(key);
      await editor.drag(from, to);
    }
    await editor.key('n');
    await editor.click({ x: 200, y: 195 });
    await editor.key('t');
    await editor.click({ x: 40, y: 230 });
    await editor.page.keyboard.type('Look here');
    await editor.key('Control+Enter');
    expect(await editor.marks()).toEqual([
      'Text “Look here”',
      'Step 1',
      'Redaction 1',
      'Highlight 1',
      'Drawing 1',
      'Line 1',
      'Ellipse 1',
      'Rectangle 1',
      'Arrow 1',
    ]);

    await upload(editor);
    const left = await pixelsOf(await editor.handedOver());
    expect([left.width, left.height]).toEqual([641, 403]);
    const changed = differences(PICTURE, left);
    for (const [x, y] of [
      [75, 45],
      [151, 45],
      [75, 80],
      [195, 95],
      [75, 145],
      [195, 145],
      [75, 195],
      [200, 195],
    ] as const)
      expect(changed, `nothing at ${x}, ${y}`).toContainEqual({ x, y });
    expect(changed.filter(({ x, y }) => x > 260 || y > 275)).toEqual([]);
    expect(await editor.finished()).toEqual({
      id: CAPTURE,
      picture: 'src-edited-picture',
      basis: { by: expect.any(String), read: null },
      after: { publish: true, copyPicture: false, save: false },
      share: {},
    });
  });

  it('a mark is selected by a click, moved, pulled at its corner and deleted', async () => {
    const editor = await open(pages, PICTURE);
    await editor.key('b');
    await editor.drag({ x: 100, y: 100 }, { x: 200, y: 160 });
    await editor.key('Escape', 'v');
    await editor.click({ x: 150, y: 130 });
    await editor.drag({ x: 150, y: 130 }, { x: 180, y: 150 });
    await editor.drag({ x: 230, y: 180 }, { x: 330, y: 300 });
    await upload(editor);
    const changed = differences(PICTURE, await pixelsOf(await editor.handedOver()));
    const [xs, ys] = [changed.map(({ x }) => x), changed.map(({ y }) => y)];
    // Whole pixels around the pointer, within one pixel.
    expect(Math.abs(Math.min(...xs) - 130)).toBeLessThanOrEqual(2);
    expect(Math.abs(Math.max(...xs) - 329)).toBeLessThanOrEqual(2);
    expect(Math.abs(Math.min(...ys) - 120)).toBeLessThanOrEqual(2);
    expect(Math.abs(Math.max(...ys) - 299)).toBeLessThanOrEqual(2);
  });

  it('the crop is what leaves, exactly', async () => {
    const editor = await open(pages, PICTURE);
    await editor.key('c');
    await editor.drag({ x: 101.2, y: 50.7 }, { x: 301.1, y: 250.3 });
    await expect.poll(() => editor.page.getByText(/^\d+ × \d+ pixels$/).innerText()).toMatch(/^(199|200|201) × /);
    await editor.key('Enter');
    const [, width = '', height = ''] =
      /^(\d+) × (\d+)$/.exec(
        await editor.page
          .locator('header')
          .getByText(/^\d+ × \d+$/)
          .innerText(),
      ) ?? [];
    await upload(editor);
    const left = await pixelsOf(await editor.handedOver());
    expect([left.width, left.height]).toEqual([Number(width), Number(height)]);
    const at = [100, 101, 102].flatMap((x) => [50, 51, 52].map((y) => ({ x, y })));
    expect(at.filter((corner) => differences(PICTURE, left, corner).length === 0)).toHaveLength(1);
  });

  it('Escape cancels the current gesture, and Space pans the view', async () => {
    const editor = await open(pages, PICTURE);
    const { page } = editor;
    const box = await page.getByRole('application', { name: 'Image' }).boundingBox();
    if (!box) throw new Error('no canvas');
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await editor.key('b');
    await page.mouse.move(middle.x - 50, middle.y - 50);
    await page.mouse.down();
    await page.mouse.move(middle.x, middle.y);
    await editor.key('Escape');
    await page.mouse.up();
    expect(await editor.marks()).toEqual([]);

    await page.getByRole('application', { name: 'Image' }).focus();
    await editor.key(...Array.from({ length: 12 }, () => 'Control+='));
    await page.keyboard.down('Space');
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x - 200, middle.y - 100);
    await page.mouse.up();
    await page.keyboard.up('Space');
    await page.mouse.move(middle.x - 30, middle.y - 30);
    await page.mouse.down();
    await page.mouse.move(middle.x + 30, middle.y + 30);
    await page.mouse.up();
    expect(await editor.marks()).toEqual(['Redaction 1']);
    await upload(editor);
    const changed = differences(PICTURE, await pixelsOf(await editor.handedOver()));
    const [left, top] = [Math.min(...changed.map(({ x }) => x)), Math.min(...changed.map(({ y }) => y))];
    // 12 steps of a quarter are a zoom of 14.5.
    expect(Math.abs(left - (320 + (200 - 30) / 14.55))).toBeLessThan(2);
    expect(Math.abs(top - (201 + (100 - 30) / 14.55))).toBeLessThan(2);
  });

  it('does not export what was undone', async () => {
    const editor = await open(pages, PICTURE);
    await editor.key('a');
    await editor.drag({ x: 30, y: 30 }, { x: 120, y: 60 });
    await editor.key('c');
    await editor.drag({ x: 0.5, y: 200 }, { x: 300, y: 350 });
    await editor.key('Enter', 'Control+z', 'Control+z', 'Control+Shift+z', 'Control+z');
    expect(await editor.marks()).toEqual([]);
    await upload(editor);
    expect((await editor.finished()).picture).toBeNull();
  });
});

describe('with the keyboard alone', () => {
  it('every tool is chosen, places its mark, and moves, resizes, doubles and deletes it', async () => {
    const editor = await open(pages, PICTURE);
    await editor.page.getByRole('application', { name: 'Image' }).focus();
    for (const key of ['a', 'r', 'e', 'l', 'p', 'h', 'n']) await editor.key(key, 'Enter');
    await editor.key('t', 'Enter');
    await editor.page.keyboard.type('Hi');
    await editor.key('Escape', 'b', 'Enter', 'Control+d', 'Delete', 'PageUp', 'Delete');
    expect(await editor.marks()).toEqual([
      'Text “Hi”',
      'Step 1',
      'Highlight 1',
      'Drawing 1',
      'Line 1',
      'Ellipse 1',
      'Rectangle 1',
      'Arrow 1',
    ]);
    // Cyrillic letters are on the same keys.
    await editor.page.evaluate(() =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'л', code: 'KeyR', bubbles: true, cancelable: true }),
      ),
    );
    await expect
      .poll(() => editor.page.getByRole('radio', { name: 'Rectangle (R)' }).getAttribute('aria-checked'))
      .toBe('true');
  });

  it('arrows move by one pixel and by ten, Shift resizes, and what leaves is exactly that', async () => {
    const editor = await open(pages, PICTURE);
    await editor.page.getByRole('application', { name: 'Image' }).focus();
    await editor.key('b', 'Enter');
    const before = await editor.page.getByText(/^Redaction 1 added, at/).innerText();
    const [x = 0, y = 0, width = 0, height = 0] = (/at (\d+), (\d+), (\d+) by (\d+)/.exec(before) ?? [])
      .slice(1)
      .map(Number);
    await editor.key('ArrowRight', 'ArrowRight', 'Alt+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowUp', 'Shift+ArrowUp');
    await upload(editor);
    const changed = differences(PICTURE, await pixelsOf(await editor.handedOver()));
    const box = { x: x + 2, y: y + 10, width: width + 1, height: height - 2 };
    // By chance a block has a pixel's own colour; no pixel beside it is touched, and its corners are covered.
    expect(
      changed.filter((at) => at.x < box.x || at.y < box.y || at.x >= box.x + box.width || at.y >= box.y + box.height),
    ).toEqual([]);
    expect(changed.length).toBeGreaterThan(box.width * box.height * 0.99);
  });

  it('crops by arrows, undoes and redoes, and saves', async () => {
    const editor = await open(pages, PICTURE);
    await editor.page.getByRole('application', { name: 'Image' }).focus();
    await editor.key('c', 'Shift+Alt+ArrowLeft', 'Shift+ArrowUp', 'ArrowRight', 'Enter', 'Control+z', 'Control+y');
    await editor.key('Control+s');
    const left = await pixelsOf(await editor.handedOver());
    expect([left.width, left.height]).toEqual([631, 402]);
    expect(differences(PICTURE, left, { x: 1, y: 0 })).toEqual([]);
    expect((await editor.finished()).after).toEqual({ publish: false, copyPicture: false, save: true });
  });

  it('pins by its button or Ctrl+P, where images can be pinned', async () => {
    const editor = await open(pages, PICTURE);
    const { page } = editor;
    const button = page.getByRole('button', { name: 'Pin', exact: true });
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await button.count()).toBe(0);
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, pins: true } });
    });
    await button.waitFor();
    await editor.key('Control+p');
    expect((await editor.finished()).after).toEqual({ publish: false, copyPicture: false, save: false, pin: true });
  });

  it('Escape takes one step back at a time, and asks before a drawing is lost', async () => {
    const editor = await open(pages, PICTURE);
    const { page } = editor;
    await page.getByRole('application', { name: 'Image' }).focus();
    await editor.key('r', 'Enter', 'Escape');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await editor.key('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard this capture?' });
    await question.waitFor();
    await editor.key('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.double.state().capture?.state)).toBe('editing');
    await page.getByRole('application', { name: 'Image' }).focus();
    await editor.key('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
    expect(await page.evaluate(() => window.double.state().capture)).toBeNull();
  });

  it('a capture without annotations is discarded without a question', async () => {
    const editor = await open(pages, PICTURE);
    await editor.key('Escape');
    await editor.page.getByRole('heading', { name: 'Drop files here' }).waitFor();
  });
});

describe('the exported picture', () => {
  it('is the picture as it was taken without annotations, copied by Ctrl+C, and leaves the decision to the host', async () => {
    const editor = await open(pages, PICTURE);
    await editor.key('Control+c');
    expect(await editor.finished()).toEqual({
      id: CAPTURE,
      picture: null,
      basis: { by: expect.any(String), read: null },
      after: { publish: false, copyPicture: true, save: false },
      share: {},
    });
    expect(await editor.page.evaluate(() => window.double.offers.length)).toBe(0);
  });

  it('is copied, saved or published as the settings name, by one button', async () => {
    const afterCapture = { publish: true, copyPicture: true, save: true };
    const editor = await open(pages, PICTURE, { settings: { afterCapture } });
    await editor.page.getByRole('button', { name: 'Share, copy and save' }).click();
    expect((await editor.finished()).after).toEqual(afterCapture);
  });

  it('shows the destination and who can see it, and follows the link settings', async () => {
    const editor = await open(pages, PICTURE);
    const { page } = editor;
    const place = page.getByRole('button', {
      name: /^Destination: share\.example\.com ?\. ?Unlisted ?\. Link settings$/,
    });
    await place.click();
    const dialog = page.getByRole('dialog', { name: 'Link settings' });
    for (const value of ['public', 'week'])
      await dialog
        .locator('label')
        .filter({ has: page.locator(`input[value=${value}]`) })
        .click();
    await dialog.getByText('One-time link').click();
    await page.keyboard.press('Escape');
    // A public link for one time only is no such thing.
    await page.getByRole('button', { name: /Unlisted, opens once, for a week/ }).waitFor();
    await upload(editor);
    expect((await editor.finished()).share).toEqual({ visibility: 'unlisted', ttl: 'week', oneTime: true });
  });

  /** With a mark; the host has not answered. */
  const beingHandedOver = async () => {
    const editor = await open(pages, PICTURE);
    const { page } = editor;
    await editor.key('r');
    await editor.drag({ x: 150, y: 30 }, { x: 240, y: 60 });
    await upload(editor);
    await page.waitForFunction(() => window.double.offers.length === 1);
    const refuse = () =>
      page.evaluate(() =>
        window.double.offers[0]?.settle({ ok: false, error: { code: 'DISK_FULL', detail: 'no space' } }),
      );
    return { editor, page, refuse };
  };

  it('lets the link settings be changed no more once it is handed over', async () => {
    const { page, refuse } = await beingHandedOver();
    await page.getByRole('button', { name: /^Destination: / }).click();
    const isPrivate = page.getByRole('radio', { name: 'Private' });
    await isPrivate.waitFor();
    expect(await isPrivate.isDisabled()).toBe(true);
    await refuse();
    await expect.poll(() => isPrivate.isDisabled()).toBe(false);
  });

  it('stays open when it could not be handed over, and the reason is shown', async () => {
    const { editor, page, refuse } = await beingHandedOver();
    await refuse();
    await page.getByText('This computer’s disk is full').waitFor();
    expect(await editor.marks()).toEqual(['Rectangle 1']);
    await upload(editor);
    await editor.handedOver();
    expect((await editor.finished()).picture).toBe('src-edited-picture');
  });
});

describe('the text of the picture', () => {
  const copyText = ({ page }: EditorPage) => page.getByRole('button', { name: 'Copy text', exact: true }).click();
  const asked = ({ page }: EditorPage, command: string) =>
    page.evaluate(
      (name) => window.double.calls.filter((call) => call.command === name).map(({ input }) => input),
      command,
    );

  it('is read by the host as it was captured, while nothing is drawn', async () => {
    const editor = await open(pages, PICTURE);
    await copyText(editor);
    await editor.page.getByText('4 words copied').or(editor.page.getByText('4 words not copied yet')).waitFor();
    expect(await asked(editor, 'vision.readCapture')).toMatchObject([{ id: CAPTURE }]);
    expect(await asked(editor, 'vision.readFile')).toEqual([]);
  });

  it('is that of the edited picture, so that what is hidden is not read', async () => {
    const editor = await open(pages, PICTURE);
    await editor.key('b');
    await editor.drag({ x: 30, y: 180 }, { x: 120, y: 210 });
    await copyText(editor);
    const made = await pixelsOf(await editor.handedOver());
    expect(differences(made, PICTURE).length).toBeGreaterThan(0);
    await editor.page.getByText('4 words copied').or(editor.page.getByText('4 words not copied yet')).waitFor();
    expect(await asked(editor, 'vision.readFile')).toMatchObject([{ token: 'src-edited-picture' }]);
    expect(await asked(editor, 'vision.readCapture')).toEqual([]);
  });
});

describe('what looks secret', () => {
  const at = (kind: string, x: number) => ({ kind, x, y: 40, width: 120, height: 30, confidence: 90 });
  const find = async (editor: EditorPage, found: readonly object[]): Promise<void> => {
    await editor.page.evaluate(
      (all) => window.double.answer('vision.findSecrets', () => ({ found: all as never, missing: [] })),
      found,
    );
    await editor.page.getByRole('button', { name: 'Find secrets', exact: true }).click();
  };
  const bar = ({ page }: EditorPage) => page.getByRole('region', { name: 'Find secrets' });

  it('is proposed place by place, and each is hidden or left with one key, which can be undone', async () => {
    const editor = await open(pages, PICTURE);
    await find(editor, [at('email', 30), at('card', 200), at('token', 400)]);
    await bar(editor).getByText('3 places look secret. 1 of 3: an email address.').waitFor();
    await editor.key('y');
    await bar(editor).getByText('2 of 3: a bank card.').waitFor();
    await editor.key('n');
    await bar(editor).getByText('3 of 3: a token.').waitFor();
    await editor.key('Enter');
    await bar(editor).getByText('2 of 3 places hidden.').waitFor();
    await editor.key('Escape');
    await bar(editor).waitFor({ state: 'detached' });
    expect(await editor.marks()).toEqual(['Redaction 2', 'Redaction 1']);
    await upload(editor);
    const made = await pixelsOf(await editor.handedOver());
    const changed = differences(PICTURE, made);
    expect(changed.length).toBeGreaterThan(0);
    for (const { x, y } of changed)
      expect(y >= 40 && y < 70 && ((x >= 30 && x < 150) || (x >= 400 && x < 520))).toBe(true);
  });

  it('is hidden all at once, and a picture without any is said to have none that a program finds', async () => {
    const editor = await open(pages, PICTURE);
    await find(editor, [at('email', 30), at('card', 200)]);
    await editor.key('a');
    await bar(editor).getByText('2 of 2 places hidden.').waitFor();
    await find(editor, []);
    await bar(editor).getByText('Nothing looks secret.').waitFor();
    await bar(editor)
      .getByRole('button', { name: /^Close/ })
      .click();
    expect(await editor.marks()).toEqual(['Redaction 2', 'Redaction 1']);
  });
});

describe('a capture that waits', () => {
  it('keeps its annotations while the user is on another screen', async () => {
    const editor = await open(pages, PICTURE);
    const { page } = editor;
    await editor.key('r');
    await editor.drag({ x: 150, y: 30 }, { x: 240, y: 60 });
    await page.getByRole('button', { name: 'Back, and continue later' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Continue editing' }).click();
    expect(await editor.marks()).toEqual(['Rectangle 1']);
    await page.evaluate(() => {
      location.hash = '#library';
    });
    await page.getByText('is open in the editor').waitFor();
    await page.getByRole('button', { name: 'Continue editing' }).click();
    expect(await editor.marks()).toEqual(['Rectangle 1']);
    await page.keyboard.press('Control+z');
    expect(await editor.marks()).toEqual([]);
  });

  it('comes with the tools as they were set for the one before', async () => {
    const editor = await open(pages, PICTURE);
    const { page } = editor;
    await editor.key('e');
    await page.getByRole('group', { name: 'Style' }).getByTitle('Thick').click();
    await upload(editor);
    await editor.show(noise(641, 403, 2));
    const chosen = page.getByRole('radio', { name: 'Ellipse (E)' });
    await expect.poll(() => chosen.getAttribute('aria-checked')).toBe('true');
    await expect.poll(() => page.getByRole('radio', { name: 'Thick' }).isChecked()).toBe(true);
  });

  it('is not loaded into the window before there is one', async () => {
    const { page } = await pages.open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole('main').waitFor();
    expect(loaded.filter((path) => path.includes('/editor-'))).toEqual([]);
    pages.captures.set(`${CAPTURE}/picture`, Buffer.alloc(0));
    await showCapture(page, { width: 10, height: 10 });
    await page.getByText('Couldn’t load the image').waitFor();
    expect(loaded.filter((path) => path.includes('/editor-') && path.endsWith('.js'))).toHaveLength(1);
    await page.context().close();
  });

  it('too large for a canvas is reported, and exported as it was taken', async () => {
    const { page } = await pages.open();
    await showCapture(page, { width: 40_000, height: 40_000 });
    await page.getByText('This image is too large to edit').waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.waitForFunction(() =>
      window.double.calls.some(({ command, input }) => {
        return command === 'capture.finish' && (input as { picture: unknown }).picture === null;
      }),
    );
    await page.context().close();
  });
});

/** A scale and a zoom that divide no pixel evenly; `npm run test:screens` has every zoom on every scale. */
it('on a display of scale 1.25, no pixel depends on the redacted ones', async () => {
  const editor = await open(pages, REDACTED_PICTURE, { deviceScaleFactor: 1.25 });
  await expectNothingOfRedacted(editor, ZOOMS.slice(1, 2), 1.25);
});
