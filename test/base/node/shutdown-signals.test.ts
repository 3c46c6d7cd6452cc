/** What asks a process to end: signals, Ctrl+Break and a closed console of Windows, and a parent that has exited. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const MODULE = pathToFileURL(resolve(import.meta.dirname, '../../../src/base/node/shutdown-signals.ts')).href;
const EVALUATE = ['--input-type=module', '--eval'] as const;

/** Runs a program until its output is closed; resolves with the output. */
const outputOf = async (source: string, env: NodeJS.ProcessEnv = process.env): Promise<string> => {
  const child = spawn(process.execPath, [...EVALUATE, source], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  await once(child, 'close');
  return output;
};

// Node itself emits these; a console that sends Ctrl+Break or is closed cannot be had here.
it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'])('%s does', async (signal) => {
  const program = `
    import { onShutdownSignal } from ${JSON.stringify(MODULE)};
    onShutdownSignal((reason) => console.log(reason));
    process.emit(${JSON.stringify(signal)}, ${JSON.stringify(signal)});`;
  expect(await outputOf(program)).toBe(`${signal}\n`);
});

const END_ONCE_ASKED = 'onShutdownSignal((reason) => { console.log(reason); clearInterval(waiting); });';

/** Waits until it is asked to end; says that it is ready by closing its input. */
const CHILD = `
  import { onShutdownSignal } from ${JSON.stringify(MODULE)};
  const waiting = setInterval(() => {}, 1_000);
  ${END_ONCE_ASKED}
  process.send('ready');
  process.disconnect();`;

/** Starts it, and exits as soon as it is ready. Detached: on Windows Node's own children end with it, and npm's shell has others. */
const parentOf = (source: string): string => `
  import { spawn } from 'node:child_process';
  const child = spawn(process.execPath, ${JSON.stringify([...EVALUATE, source])}, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  child.once('message', () => process.exit());`;

/** The same, but listens only once the parent has exited. It gives up after ten seconds. */
const LATE_CHILD = `
  import { onShutdownSignal } from ${JSON.stringify(MODULE)};
  const parent = process.ppid;
  const isThere = () => { try { return process.ppid === parent && process.kill(parent, 0); } catch { return false; } };
  const waiting = setInterval(() => {}, 1_000);
  setTimeout(() => process.exit(), 10_000).unref();
  const looking = setInterval(() => {
    if (isThere()) return;
    clearInterval(looking);
    ${END_ONCE_ASKED}
  }, 20);
  process.send('ready');
  process.disconnect();`;

it.each([
  ['while it is waited for', CHILD],
  ['before that', LATE_CHILD],
])('a parent that has exited %s does, under npm', async (_, child) => {
  expect(await outputOf(parentOf(child), { ...process.env, npm_lifecycle_event: 'start' })).toBe('npm has ended\n');
});
