/** A program on a virtual X screen, which a test can stop. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface ScreenProgram {
  /** Stops it immediately, in any state. */
  stop(): void;
  goOn(): void;
  close(): Promise<void>;
}

export const screenProgram = (child: ChildProcess): ScreenProgram => ({
  stop: () => void child.kill('SIGSTOP'),
  goOn: () => void child.kill('SIGCONT'),
  close: async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  },
});
