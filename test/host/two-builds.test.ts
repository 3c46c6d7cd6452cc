/** Of two `npm start` in a clean checkout one builds; the other waits for it, or builds where that was killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { itWith } from '../support/only-on.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Writes a line when it begins, and its result once it may. */
const BUILDER = `
  const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('builds', 'build\\n');
  const end = () => {
    if (!existsSync('go')) return setTimeout(end, 20);
    mkdirSync('out/renderer', { recursive: true });
    writeFileSync('out/renderer/index.html', '');
  };
  end();
`;
const BUILD = pathToFileURL(join(import.meta.dirname, '../../scripts/build.ts')).href;
const SCRIPT = `
  const { buildIfOlder } = await import(${JSON.stringify(BUILD)});
  process.exitCode = buildIfOlder(process.cwd(), 'window') ? 0 : 1;
`;

interface Start {
  readonly child: ChildProcess;
  output(): string;
}

const openCheckout = () => {
  const root = temporaryFolder('two-builds');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('node_modules/electron-vite/bin/electron-vite.js', BUILDER);
  for (const path of ['src/main.ts', 'resources/icon.svg', 'electron.vite.config.ts', 'package-lock.json'])
    write(path, '');
  const start = (): Start => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      cwd: root,
      // The head of a group, with the builder that it starts.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    return { child, output: () => output };
  };
  const log = join(root, 'builds');
  const builds = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  const finish = (): void => write('go', '');
  // A builder that is left by a test that fails.
  onTestFinished(finish);
  return { start, builds, finish };
};

const BUILDING = 'Building Linkshot …';

it('one of them builds', async () => {
  const { start, builds, finish } = openCheckout();
  const both = [start(), start()];
  const ended = Promise.all(both.map(({ child }) => once(child, 'close')));
  for (const { output } of both) await expect.poll(output).toContain(BUILDING);
  finish();
  expect(await ended).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(builds()).toBe('build\n');
});

itWith('signals')('the other builds where the first was killed with its builder', async () => {
  const { start, builds, finish } = openCheckout();
  const first = start();
  await expect.poll(builds).toBe('build\n');
  process.kill(-Number(first.child.pid), 'SIGKILL');
  await once(first.child, 'exit');
  const second = start();
  const ended = once(second.child, 'close');
  finish();
  expect(await ended).toEqual([0, null]);
  expect(builds()).toBe('build\nbuild\n');
});
