/** Presses a button of a page that reads the clipboard, and answers the browser's question whether it may, as a user does. */
import type { XScreen } from '../screen/x-screen.ts';
import type { Engine } from './engines.ts';
import type { Tab } from './tab.ts';

/** The middle of "Yes" in the bar of WebKitGTK's browser, from the upper right corner of its window. */
const YES = { left: 49, below: 70 };

/** At a point from the upper left corner of the active window. */
const click = (screen: XScreen, x: number, y: number): Promise<unknown> => {
  const point = [String(Math.round(x)), String(Math.round(y))];
  return screen.run('xdotool', 'getactivewindow', 'mousemove', '--window', '%1', ...point, 'click', '1');
};
const sizeOfWindow = async (screen: XScreen) => {
  const shell = String(await screen.run('xdotool', 'getactivewindow', 'getwindowgeometry', '--shell'));
  const numberOf = (name: string) => Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(shell)?.[1]);
  return { width: numberOf('WIDTH'), height: numberOf('HEIGHT') };
};

/** `name`: its text. */
export const pressPaste = async ({ name: browser, screen }: Engine, tab: Tab, name: string): Promise<void> => {
  if (browser !== 'webkit' || screen === null) return tab.click({ role: 'button', name });
  // The driver of WebKitGTK ends no click while the browser asks something.
  await tab.textOf({ role: 'button', name });
  const middle = await tab.evaluate((wanted) => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === wanted);
    const { x, y, width, height } = button?.getBoundingClientRect() ?? new DOMRect();
    return { x: x + width / 2, fromBelow: innerHeight - y - height / 2 };
  }, name);
  await click(screen, middle.x, (await sizeOfWindow(screen)).height - middle.fromBelow);
};

/** To be repeated until the page has read the clipboard: the question comes late, and not at all in Chromium of the tests. */
export const allowPaste = async ({ name, screen }: Engine): Promise<void> => {
  if (screen === null || name === 'chromium') return;
  // A menu at the pointer, which takes no key for a second.
  if (name === 'firefox') return void (await screen.run('xdotool', 'key', 'Down', 'Return'));
  await click(screen, (await sizeOfWindow(screen)).width - YES.left, YES.below);
};
