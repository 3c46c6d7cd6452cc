/** The copy that follows the editor: when it is made, of what, and what becomes of a copy that fails. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences, noise, type Pixels, pixelsOf, pngOf } from '../../support/media/pixels.ts';
import { CAPTURE, type EditorPage, openEditor, showCapture } from '../../support/window/editor-page.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

const PICTURE = noise(320, 200, 3);
/** Longer than any pause for which a copy waits. */
const LONG_MS = 5_000;

let pages: RendererPages;
const editors = new Map<'host' | 'page', EditorPage>();
const settings = { copyWhileEditing: true };
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(async () => {
  for (const { problems } of editors.values()) expect(problems).toEqual([]);
  await pages.close();
});

interface Opened {
  readonly editor: EditorPage;
  readonly page: Page;
  /** The clock of the page stands still but for this. */
  pass(ms: number): Promise<void>;
}

/** A page whose clock stands still. */
const openPage = async (clipboard: 'host' | 'page'): Promise<EditorPage> => {
  const permissions = clipboard === 'page' ? ['clipboard-read', 'clipboard-write'] : [];
  const editor = await openEditor(pages, PICTURE, { settings, permissions });
  await editor.page.clock.install();
  await editor.page.clock.pauseAt(Date.now() + 60_000);
  editors.set(clipboard, editor);
  return editor;
};

/** The editor with a new capture. */
const open = async (clipboard: 'host' | 'page', copyWhileEditing = true): Promise<Opened> => {
  const editor = editors.get(clipboard) ?? (await openPage(clipboard));
  const { page } = editor;
  await page.evaluate((who) => {
    const { double } = window;
    double.set({ capture: null, discarded: [], capabilities: { ...double.state().capabilities, clipboard: who } });
    for (const offer of [...double.offers]) offer.settle({ ok: true, value: 'src-earlier-picture' as never });
    double.calls.splice(0);
  }, clipboard);
  settings.copyWhileEditing = copyWhileEditing;
  await editor.show(PICTURE);
  await page.locator('[data-canvas]').focus();
  return { editor, page, pass: (ms) => page.clock.runFor(ms) };
};

/** The inputs of the copies so far, and the end of the capture. */
const calls = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    window.double.calls.flatMap(({ command, input }) =>
      command === 'capture.copy' || command === 'capture.finish'
        ? [`${command} ${(input as { picture: string | null }).picture}`]
        : [],
    ),
  );
const offers = (page: Page): Promise<number> => page.evaluate(() => window.double.offers.length);
const status = (page: Page) => page.locator('[data-status]').getAttribute('data-status');
const toggle = (page: Page) => page.getByRole('button', { name: 'Keep the copy up to date' });

