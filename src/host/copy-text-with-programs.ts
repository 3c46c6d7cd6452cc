/**
 * Copies text to the clipboard with a program of the system: clip.exe or PowerShell, pbcopy, wl-copy, xclip or xsel.
 */
import { once } from 'node:events';
import { powershell, spawn, windowsProgram } from '../base/node/run-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Way {
  readonly program: string;
  readonly words: readonly string[];
}

/** `clip.exe` is fast, but reads its input in the code page of the console: it gets only ASCII. */
const waysOfWindows = (text: string, environment: Environment): readonly Way[] =>
  isAscii(text)
    ? [{ program: windowsProgram('clip.exe', environment), words: [] }]
    : [{ program: powershell(environment), words: ['-NoProfile', '-Sta', '-Command', SET_CLIPBOARD] }];

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const SET_CLIPBOARD =
  '$in=[IO.StreamReader]::new([Console]::OpenStandardInput(),[Text.UTF8Encoding]::new($false));Set-Clipboard -Value $in.ReadToEnd()';

/** In the order of attempts; a program that cannot work here exits with an error or is missing. */
const waysOf = (text: string, platform: NodeJS.Platform, environment: Environment): readonly Way[] => {
  if (platform === 'darwin') return [{ program: 'pbcopy', words: [] }];
  if (platform === 'win32') return waysOfWindows(text, environment);
  const wayland = environment['WAYLAND_DISPLAY'] ? [{ program: 'wl-copy', words: [] }] : [];
  const x11 = environment['DISPLAY']
    ? [
        { program: 'xclip', words: ['-selection', 'clipboard'] },
        { program: 'xsel', words: ['--clipboard', '--input'] },
      ]
    : [];
  return [...wayland, ...x11];
};

/** On GNOME wl-copy waits until its window gets the focus, which may never be: without a keyboard, or in the overview. */
const TIMEOUT_MS = 5_000;

/** Returns whether a program accepted the text. */
export const copyToClipboard = async (
  text: string,
  platform: NodeJS.Platform,
  environment: Environment,
): Promise<boolean> => {
  for (const way of waysOf(text, platform, environment)) if (await isTakenBy(way, text)) return true;
  return false;
};

const isTakenBy = async ({ program, words }: Way, text: string): Promise<boolean> => {
  // xclip stays in the background to serve the selection and would keep an open stdout.
  const limit = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], ...limit });
  child.stdin.on('error', () => {}).end(text);
  const [code] = await Promise.race([once(child, 'exit'), once(child, 'error').then(() => [1])]).catch(() => [1]);
  return code === 0;
};
