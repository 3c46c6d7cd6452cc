/**
 * Limits the memory of another process and turns off its core dumps, on Linux with `prlimit`. Elsewhere it does
 * nothing.
 */
import { runProgram } from './run-program.ts';

/**
 * Limits private writable memory of a process to `bytes` and forbids core dumps. Best effort: the kernel enforces it on
 * Linux where `prlimit` exists.
 */
export const limitMemory = async (pid: number, bytes: number): Promise<void> => {
  if (process.platform !== 'linux') return;
  await runProgram('prlimit', ['--pid', String(pid), `--data=${bytes}`, '--core=0']).catch(() => {});
};
