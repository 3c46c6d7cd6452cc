/** Puts text on the clipboard with the programs that each system has for it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface Way {
  readonly program: string;
  readonly words: readonly string[];
}

/** In the order in which they are tried; one that cannot work here ends with an error or is not there. */
const waysOf = (
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): readonly Way[] => {
  if (platform === 'darwin') return [{ program: 'pbcopy', words: [] }];
  if (platform === 'win32') return [{ program: 'clip.exe', words: [] }];
  const wayland = environment['WAYLAND_DISPLAY'] ? [{ program: 'wl-copy', words: [] }] : [];
  const x11 = environment['DISPLAY']
    ? [
        { program: 'xclip', words: ['-selection', 'clipboard'] },
        { program: 'xsel', words: ['--clipboard', '--input'] },
      ]
    : [];
  return [...wayland, ...x11];
};

/** Answers whether one of them took it. */
export const copyToClipboard = async (
  text: string,
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> => {
  for (const way of waysOf(platform, environment)) if (await isTakenBy(way, text)) return true;
  return false;
};

const isTakenBy = async ({ program, words }: Way, text: string): Promise<boolean> => {
  // xclip stays in the background to serve the selection and would hold an open stdout with it.
  const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => {}).end(text);
  const [code] = await Promise.race([once(child, 'exit'), once(child, 'error').then(() => [1])]).catch(() => [1]);
  return code === 0;
};
