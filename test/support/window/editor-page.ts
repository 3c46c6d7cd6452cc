/** Page object of the editor in the real window, for pointer and keyboard. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { CaptureId } from '../../../src/api/ids.ts';
import type { CommandInput } from '../../../src/ipc/protocol/command-table.ts';
import type { Settings } from '../../../src/ipc/protocol/settings.ts';
import type { Box, Point } from '../../../src/renderer/drawing/mark.ts';
import { placeImage, toViewport, type View } from '../../../src/renderer/drawing/viewport.ts';
import { untilListening } from '../browser/until-listening.ts';
import { type Pixels, pngOf } from '../media/pixels.ts';
import type { RendererPages } from './renderer-page.ts';

export const CAPTURE = '00000000-0000-4000-8000-000000000800' as CaptureId;
const NAME = 'Screenshot 2026-11-20 12.00.00.png';

interface EditorOptions extends BrowserContextOptions {
  readonly settings?: Partial<Settings>;
}

export interface EditorPage {
  readonly page: Page;
  readonly problems: string[];
  /** Lets another picture of the same size wait in the same window, once the one before has left; the editor listens. */
  show(picture: Pixels): Promise<void>;
  /** Drags from one pixel of the picture to another. `view`: what is seen, if that is not all of it. */
  drag(from: Point, to: Point, seen?: Seen): Promise<void>;
  click(at: Point, seen?: Seen): Promise<void>;
  key(...keys: readonly string[]): Promise<void>;
  /** The names of all marks, the topmost first. */
  marks(): Promise<readonly string[]>;
  /** Waits for the edited picture that is handed over, lets it arrive, and answers its bytes. */
  handedOver(): Promise<Buffer>;
  /** What the page asked the engine to do with the capture, once it did. */
  finished(): Promise<CommandInput<'capture.finish'>>;
}

interface Seen {
  readonly view: View;
  readonly frame: Box;
}

/** Opens the window with `picture` waiting in the editor. */
export const openEditor = async (
  pages: RendererPages,
  picture: Pixels,
  { settings = {}, ...options }: EditorOptions = {},
): Promise<EditorPage> => {
  const { width, height } = picture;
  const { page, problems } = await pages.open(options);
  const canvas = page.locator('[data-canvas]');
  const show = async (next: Pixels): Promise<void> => {
    pages.captures.set(`${CAPTURE}/picture`, await pngOf(next));
    await canvas.waitFor({ state: 'detached' });
    await showCapture(page, { width, height }, settings);
    await canvas.waitFor();
    await untilListening(page);
  };
  await show(picture);

  const pointOf = async (at: Point, seen?: Seen): Promise<Point> => {
    const { view, frame } = seen ?? { view: { zoom: 'fit', centre: at }, frame: { x: 0, y: 0, width, height } };
    const { left, top, viewport } = await canvas.evaluate((element) => {
      const scale = window.devicePixelRatio;
      const whole = (length: number) => Math.max(1, Math.floor(length * scale) / scale);
      const box = element.getBoundingClientRect();
      const size = { width: whole(element.clientWidth), height: whole(element.clientHeight) };
      return { left: box.left, top: box.top, viewport: { ...size, scale } };
    });
    const { x, y } = toViewport(at, placeImage(view, frame, viewport));
    return { x: left + x, y: top + y };
  };

  return {
    page,
    problems,
    show,
    drag: async (from, to, seen) => {
      const [a, b] = [await pointOf(from, seen), await pointOf(to, seen)];
      await page.mouse.move(a.x, a.y);
      await page.mouse.down();
      await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
      await page.mouse.move(b.x, b.y);
      await page.mouse.up();
    },
    click: async (at, seen) => {
      const { x, y } = await pointOf(at, seen);
      await page.mouse.click(x, y);
    },
    key: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    marks: async () => {
      await page.getByRole('button', { name: /^(Annotations|Пометки):/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      const names = await dialog.locator('li > button:first-child').allInnerTexts();
      await untilListening(page);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return names;
    },
    handedOver: async () => {
      await page.waitForFunction(() => window.double.offers.length === 1);
      const encoded = await page.evaluate(async () => {
        const [offer] = window.double.offers;
        if (!offer) throw new Error('nothing was handed over');
        const bytes = new Uint8Array(await offer.file.arrayBuffer());
        offer.settle({ ok: true, value: 'src-edited-picture' as never });
        let text = '';
        for (const byte of bytes) text += String.fromCharCode(byte);
        return btoa(text);
      });
      return Buffer.from(encoded, 'base64');
    },
    finished: async () => {
      const found = await page.waitForFunction(
        () => window.double.calls.find(({ command }) => command === 'capture.finish')?.input,
      );
      return (await found.jsonValue()) as CommandInput<'capture.finish'>;
    },
  };
};

/** Opens a capture in the editor, and lets the engine accept its completion. */
export const showCapture = (
  page: Page,
  size: { readonly width: number; readonly height: number },
  settings: Partial<Settings> = {},
): Promise<void> =>
  page.evaluate(
    ({ id, name, change, ...lengths }) => {
      const { double, make } = window;
      double.answer('capture.finish', () => {
        double.set({ capture: null });
        return { item: null };
      });
      double.set({
        settings: { ...double.state().settings, ...change },
        capture: { state: 'editing', id, name, takenAt: make.NOON, ...lengths },
      });
    },
    { id: CAPTURE, name: NAME, change: settings, ...size },
  );