describe('where the app writes the clipboard', () => {
  const AS_TAKEN = 'capture.copy null';
  const EDITED = 'capture.copy src-edited-picture';
  const openCopied = async (): Promise<Opened> => {
    const opened = await open('host');
    await expect.poll(() => calls(opened.page)).toEqual([AS_TAKEN]);
    await expect.poll(() => status(opened.page)).toBe('current');
    return opened;
  };

  it('the image is copied as it was taken once the editor is open, and stays open', async () => {
    const { page } = await openCopied();
    expect(await page.locator('[data-canvas]').count()).toBe(1);
    expect(await toggle(page).getAttribute('aria-pressed')).toBe('true');
  });

  it('after a change and a pause it is what Copy would put there, to the byte', async () => {
    const { editor, page, pass } = await openCopied();
    await editor.key('r', 'Enter', 'b', 'Enter', 'c', 'Shift+Alt+ArrowLeft', 'v');
    expect(await offers(page)).toBe(0);
    expect(await status(page)).toBe('pending');
    await pass(LONG_MS);
    const copied = await editor.handedOver();
    await expect.poll(() => calls(page)).toEqual([AS_TAKEN, EDITED]);
    await expect.poll(() => status(page)).toBe('current');
    await editor.key('Control+c');
    const last = await editor.handedOver();
    expect(copied.equals(last)).toBe(true);
    expect(await editor.finished()).toMatchObject({ after: { copyPicture: true, publish: false } });
  });

  it('nothing is copied while the drawing is as it was: by a view, a selection, or an undone change', async () => {
    const { editor, page, pass } = await openCopied();
    await editor.key('r', 'Enter', 'Control+z', 'Control+=', 'PageDown', 'e', 'v');
    await pass(LONG_MS);
    expect(await calls(page)).toEqual([AS_TAKEN]);
    expect([await offers(page), await status(page)]).toEqual([0, 'current']);
  });

  it('there is one copy at a time, and what changes meanwhile is copied after it, once', async () => {
    const { editor, page, pass } = await openCopied();
    await editor.key('r', 'Enter');
    await pass(LONG_MS);
    await expect.poll(() => offers(page)).toBe(1);
    await editor.key('e', 'Enter');
    await pass(LONG_MS);
    await editor.key('l', 'Enter');
    await pass(LONG_MS);
    expect(await offers(page)).toBe(1);
    const first = await editor.handedOver();
    await expect.poll(() => calls(page)).toEqual([AS_TAKEN, EDITED]);
    await pass(LONG_MS);
    const second = await editor.handedOver();
    await expect.poll(() => calls(page)).toEqual([AS_TAKEN, EDITED, EDITED]);
    await pass(LONG_MS);
    expect(await offers(page)).toBe(0);
    const changed = async (png: Buffer) => differences(PICTURE, await pixelsOf(png)).length;
    expect(await changed(second)).toBeGreaterThan(await changed(first));
  });

  it('a user who leaves the window at once has the newest image', async () => {
    const { editor, page } = await openCopied();
    await editor.key('b', 'Enter');
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await editor.handedOver();
    await expect.poll(() => calls(page)).toEqual([AS_TAKEN, EDITED]);
  });

  it('a failure is told once, not after each stroke, and is over with the next copy', async () => {
    const { editor, page, pass } = await openCopied();
    const told = page.getByText('The image isn’t on the clipboard').or(page.getByText('The clipboard still has'));
    const change = async (tool: string, isRefused: boolean) => {
      if (isRefused)
        await page.evaluate(() => window.double.failNext('capture.copy', { code: 'APP_FAILED', detail: 'locked' }));
      await editor.key(tool, 'Enter');
      await pass(LONG_MS);
      await editor.handedOver();
    };
    await change('r', true);
    await page.getByText('The clipboard still has an older version').first().waitFor();
    await expect.poll(() => status(page)).toBe('outdated');
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await told.first().waitFor({ state: 'detached' });
    await page.locator('[data-canvas]').focus();
    await change('e', true);
    await expect.poll(() => status(page)).toBe('outdated');
    expect(await told.count()).toBe(0);
    await change('l', false);
    await expect.poll(() => status(page)).toBe('current');
    // Another failure is told again, and its message goes with the copy that succeeds.
    await change('a', true);
    await told.first().waitFor();
    await change('r', false);
    await told.first().waitFor({ state: 'detached' });
  });

  it('no copy follows the end of the capture, which its link or its own copy has put on the clipboard', async () => {
    for (const key of ['Control+c', 'Control+u']) {
      const { editor, page, pass } = await openCopied();
      await editor.key('r', 'Enter', key);
      await editor.handedOver();
      await editor.finished();
      await page.locator('[data-canvas]').waitFor({ state: 'detached' });
      await pass(LONG_MS);
      expect(await calls(page)).toEqual([AS_TAKEN, 'capture.finish src-edited-picture']);
    }
  });

  it('a capture whose end fails is followed again', async () => {
    const { editor, page, pass } = await openCopied();
    await editor.key('r', 'Enter');
    await page.evaluate(() => window.double.failNext('capture.finish', { code: 'DISK_FULL', detail: '' }));
    await editor.key('Control+u');
    await editor.handedOver();
    await editor.finished();
    await expect.poll(() => status(page)).toBe('pending');
    await pass(LONG_MS);
    await editor.handedOver();
    await expect.poll(async () => (await calls(page)).at(-1)).toBe(EDITED);
  });

  it('it is off at first, and its switch in the editor copies at once', async () => {
    const { editor, page, pass } = await open('host', false);
    await editor.key('r', 'Enter');
    await pass(LONG_MS);
    expect([await calls(page), await offers(page), await status(page)]).toEqual([[], 0, 'off']);
    await toggle(page).press('Space');
    await editor.handedOver();
    await expect.poll(() => calls(page)).toEqual([EDITED]);
    const saved = await page.evaluate(() => window.double.state().settings.copyWhileEditing);
    expect(saved).toBe(true);
    await toggle(page).press('Space');
    await page.locator('[data-canvas]').focus();
    await editor.key('e', 'Enter');
    await pass(LONG_MS);
    expect([await calls(page), await offers(page), await status(page)]).toEqual([[EDITED], 0, 'off']);
  });
});

