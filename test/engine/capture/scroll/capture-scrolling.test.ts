/** Scrolling captures of a seeded page on a screen that a double scrolls. */
import { expect, it } from 'vitest';
import { ok } from '../../../../src/api/errors.ts';
import { swapAxes } from '../../../../src/engine/capture/scroll/frame-cells.ts';
import { captureScrolling } from '../../../../src/engine/capture/scroll/scroll-to-end.ts';
import type { Pixels, ScreenCapturer } from '../../../../src/engine/ports.ts';
import type { ScrollDirection } from '../../../../src/ipc/protocol/scroll.ts';
import { hurriedClock } from '../../../support/hurried-clock.ts';
import { makePage, type ViewOptions, viewOf } from '../../../support/screen/scrolling-page.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const [VIEW, CLICK_ROWS] = [200, 40];
const never = new AbortController().signal;
const page = makePage({ width: 240, height: 900, seed: 4 });
const turned = (pixels: Pixels, direction: ScrollDirection) => (direction === 'right' ? swapAxes(pixels) : pixels);

/** A part of the screen that never comes to rest. */
const animation = (): ViewOptions['paint'] => {
  const random = seededRandom(9);
  return (set) => {
    for (let y = 40; y < 90; y++) for (let x = 150; x < 230; x++) set(x, y, Math.floor(random() * 255));
  };
};

/** A picture that is grey until the screen was looked at so often since it came into view. */
const latePicture = (looks: number) => {
  let left = looks;
  return (top: number): ViewOptions['paint'] => {
    const rows = Array.from({ length: 90 }, (_, row) => 400 + row - top).filter((y) => y >= 0 && y < VIEW);
    if (rows.length === 0 || left-- <= 0) return undefined;
    return (set) => {
      for (const y of rows) for (let x = 120; x < 200; x++) set(x, y, 200);
    };
  };
};

/** The page as far as it has loaded. `scrolled`: the user or the app scrolls, from this place. */
interface LoadedPage {
  end(): number;
  scrolled(top: number): void;
}
const WHOLE: LoadedPage = { end: () => page.height, scrolled: () => {} };

const capture = async (
  direction: ScrollDirection,
  paintAt: (top: number) => ViewOptions['paint'] = () => undefined,
  loaded = WHOLE,
) => {
  let top = 0;
  const capturer: ScreenCapturer = {
    displays: async () => ok([]),
    windows: async () => ok([]),
    freeze: async () => ok([]),
    grab: async () => {
      const paint = paintAt(top);
      return ok(turned(viewOf(page, top, { height: VIEW, ...(paint && { paint }) }), direction));
    },
    scroll: async (_, __, clicks) => {
      const from = top;
      top = Math.max(0, Math.min(loaded.end() - VIEW, top + clicks * CLICK_ROWS));
      loaded.scrolled(from);
      return ok(undefined);
    },
  };
  const area = { x: 0, y: 0, ...(direction === 'right' ? { width: VIEW, height: 240 } : { width: 240, height: VIEW }) };
  const captured = await captureScrolling({ clock: hurriedClock(), capturer }, { area, direction }, never);
  if (!captured.ok) throw new Error(captured.error.code);
  return { ...captured.value, pixels: turned(captured.value.pixels, direction) };
};

it.each(['down', 'right'] as const)('scrolls %s to the end of the page', async (direction) => {
  const { pixels, outcome } = await capture(direction);
  expect(outcome).toEqual({ ended: 'end', reason: null, length: page.height, isExact: true });
  expect(Buffer.compare(pixels.data, page.data)).toBe(0);
});

it.each(['down', 'right'] as const)('scrolls %s to the end although a part of the screen moves', async (direction) => {
  const moving = animation();
  const { outcome } = await capture(direction, () => moving);
  expect(outcome).toMatchObject({ ended: 'end', length: page.height });
});

it('goes on where a page grows at its end without having moved', async () => {
  const [firstEnd, padding] = [620, 14];
  let isGrown = false;
  const loaded: LoadedPage = {
    end: () => (isGrown ? page.height : firstEnd),
    // Once it is scrolled at its end: what comes appears in the space below the last line.
    scrolled: (top) => {
      isGrown ||= top === firstEnd - VIEW;
    },
  };
  const blankEnd = (top: number): ViewOptions['paint'] => {
    if (isGrown || top + VIEW <= firstEnd - padding) return undefined;
    return (set) => {
      for (let y = firstEnd - padding - top; y < VIEW; y++) for (let x = 0; x < 240; x++) set(x, y, 255);
    };
  };
  const { pixels, outcome } = await capture('down', blankEnd, loaded);
  expect(outcome).toMatchObject({ ended: 'end', length: page.height });
  expect(Buffer.from(pixels.data).equals(Buffer.from(page.data))).toBe(true);
});

it('waits for a picture that loads between two looks', async () => {
  const { pixels, outcome } = await capture('down', latePicture(1));
  expect(outcome).toEqual({ ended: 'end', reason: null, length: page.height, isExact: true });
  expect(Buffer.compare(pixels.data, page.data)).toBe(0);
});

it.each([2, 3])('shows a picture that loads before it is shown again as it was loaded (%i looks)', async (looks) => {
  const { pixels, outcome } = await capture('down', latePicture(looks));
  expect(outcome).toEqual({ ended: 'end', reason: null, length: page.height, isExact: true });
  expect(Buffer.compare(pixels.data, page.data)).toBe(0);
});

it('does not call exact what shows a part of a late picture as it was', async () => {
  const { pixels, outcome } = await capture('down', latePicture(4));
  expect(outcome).toEqual({ ended: 'end', reason: null, length: page.height, isExact: false });
  expect(Buffer.compare(pixels.data, page.data)).not.toBe(0);
});
