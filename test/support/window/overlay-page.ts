/** The overlay in real Chromium with a frozen desktop, in a host window or over the page. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Area, CaptureSessionIn, Display } from '../../../src/ipc/protocol/capture.ts';
import { CAPTURE, makeChoosing, makeKnownPixels } from './frozen-desktop.ts';
import type { RendererPages } from './renderer-page.ts';

export interface OverlayPage {
  readonly page: Page;
  readonly problems: readonly string[];
  /** The areas that were chosen so far, with what is to be done with them. */
  chosen(): Promise<readonly { readonly area: Area; readonly way: string | null }[]>;
  /** How often the capture was cancelled. */
  cancelled(): Promise<number>;
  /** Moves the pointer to a pixel of the display, as a mouse does: to its very edge. */
  moveTo(x: number, y: number): Promise<void>;
  drag(fromX: number, fromY: number, toX: number, toY: number): Promise<void>;
}

interface OverlayOptions {
  readonly session?: Partial<CaptureSessionIn<'choosing'>>;
  /** Device pixels per CSS pixel. */
  readonly ratio?: number;
  readonly host?: 'window' | 'page';
  readonly page?: BrowserContextOptions;
  readonly language?: 'en' | 'ru';
  /** The frozen pixels of each display; otherwise those of which `colourOf` knows each. */
  readonly frame?: (display: Display) => Uint8Array;
}

const frames = new Map<string, Uint8Array>();
const frameOf = ({ width, height }: Display): Uint8Array => {
  const name = `${width}x${height}`;
  const frame = frames.get(name) ?? makeKnownPixels({ width, height });
  frames.set(name, frame);
  return frame;
};

/** Freezes the desktop in a page that is open already. */
export const freeze = async (
  page: Page,
  session: CaptureSessionIn<'choosing'>,
  overlay: 'windows' | 'page',
  language: 'en' | 'ru' = 'en',
): Promise<void> => {
  await page.evaluate(
    ([capture, where, chosen]) => {
      const { double } = window;
      const { settings, capabilities } = double.state();
      double.answer('capture.choose', () => ({ item: null }));
      double.answer('capture.cancel', () => {
        double.set({ capture: null });
        return {};
      });
      double.set({ capabilities: { ...capabilities, overlay: where }, settings: { ...settings, language: chosen } });
      double.set({ capture: { ...capture, pressedAt: Date.now() } });
    },
    [session, overlay, language] as const,
  );
  await page.locator('[data-painted]').waitFor();
};

export const openOverlay = async (pages: RendererPages, options: OverlayOptions = {}): Promise<OverlayPage> => {
  const { ratio = 1, host = 'window', language = 'en', frame = frameOf } = options;
  const session = makeChoosing(options.session);
  const [first] = session.displays;
  if (!first) throw new Error('no display');
  for (const display of session.displays) pages.captures.set(`${CAPTURE}/${display.number}`, frame(display));
  const covering = { width: Math.ceil(first.width / ratio), height: Math.ceil(first.height / ratio) };
  const { page, problems } = await pages.open(
    {
      deviceScaleFactor: ratio,
      viewport: covering,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options.page,
    },
    host === 'window' ? 'overlay' : 'index',
  );
  await freeze(page, session, host === 'window' ? 'windows' : 'page', language);

  const moveTo = (x: number, y: number): Promise<void> => page.mouse.move(x / ratio, y / ratio);
  return {
    page,
    problems,
    moveTo,
    chosen: () =>
      page.evaluate(() =>
        window.double.calls
          .filter(({ command }) => command === 'capture.choose')
          .map(({ input }) => {
            const { area, way } = input as { area: Area; way: string | null };
            return { area, way };
          }),
      ),
    cancelled: () =>
      page.evaluate(() => window.double.calls.filter(({ command }) => command === 'capture.cancel').length),
    drag: async (fromX, fromY, toX, toY) => {
      await moveTo(fromX, fromY);
      await page.mouse.down();
      await moveTo(toX, toY);
      await page.mouse.up();
    },
  };
};
