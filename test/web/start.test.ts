/** `npm start` as a process: prints its address, yields to a running instance, and never outlives its parent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { isWindows, itWith } from '../support/only-on.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder('start');
const ENV = {
  ...process.env,
  // Only Windows finds its browser without it.
  PATH: folder,
  ...{ LINKSHOT_HOST: 'browser', LINKSHOT_CLIPBOARD: 'page', npm_lifecycle_event: 'start' },
};

interface Start {
  readonly child: ChildProcess;
  output(): string;
}

/** All of its output has been read when it closes, which is not so when it exits. */
const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = ENV): Start => {
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return { child, output: () => output };
};
const start = (profile: string, ...more: readonly string[]): Start =>
  run(process.execPath, ['scripts/start.ts', '--no-open', '--profile', profile, ...more]);

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/#key=\S+/;
const whenReady = (started: Start): Promise<void> => expect.poll(started.output, { interval: 100 }).toMatch(ADDRESS);

it('prints the address, is found by a second start, which drops no option silently, and ends with 0 on Ctrl+C', async () => {
  const profile = join(folder, 'one');
  const first = start(profile);
  await whenReady(first);
  // Nothing else says so where no browser opens.
  expect(first.output()).toMatch(/Open this address in your browser:\n {2}http:/);
  const second = start(profile);
  expect(await once(second.child, 'close')).toEqual([isWindows ? 0 : 1, null]);
  expect(second.output()).toContain('already running');
  // It cannot be had in another way where the terminal of the first is gone.
  if (!isWindows) expect(second.output()).toContain(ADDRESS.exec(first.output())?.[0]);
  const other = start(profile, '--port', '4800', '--origin', 'https://linkshot.example.org');
  expect(await once(other.child, 'close')).toEqual([1, null]);
  expect(other.output()).toContain('cannot take --port, --origin. Quit it first.');
  first.child.kill('SIGINT');
  expect(await once(first.child, 'exit')).toEqual([0, null]);
  expect(await connectToInstance(profile)).toBeNull();
});

itWith('signals')('closes everything though npm delivers the same Ctrl+C once more', async () => {
  const started = start(join(folder, 'echo'));
  await whenReady(started);
  // Two different ones: the system delivers the same one only once while it is pending.
  started.child.kill('SIGINT');
  started.child.kill('SIGTERM');
  expect(await once(started.child, 'exit')).toEqual([0, null]);
});

itWith('signals')('ends with 130 on Ctrl+C while it fetches Electron', async () => {
  const checkout = join(folder, 'checkout');
  const modules = join(checkout, 'node_modules');
  for (const made of [join(modules, 'electron'), join(checkout, 'out/renderer')]) mkdirSync(made, { recursive: true });
  const linked = readdirSync(join(root, 'node_modules')).filter((name) => name !== 'electron');
  for (const name of linked) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of ['scripts', 'src', 'resources', 'electron.vite.config.ts', 'package.json', 'package-lock.json'])
    symlinkSync(join(root, name), join(checkout, name));
  // Newer than the sources: nothing has to be built.
  writeFileSync(join(checkout, 'out/renderer/index.html'), '');
  const begun = join(checkout, 'begun');
  const installer = `import('node:fs').then(({ writeFileSync }) => writeFileSync(${JSON.stringify(begun)}, ''));`;
  writeFileSync(join(modules, 'electron/install.js'), `${installer}\nsetInterval(() => {}, 1_000);`);
  const words = ['--preserve-symlinks', '--preserve-symlinks-main', join(checkout, 'scripts/start.ts')];
  const env = { ...ENV, LINKSHOT_HOST: undefined, ELECTRON_SKIP_BINARY_DOWNLOAD: undefined, DISPLAY: ':0' };
  const started = run(process.execPath, [...words, '--profile', join(folder, 'fetching')], env);
  await expect.poll(() => existsSync(begun)).toBe(true);
  started.child.kill('SIGINT');
  expect([await once(started.child, 'close'), started.output()]).toEqual([[130, null], 'Fetching Electron …\n']);
});

itWith('programs of Linux')('ends when the shell that npm put before it is killed', async () => {
  const profile = join(folder, 'two');
  const command = `"${process.execPath}" scripts/start.ts --no-open --profile "${profile}"; true`;
  const shell = run('/bin/sh', ['-c', command]);
  await whenReady(shell);
  shell.child.kill('SIGKILL');
  await expect.poll(() => connectToInstance(profile), { interval: 200 }).toBeNull();
});

it('reports invalid options', async () => {
  const wrong = run(process.execPath, ['scripts/start.ts', '--prot', '1']);
  expect(await once(wrong.child, 'close')).toEqual([1, null]);
  expect(wrong.output()).toContain('--profile DIR, --port N');
});
