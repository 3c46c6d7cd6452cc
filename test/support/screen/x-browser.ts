/** A virtual X screen with a pattern on it and a real browser window, for tests that see and press as a user does. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from '../browser/chromium.ts';
import { startXServer } from './x-server.ts';

const run = promisify(execFile);

export interface XBrowser {
  /** The value of `DISPLAY`. */
  readonly display: string;
  readonly browser: Browser;
  /** Presses keys on the X server, as a keyboard does: `ctrl+shift+x`. */
  press(keys: string): Promise<void>;
  /** A screenshot of a part of the screen by maim, as PNG. */
  shot(area: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }): Promise<Buffer>;
  close(): Promise<void>;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `window`: size of the browser, at the upper left corner. */
export const openXBrowser = async (screen: Size, window: Size): Promise<XBrowser> => {
  const server = await startXServer([
    ...['-screen', '0', `${screen.width}x${screen.height}x24`, '-nolisten', 'tcp', '-noreset'],
  ]);
  const { display } = server;
  const env = { ...process.env, DISPLAY: display };
  const onScreen = async (program: string, ...args: readonly string[]): Promise<Buffer> =>
    (await run(program, [...args], { env, encoding: 'buffer', maxBuffer: 1 << 28 })).stdout;
  await onScreen('xsetroot', '-mod', '7', '5', '-fg', '#1d5c9a', '-bg', '#e8d2a6');
  const browser = await chromium.launch({
    headless: false,
    env,
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      ...['--window-position=0,0', `--window-size=${window.width},${window.height}`],
      // A frame is whole: a busy machine would scroll a page before it has drawn what comes into view.
      ...['--run-all-compositor-stages-before-draw', '--disable-threaded-scrolling', '--disable-checker-imaging'],
    ],
  });
  return {
    display,
    browser,
    press: async (keys) => {
      await onScreen('xdotool', 'key', keys);
    },
    shot: ({ x, y, width, height }) =>
      onScreen('maim', '--hidecursor', `--geometry=${width}x${height}+${x}+${y}`, '--format=png'),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
};
