/** Programs with moving windows on a virtual X screen, which a test can stop. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { XScreen } from './x-screen.ts';

export interface ScreenProgram {
  /** Stops it immediately, in any state. */
  stop(): void;
  goOn(): void;
  close(): Promise<void>;
}

const wrap = (child: ChildProcess): ScreenProgram => ({
  stop: () => void child.kill('SIGSTOP'),
  goOn: () => void child.kill('SIGCONT'),
  close: async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  },
});

export const openWindowManager = (screen: XScreen): ScreenProgram =>
  wrap(spawn('openbox', [], { env: { ...screen.environment, HOME: '/nonexistent' }, stdio: 'ignore' }));

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
  return wrap(child);
};
