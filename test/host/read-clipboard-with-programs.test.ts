/**
 * The clipboard of Windows and macOS, read by their programs: letters of any language arrive as they were copied. And any
 * clipboard whose program does not answer.
 */
import { expect, it } from 'vitest';
import { runProgram } from '../../src/base/node/run-program.ts';
import { createClipboardReader } from '../../src/host/read-clipboard-with-programs.ts';

type Run = NonNullable<Parameters<typeof createClipboardReader>[2]>;

const answering = (answer: Buffer | Error) => {
  const commands: (readonly [string, readonly string[]])[] = [];
  const run = (async (program: string, words: readonly string[]) => {
    commands.push([program, words]);
    if (answer instanceof Error) throw answer;
    return { stdout: answer, stderr: Buffer.alloc(0) };
  }) as unknown as Run;
  return { run, commands };
};

it('of Windows is read as UTF-8, whatever the code page of the console, by the program of Windows itself', async () => {
  const { run, commands } = answering(Buffer.from('Привет, мир – 👋'));
  const reader = createClipboardReader('win32', { SystemRoot: 'C:\\Windows' }, run);
  expect(await reader.readText()).toEqual({ ok: true, value: 'Привет, мир – 👋' });
  const [[program, words]] = commands as [(typeof commands)[number]];
  expect(program).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  expect(words.at(-1)).toBe(
    '[Console]::OutputEncoding=[Text.UTF8Encoding]::new($false);[Console]::Out.Write((Get-Clipboard -Raw))',
  );
});

it('of macOS is read by pbpaste', async () => {
  const { run, commands } = answering(Buffer.from('Привет'));
  expect(await createClipboardReader('darwin', {}, run).readText()).toEqual({ ok: true, value: 'Привет' });
  expect(commands).toEqual([['pbpaste', []]]);
});

it('that no program can read says what to install', async () => {
  const { run } = answering(Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' }));
  expect(await createClipboardReader('win32', {}, run).readText()).toMatchObject({
    ok: false,
    error: { detail: expect.stringContaining('The clipboard cannot be read from here.') },
  });
});

const SILENT = ['-e', 'setInterval(() => {}, 1_000)'];

it.each<readonly [string, string, Parameters<typeof createClipboardReader>, string]>([
  ['its kinds', 'xclip', ['linux', { DISPLAY: ':0' }], 'TARGETS'],
  ['its content', 'xclip', ['linux', { DISPLAY: ':0' }], 'UTF8_STRING'],
  ['its kinds', 'wl-paste', ['linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }], '--list-types'],
  ['its text', 'pbpaste', ['darwin', {}], ''],
])(
  'is neither waited for without end nor taken for empty where it does not give %s to %s',
  async (_, silent, where, word) => {
    const ended: (string | undefined)[] = [];
    const run: Run = (program, words, options = {}) => {
      if (!words.includes(word) && word !== '') return runProgram(process.execPath, ['-p', '"UTF8_STRING"']);
      ended.push(program);
      expect(options.timeout).toBeGreaterThan(0);
      return runProgram(process.execPath, SILENT, { killSignal: options.killSignal, timeout: 1 });
    };
    expect(await createClipboardReader(where[0], where[1], run).readText()).toMatchObject({
      ok: false,
      error: { code: 'APP_FAILED', detail: expect.stringContaining('does not answer') },
    });
    expect(ended).toEqual([silent]);
  },
);
