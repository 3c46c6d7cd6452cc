/** A program that Linkshot starts on Windows opens no console window, however it is started. */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it, vi } from 'vitest';
import { fork, runProgram, runProgramSync, spawn } from '../../../src/base/node/run-program.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('opens none', async () => {
  const started: (readonly [how: string, windowsHide: unknown])[] = [];
  const noting =
    (how: string) =>
    (...call: readonly unknown[]): never => {
      const options = call.findLast((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
      started.push([how, (options as { readonly windowsHide?: boolean }).windowsHide]);
      throw new Error('Only noted.');
    };
  for (const how of ['spawn', 'fork', 'execFile', 'execFileSync'] as const)
    vi.spyOn(childProcess, how).mockImplementation(noting(how));
  syncBuiltinESMExports();

  const env = { SystemRoot: 'C:\\Windows' };
  expect(() => spawn('ffmpeg', ['-version'], { env })).toThrow('Only noted.');
  expect(() => fork('worker.js', { env })).toThrow('Only noted.');
  await expect(async () => runProgram('ffmpeg', ['-version'], { env })).rejects.toThrow('Only noted.');
  expect(runProgramSync('ffmpeg', ['-version'])).toBeNull();
  expect(started).toEqual([
    ['spawn', true],
    ['fork', true],
    ['execFile', true],
    ['execFileSync', true],
  ]);
});
