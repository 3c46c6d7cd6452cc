/** Captures what scrolls in a program's window on a virtual X screen, and compares it with the window at its full height. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { ok, type Result } from '../../../src/api/errors.ts';
import { captureScrolling, type ScrolledPicture } from '../../../src/engine/capture/scroll/scroll-to-end.ts';
import { createX11Capturer } from '../../../src/engine/capture/x11/x11-capturer.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import type { Pixels, ScreenCapturer } from '../../../src/engine/ports.ts';
import { until } from '../engine.ts';
import { differingRows, pngOf } from '../media/pixels.ts';
import { openXScreen, type XScreen } from './x-screen.ts';

interface OpenedWindow {
  readonly width: number;
  readonly height: number;
  /** Rows that change by themselves or tell the height of the window, from the first to before the last. */
  readonly moving?: readonly (readonly [number, number])[];
}

/** What a program shows in a window at the upper left corner. */
export interface WindowPage {
  readonly name: string;
  /** `whole`: in a window as high as all of it, else in a lower one that scrolls. */
  program(whole: boolean): readonly [path: string, ...args: string[]];
  /** Resolves once the window shows its content. */
  opened(screen: XScreen, program: ChildProcess, whole: boolean): Promise<OpenedWindow>;
  /** Wheel clicks that take it to its beginning. */
  readonly clicksBack?: number;
  /** Rows at its beginning that are complete at once; by default half of the lower window. */
  readonly calmRows?: number;
  /**
   * `ambiguous`: its positions cannot be told apart by what is seen; `disturbed`: something in it moves with the page,
   * by itself or comes late. By default all of it is certain.
   */
  readonly certainty?: 'ambiguous' | 'disturbed';
  /** Columns at the right that are not compared: a scroll bar. */
  readonly scrollBar?: number;
}

interface WindowComparison {
  readonly outcome: ScrolledPicture['outcome'];
  readonly height: number;
  readonly expectedHeight: number;
  /** Rows that differ, outside of those that move. */
  readonly differing: readonly number[];
}

export interface WindowScreen {
  /** `shownScrolls`: of a page whose whole height is there from the beginning, each scroll waits until it is shown. */
  compare(page: WindowPage, how?: 'shownScrolls'): Promise<WindowComparison>;
  close(): Promise<void>;
}

type Grab = () => Promise<Pixels>;

const never = new AbortController().signal;
const BETWEEN_LOOKS_MS = 120;
const [SCREEN_WIDTH, SCREEN_HEIGHT] = [1_000, 4_000];
/** The last rows of a window have text on them. */
const LAST_ROWS = 24;

const good = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.detail ?? result.error.code);
  return result.value;
};

const rowsOf = ({ width, data }: Pixels, from: number, to: number): Uint8Array =>
  data.subarray(from * width * 4, to * width * 4);
const equal = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
const withoutRight = ({ width, height, data }: Pixels, columns: number): Pixels => {
  const left = width - columns;
  const kept = new Uint8Array(left * height * 4);
  for (let y = 0; y < height; y++) kept.set(data.subarray(y * width * 4, (y * width + left) * 4), y * left * 4);
  return { width: left, height, data: kept };
};
const isDrawn = (frame: Pixels): boolean => {
  const rows = rowsOf(frame, frame.height - LAST_ROWS, frame.height);
  const background = rows.subarray(0, 4);
  for (let at = 0; at < rows.length; at += 4) if (!equal(rows.subarray(at, at + 4), background)) return true;
  return false;
};

/** The row of the whole picture that is the first of the window, by the middle of the window; null: none. */
const placeIn = (whole: Pixels, frame: Pixels): number | null => {
  const [from, to] = [frame.height >> 2, (frame.height * 3) >> 2];
  const middle = rowsOf(frame, from, to);
  for (let top = 0; top + frame.height <= whole.height; top++)
    if (equal(rowsOf(whole, top + from, top + to), middle)) return top;
  return null;
};

/**
 * Scrolls like the real one, and then waits until the window shows where it has come to: one that a busy machine has not
 * scrolled yet looks like one at its end.
 */
