/** The priority of a process or thread is only ever lowered: a user without rights may not raise one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('../../../src/base/node/lower-priority.ts', import.meta.url).href;

/** Runs code in a process that is started with a niceness, and returns what it prints. */
const runAt = async (niceness: number, code: string): Promise<string> => {
  const script = `
    import { getPriority, setPriority } from 'node:os';
    setPriority(${niceness});
    const { lowerPriority } = await import(${JSON.stringify(MODULE)});
    ${code}`;
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])).stdout.trim();
};

it('is lowered to the given niceness', async () => {
  expect(await runAt(0, 'lowerPriority(process.pid, 10); console.log(getPriority())')).toBe('10');
});

it('stays where it is already lower', async () => {
  expect(await runAt(19, 'lowerPriority(process.pid, 10); console.log(getPriority())')).toBe('19');
});

it('is not a fault of a process that has ended', async () => {
  const code = `
    const { spawnSync } = await import('node:child_process');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    lowerPriority(pid, 10);
    console.log('goes on');`;
  expect(await runAt(0, code)).toBe('goes on');
});
