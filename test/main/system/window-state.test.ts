/** Restoring the window's bounds on the available displays; a crash or a damaged file costs no more than the bounds. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow as ElectronWindow } from 'electron';
import { beforeEach, expect, it } from 'vitest';
import { createWindowState } from '../../../src/main/system/window-state.ts';
import { BrowserWindow, desktop, resetDesktop, screen } from '../../support/electron/index.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let path = '';
const clock = sleepingClock();
const memory = () => createWindowState({ path, screen, clock, log: () => {} });
const followed = (): BrowserWindow => {
  const window = new BrowserWindow({ width: 960, height: 720, show: false });
  memory().follow(window as unknown as ElectronWindow);
  window.show();
  return window;
};
const oneScreen = (width: number, height: number): void => {
  desktop.screens = [
    { bounds: { x: 0, y: 0, width, height }, scaleFactor: 1, nativeOrigin: { x: 0, y: 0 }, shows: null },
  ];
};

beforeEach(() => {
  resetDesktop();
  oneScreen(1920, 1080);
  path = join(temporaryFolder('window-memory'), 'window.json');
});

it('opens where it was left', async () => {
  const window = followed();
  window.setBounds({ x: 300, y: 200, width: 800, height: 600 });
  await clock.advance(500);
  expect(memory().place()).toEqual({ x: 300, y: 200, width: 800, height: 600 });
});

it('is written when it rests, in one piece, and when it is closed', async () => {
  const window = followed();
  for (let x = 0; x < 100; x++) window.setPosition(x, 10);
  expect(readdirSync(join(path, '..'))).toEqual([]);
  window.close();
  expect(readdirSync(join(path, '..'))).toEqual(['window.json']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ x: 99, y: 10, width: 960, height: 720, isMaximized: false });
});

it('reopens maximised, over its previous bounds', () => {
  const window = followed();
  window.setBounds({ x: 40, y: 50, width: 700, height: 500 });
  window.maximize();
  window.close();
  const next = followed();
  expect(next.isMaximized()).toBe(true);
  expect(memory().place()).toEqual({ x: 40, y: 50, width: 700, height: 500 });
});

it('keeps only its size where its upper edge would be out of reach', () => {
  const places = [
    { x: 2500, y: 100 },
    { x: 1900, y: 100 },
    { x: -900, y: 100 },
    { x: 100, y: -300 },
    { x: 100, y: 1070 },
  ];
  for (const place of places) {
    writeFileSync(path, JSON.stringify({ ...place, width: 960, height: 720, isMaximized: false }));
    expect(memory().place()).toEqual({ width: 960, height: 720 });
  }
});

it('opens as usual after any damage to the file', () => {
  for (const damage of ['', '{', 'null', '[]', '{"x":1}', '{"x":0,"y":0,"width":1e9,"height":5,"isMaximized":false}']) {
    writeFileSync(path, damage);
    expect(memory().place()).toEqual({});
  }
});