describe('where only the page writes the clipboard', () => {
  /** What another program would paste; null: no picture. */
  const pasted = async (page: Page): Promise<Pixels | null> => {
    const encoded = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      if (!item?.types.includes('image/png')) return null;
      const bytes = new Uint8Array(await (await item.getType('image/png')).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    });
    return encoded === null ? null : pixelsOf(Buffer.from(encoded, 'base64'));
  };
  const changedIn = async (page: Page) => {
    const picture = await pasted(page);
    return picture && differences(PICTURE, picture);
  };

  it('a redaction replaces the copy that still shows what it hides', async () => {
    const { editor, page, pass } = await open('page');
    await expect.poll(() => changedIn(page)).toEqual([]);
    await editor.key('b');
    await editor.drag({ x: 40, y: 30 }, { x: 120, y: 90 });
    await pass(LONG_MS);
    await expect.poll(async () => (await changedIn(page))?.length).toBeGreaterThan(0);
    const changed = (await changedIn(page)) ?? [];
    expect(changed.length).toBeGreaterThan(80 * 60 * 0.95);
    expect(changed.filter(({ x, y }) => x < 39 || x > 121 || y < 29 || y > 91)).toEqual([]);
    expect([await calls(page), await offers(page), await status(page)]).toEqual([[], 0, 'current']);
    expect(await page.locator('[data-canvas]').count()).toBe(1);
  });

  it('what the browser refuses is told, and copied at the next click', async () => {
    const { editor, page, pass } = await open('page');
    await expect.poll(() => status(page)).toBe('current');
    await page.evaluate(() => {
      const write = navigator.clipboard.write.bind(navigator.clipboard);
      Object.assign(window, { allow: () => Object.assign(navigator.clipboard, { write }) });
      Object.assign(navigator.clipboard, { write: () => Promise.reject(new DOMException('', 'NotAllowedError')) });
    });
    await editor.key('b', 'Enter');
    await pass(LONG_MS);
    const told = page.getByText('Your browser allows copying after a click').first();
    await told.waitFor();
    expect(await status(page)).toBe('outdated');
    expect(await changedIn(page)).toEqual([]);
    await page.evaluate(() => (window as unknown as { allow: () => void }).allow());
    await page.locator('header').click({ position: { x: 2, y: 2 } });
    await told.waitFor({ state: 'detached' });
    await expect.poll(() => status(page)).toBe('current');
    expect((await changedIn(page))?.length).toBeGreaterThan(100);
  });

  it('it is not offered in a browser that has no clipboard for pictures', async () => {
    const { page } = await pages.open();
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }));
    await page.reload();
    await page.getByRole('main').waitFor();
    pages.captures.set(`${CAPTURE}/picture`, await pngOf(PICTURE));
    await showCapture(page, { width: PICTURE.width, height: PICTURE.height }, { copyWhileEditing: true });
    await page.locator('[data-canvas]').waitFor();
    expect([await toggle(page).count(), await offers(page)]).toEqual([0, 0]);
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capture: null, capabilities: { ...double.state().capabilities, overlay: 'page' } });
      location.hash = '#settings';
    });
    await page.getByRole('switch', { name: 'Open the editor after a capture' }).waitFor();
    expect(await page.getByRole('switch', { name: 'Keep the copy up to date' }).count()).toBe(0);
    await page.context().close();
  });
});
