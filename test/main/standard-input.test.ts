/** Command lines of the packed app read their standard input where Electron hides it, as it does on Windows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { itWith } from '../support/only-on.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('standard-input');
const source = (path: string): string =>
  JSON.stringify(pathToFileURL(resolve(import.meta.dirname, '../../src', path)).href);

/** The packed program on Windows, whose `process.stdin` ends at once; its keyboard is that of the terminal here. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  import { Readable } from 'node:stream';
  const electron = 'data:text/javascript,export const utilityProcess = {}; export const app = { exit: process.exit }';
  registerHooks({
    resolve: (name, context, next) =>
      name === 'electron' ? { url: electron, shortCircuit: true } : next(name, context),
  });
  Object.defineProperty(process, 'stdin', { value: Readable.from([]) });
  const { runCommandLine } = await import(${source('main/run-command-line.ts')});
  const { standardInput } = await import(${source('main/standard-input.ts')});
  await runCommandLine(process.argv.slice(1), '', standardInput('win32', '/dev/tty'));
`;

/** Types the answer when the prompt appears, and prints what the terminal shows. */
const TYPIST = `
import os, pty, sys
redirected, answer, program = sys.argv[1], sys.argv[2], sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    if redirected: os.dup2(os.open(redirected, os.O_RDONLY), 0)
    os.execvp(program[0], program)
shown, typed = b'', False
while True:
    try: more = os.read(fd, 4096)
    except OSError: break
    if not more: break
    shown += more
    if b'API key: ' in shown and not typed:
        os.write(fd, answer.encode()); typed = True
os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
`;

const node = (words: readonly string[]) => [process.execPath, '--input-type=module', '-e', PROGRAM, '--', ...words];

const run = async (
  [program = '', ...words]: readonly string[],
  input: number | 'pipe' | 'ignore',
  content?: string,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> => {
  const { PATH, TMPDIR } = process.env;
  const env = { PATH, HOME: root, ...(TMPDIR && { TMPDIR }), LINKSHOT_PROFILE: join(root, 'profile') };
  const child = spawn(program, words, { stdio: [input, 'pipe', 'pipe'], env });
  if (child.stdout === null || child.stderr === null) throw new Error('These are pipes.');
  child.stdin?.end(content);
  const closed = once(child, 'close') as Promise<[number]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
};

const opened = (path: string): number => {
  const file = openSync(path, 'r');
  onTestFinished(() => closeSync(file));
  return file;
};

/** Refused by what it says, so that it was read. */
const DOCUMENT = JSON.stringify({ kind: 'linkshot-settings', version: 77, settings: {} });
const IMPORT = node(['import', '-']);
const CONNECT = node(['connect', 'http://127.0.0.1:1', '--key', '-']);

describe('the standard input of a command line in the packed app on Windows', () => {
  it('is read from a pipe and from a file', async () => {
    const file = join(root, 'settings.json');
    writeFileSync(file, DOCUMENT);
    const asRead = { code: 1, stderr: expect.stringContaining('These settings have version 77') };
    expect(await run(IMPORT, 'pipe', DOCUMENT)).toMatchObject(asRead);
    expect(await run(IMPORT, opened(file))).toMatchObject(asRead);
  });

  it('answers a prompt, from a pipe', async () => {
    const { stderr } = await run(CONNECT, 'pipe', 'a-key\n');
    expect(stderr).toContain('No service responds at this address');
  });

  itWith('programs of Linux').each([
    ['the terminal', ''],
    ['the console, where the shell hands nothing on', '/dev/null'],
  ])('answers a prompt at %s, and is not echoed', async (_, redirected) => {
    const { stdout } = await run(['python3', '-c', TYPIST, redirected, 'a-secret-key\r', ...CONNECT], 'ignore');
    expect(stdout).toContain('API key: ');
    expect(stdout).not.toContain('a-secret-key');
    expect(stdout).toContain('No service responds at this address');
  });

  it('is refused in words that name the way out where there is none', async () => {
    expect(await run(IMPORT, 'ignore')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The standard input cannot be read: none was passed on. Give a FILE instead.'),
    });
    expect(await run(CONNECT, 'ignore')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none was passed on. Set LINKSHOT_KEY in the environment instead.'),
    });
  });
});
