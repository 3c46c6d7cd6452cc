/** Programs with moving windows on a virtual X screen. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type ScreenProgram, screenProgram } from './screen-program.ts';
import type { XScreen } from './x-screen.ts';

/** `wander`: one window that moves constantly. `twins`: two, which change their colour simultaneously. */
export const openMovingWindows = async (screen: XScreen, way: 'wander' | 'twins'): Promise<ScreenProgram> => {
  const program = join(import.meta.dirname, 'moving-windows-process.mjs');
  const child = spawn(process.execPath, [program, way], {
    env: { ...screen.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failed = once(child, 'exit').then(() => {
    throw new Error('The program with the moving windows ended.');
  });
  await Promise.race([once(child.stdout, 'data'), failed]);
  failed.catch(() => {});
  return screenProgram(child);
};
