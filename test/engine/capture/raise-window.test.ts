/** The window of the frozen screen is brought to the front where a window manager tells the windows. */
import { expect, it, onTestFinished } from 'vitest';
import { createRaiseWindow, type RaiseWindow } from '../../../src/engine/capture/x11/raise-window.ts';
import { openWindowManager } from '../../support/screen/window-manager.ts';
import { openXScreen } from '../../support/screen/x-screen.ts';

const PATIENCE_MS = 300;
const never = new AbortController().signal;

const open = async () => {
  const screen = await openXScreen(320, 240);
  onTestFinished(() => screen.close());
  const raise = createRaiseWindow(screen.environment, PATIENCE_MS) as RaiseWindow;
  return { screen, raise };
};

it('counts as visible without a window manager, so that no second page is opened', async () => {
  const { raise } = await open();
  expect(await raise(['Select an area'], never)).toBe(true);
});

it('is missing under a window manager that has no window of that title', async () => {
  const { screen, raise } = await open();
  const manager = await openWindowManager(screen);
  onTestFinished(() => manager.close());
  expect(await raise(['Select an area'], never)).toBe(false);
});
