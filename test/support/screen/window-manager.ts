/** A window manager on a virtual X screen. */
import { spawn } from 'node:child_process';
import { readProperties } from '../../../src/engine/capture/x11/window-properties.ts';
import { connectX, type XConnection } from '../../../src/engine/x11/x11-connection.ts';
import { eventually } from '../eventually.ts';
import { type ScreenProgram, screenProgram } from './screen-program.ts';
import type { XScreen } from './x-screen.ts';

/** Resolves when it manages windows. */
export const openWindowManager = async (screen: XScreen): Promise<ScreenProgram> => {
  const program = screenProgram(
    spawn('openbox', [], { env: { ...screen.environment, HOME: '/nonexistent' }, stdio: 'ignore' }),
  );
  const opened = await connectX(screen, never);
  if (!opened.ok) throw new Error(opened.error);
  await awaitManager(opened.value);
  await opened.value.close();
  return program;
};

const never = new AbortController().signal;

/**
 * It says that it runs before it manages windows. A window that is opened in between waits until something else happens
 * on the screen: what its library has read while it started, it does not look at before more arrives. So this one is
 * shown again and again.
 */
const awaitManager = async (x: XConnection): Promise<void> => {
  const { numbers } = readProperties(x);
  const { root } = x.screen;
  await eventually(async () => {
    if ((await numbers(root, '_NET_SUPPORTING_WM_CHECK')).length === 0) throw new Error('It does not run yet.');
  });
  const id = await x.ask<number>((client, answer) => {
    const window = client.AllocID();
    client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 1, 0, {}, (error: Error | null) => answer(error, window));
  });
  await eventually(async () => {
    await x.ask<unknown>((client, answer) => client.MapWindow(id, answer));
    if ((await numbers(id, 'WM_STATE')).length === 0) throw new Error('It does not manage windows yet.');
  });
  await x.ask<unknown>((client, answer) => client.DestroyWindow(id, answer));
  await eventually(async () => {
    if ((await numbers(root, '_NET_CLIENT_LIST')).length > 0) throw new Error('It has not seen yet that it is gone.');
  });
};
