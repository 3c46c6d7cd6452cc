/** Captures a scrolling page in a real browser window, and compares it with the page at its full height. */
import type { Page } from 'playwright-core';
import { ok } from '../../../src/api/errors.ts';
import { captureScrolling, type ScrolledPicture } from '../../../src/engine/capture/scroll/scroll-to-end.ts';
import { createX11Capturer } from '../../../src/engine/capture/x11/x11-capturer.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import type { ScreenCapturer } from '../../../src/engine/ports.ts';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import { until } from '../engine.ts';
import { differingRows, pixelsOf, pngOf } from '../media/pixels.ts';
import { type ScrollingSpec, scrollingPage } from './scrolling-pages.ts';
import type { XBrowser } from './x-browser.ts';

export interface PageComparison {
  readonly outcome: ScrolledPicture['outcome'];
  readonly height: number;
  readonly expectedHeight: number;
  /** Rows that differ, outside of the animation. */
  readonly differing: readonly number[];
  readonly pictures: { readonly joined: Buffer; readonly expected: Buffer };
}

const never = new AbortController().signal;

/** In a window as high as the page: what stays at its bottom is then at the bottom of the page. */
const atFullHeight = async (page: Page, width: number): Promise<Buffer> => {
  const tools = await page.context().newCDPSession(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await tools.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  const { data } = await tools.send('Page.captureScreenshot', { format: 'png' });
  return Buffer.from(data, 'base64');
};

/** From the first to before the last; null: nothing is animated. */
const animatedRows = (page: Page): Promise<{ readonly top: number; readonly bottom: number } | null> =>
  page.evaluate(() => {
    const box = document.querySelector('.animated')?.getBoundingClientRect();
    return box ? { top: Math.floor(box.top), bottom: Math.ceil(box.bottom) } : null;
  });

/** Answers whether the area of the screen shows the page as it is now, apart from its animation. */
const openLook = async (page: Page, capturer: Pick<ScreenCapturer, 'grab'>) => {
  const tools = await page.context().newCDPSession(page);
  return async (area: Area): Promise<boolean> => {
    const { y } = await page.evaluate(() => ({ y: scrollY }));
    const clip = { x: 0, y, width: area.width, height: area.height, scale: 1 };
    const { data } = await tools.send('Page.captureScreenshot', { format: 'png', clip });
    const frame = await capturer.grab(area, 'hide', never);
    const moving = await animatedRows(page);
    if (!frame.ok) throw new Error(frame.error.detail ?? frame.error.code);
    const differing = differingRows(frame.value, await pixelsOf(Buffer.from(data, 'base64')));
    return differing.every((row) => moving !== null && row >= moving.top && row < moving.bottom);
  };
};

/**
 * Where the page is on the screen, once the screen shows all of it: a busy machine paints a page after its scripts, and
 * a bar of the browser moves it down later still.
 */
const paintedArea = async (page: Page, isShown: (area: Area) => Promise<boolean>): Promise<Area> => {
  const place = () =>
    page.evaluate(() => ({
      x: screenX,
      y: screenY + outerHeight - innerHeight,
      width: document.documentElement.clientWidth,
      height: innerHeight,
    }));
  let area = await place();
  await until(async () => {
    area = await place();
    return isShown(area);
  });
  return area;
};

/**
 * Scrolls like the real one, and then waits until the page has got the whole turn of the wheel, rests, and is shown where
 * it is: one that a busy machine has not scrolled yet looks like one at its end.
 */
const withShownScrolls = async (
  page: Page,
  capturer: ScreenCapturer,
  isShown: (area: Area) => Promise<boolean>,
): Promise<ScreenCapturer> => {
  await page.evaluate(() => {
    const turned = { by: 0 };
    Object.assign(globalThis, { turned });
    addEventListener(
      'wheel',
      ({ deltaY }) => {
        turned.by += deltaY;
      },
      { passive: true },
    );
  });
  const seen = () =>
    page.evaluate(async () => {
      const { turned } = globalThis as unknown as { readonly turned: { readonly by: number } };
      const before = scrollY;
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return { turned: turned.by, rests: scrollY === before };
    });
  /** Of a click; the first scroll is one. */
  let click = 0;
  let clicked = 0;
  return {
    ...capturer,
    async scroll(area, direction, clicks, signal) {
      const scrolled = await capturer.scroll?.(area, direction, clicks, signal);
      if (!scrolled?.ok) return scrolled ?? ok(undefined);
      clicked += clicks;
      await until(async () => {
        const { turned, rests } = await seen();
        click ||= turned / clicked;
        return click !== 0 && Math.abs(turned - click * clicked) < 1 && rests && (await isShown(area));
      }, seen);
      return scrolled;
    },
  };
};

export const compareScrolled = async (screen: XBrowser, spec: ScrollingSpec): Promise<PageComparison> => {
  const page: Page = await screen.browser.newPage({ viewport: null });
  try {
    await page.setContent(scrollingPage(spec));
    await page.bringToFront();
    const capturer = createX11Capturer({ display: screen.display, environment: { DISPLAY: screen.display } });
    const isShown = await openLook(page, capturer);
    const area = await paintedArea(page, isShown);
    const patient = await withShownScrolls(page, capturer, isShown);
    const scrolled = await captureScrolling(
      { clock: systemClock, capturer: patient },
      { area, direction: 'down' },
      never,
    );
    if (!scrolled.ok) throw new Error(scrolled.error.detail ?? scrolled.error.code);
    const { pixels, outcome } = scrolled.value;
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    const moving = await animatedRows(page);
    const expected = await atFullHeight(page, area.width);
    const whole = await pixelsOf(expected);
    const differing = differingRows(pixels, whole).filter((y) => !moving || y < moving.top || y >= moving.bottom);
    const pictures = { joined: await pngOf({ ...pixels, data: Buffer.from(pixels.data) }), expected };
    return { outcome, height: pixels.height, expectedHeight: whole.height, differing, pictures };
  } finally {
    await page.close();
  }
};