const withShownScrolls = (
  capturer: ScreenCapturer,
  whole: Pixels,
  look: () => Promise<Pixels>,
  height: number,
): ScreenCapturer => {
  let place = 0;
  /** Of a click; the first scroll is one. */
  let rows: number | null = null;
  return {
    ...capturer,
    async scroll(area, direction, clicks, signal) {
      const scrolled = await capturer.scroll?.(area, direction, clicks, signal);
      if (!scrolled?.ok) return scrolled ?? ok(undefined);
      const wanted = rows && Math.max(0, Math.min(whole.height - height, place + rows * clicks));
      let now: number | null = null;
      await until(
        async () => {
          const before = now;
          now = placeIn(whole, await look());
          // Each click may be rounded to a row.
          return (
            now !== null &&
            now === before &&
            (wanted === null ? now !== place : Math.abs(now - wanted) <= Math.abs(clicks))
          );
        },
        () => ({ place, clicks, rows, wanted, now }),
      );
      rows ??= (now ?? 0) - place;
      place = now ?? place;
      return scrolled;
    },
  };
};

/** One X server for all pages. */
export const openWindowScreen = async (): Promise<WindowScreen> => {
  const screen = await openXScreen(SCREEN_WIDTH, SCREEN_HEIGHT);
  // Beside all windows, so that none has the keyboard or a highlight.
  await screen.run('xdotool', 'mousemove', `${SCREEN_WIDTH - 1}`, `${SCREEN_HEIGHT - 1}`);
  const capturer = createX11Capturer({ display: screen.display, environment: screen.environment });

  const inWindow = async <T>(
    page: WindowPage,
    whole: boolean,
    work: (window: OpenedWindow, grab: Grab) => Promise<T>,
  ): Promise<T> => {
    const [path, ...args] = page.program(whole);
    const env = { ...screen.environment, LANG: 'C.UTF-8', HOME: '/nonexistent', NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11' };
    const program = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const gone = once(program, 'exit');
    try {
      const window = await page.opened(screen, program, whole);
      const area = { x: 0, y: 0, width: window.width, height: window.height };
      return await work(window, async () => good(await capturer.grab(area, 'hide', never)));
    } finally {
      program.kill();
      await gone;
    }
  };

  /** The first frame that fulfils the condition and whose rows are equal in the next one. */
  const settled = async (grab: Grab, rows: number, isThere: (frame: Pixels) => boolean): Promise<Pixels> => {
    for (let before: Pixels | null = null; ; ) {
      const frame = await grab();
      if (before && isThere(frame) && equal(rowsOf(before, 0, rows), rowsOf(frame, 0, rows))) return frame;
      before = frame;
      await systemClock.sleep(BETWEEN_LOOKS_MS, never);
    }
  };

  return {
    async compare(page, how) {
      const { expected, moving } = await inWindow(page, true, async ({ height, moving = [] }, grab) => ({
        expected: await settled(grab, page.calmRows ?? height, isDrawn),
        moving,
      }));
      const { pixels, outcome } = await inWindow(page, false, async ({ width, height }, grab) => {
        const area = { x: 0, y: 0, width, height };
        await capturer.scroll?.(area, 'down', -(page.clicksBack ?? 0), never);
        const rows = page.calmRows ?? height >> 1;
        const columns = page.scrollBar ?? 0;
        const top = rowsOf(withoutRight(expected, columns), 0, rows);
        await settled(grab, rows, (frame) => equal(rowsOf(withoutRight(frame, columns), 0, rows), top));
        const look = async () => withoutRight(await grab(), columns);
        const scrolling =
          how === 'shownScrolls' ? withShownScrolls(capturer, withoutRight(expected, columns), look, height) : capturer;
        return good(
          await captureScrolling({ clock: systemClock, capturer: scrolling }, { area, direction: 'down' }, never),
        );
      });
      const columns = page.scrollBar ?? 0;
      const differing = differingRows(withoutRight(pixels, columns), withoutRight(expected, columns)).filter(
        (y) => !moving.some(([from, to]) => y >= from && y < to),
      );
      const folder = process.env['SCROLL_PICTURES'];
      if (folder) {
        const name = page.name.replaceAll(/\W+/g, '-');
        await writeFile(`${folder}/${name}-joined.png`, await pngOf({ ...pixels, data: Buffer.from(pixels.data) }));
        await writeFile(
          `${folder}/${name}-expected.png`,
          await pngOf({ ...expected, data: Buffer.from(expected.data) }),
        );
      }
      return { outcome, height: pixels.height, expectedHeight: expected.height, differing };
    },
    close: screen.close,
  };
};
