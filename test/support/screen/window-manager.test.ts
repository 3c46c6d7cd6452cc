import { expect, onTestFinished, test } from 'vitest';
import { readProperties } from '../../../src/engine/capture/x11/window-properties.ts';
import { connectX } from '../../../src/engine/x11/x11-connection.ts';
import { openWindowManager } from './window-manager.ts';
import { openXScreen } from './x-screen.ts';

const never = new AbortController().signal;

test('a window that is opened as soon as the window manager runs is shown', async () => {
  const screen = await openXScreen(64, 48);
  onTestFinished(screen.close);
  const opened = await connectX(screen, never);
  if (!opened.ok) throw new Error(opened.error);
  const x = opened.value;
  onTestFinished(x.close);
  const manager = await openWindowManager(screen);
  onTestFinished(manager.close);
  const id = await x.ask<number>((client, answer) => {
    const window = client.AllocID();
    client.CreateWindow(window, x.screen.root, 0, 0, 8, 8, 0, 0, 1, 0, {}, () => true);
    client.MapWindow(window, (error: Error | null) => answer(error, window));
  });
  await expect.poll(() => readProperties(x).numbers(id, 'WM_STATE')).not.toEqual([]);
});
