/** The clipboard of a virtual screen, read and written as another program does: by xclip. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../engine.ts';
import type { XScreen } from '../screen/x-screen.ts';

type Screen = Pick<XScreen, 'environment' | 'run'>;

/** Its text; empty: no text. */
export const readXClipboard = ({ run }: Screen): Promise<string> =>
  run('xclip', '-selection', 'clipboard', '-out').then(String, () => '');

/**
 * As if another program had copied it; resolves when others read it. Its owner stays until another program copies
 * something, or the screen closes.
 */
export const writeXClipboard = async (
  { environment, run }: Screen,
  content: string | Buffer,
  type = 'UTF8_STRING',
): Promise<void> => {
  const owner = spawn('xclip', ['-selection', 'clipboard', '-in', '-target', type], {
    env: environment as NodeJS.ProcessEnv,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  owner.stdin?.end(content);
  const [code] = (await once(owner, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`xclip ended with ${code}.`);
  // The half of xclip that stays in the background takes the clipboard, perhaps after this one has exited.
  await until(async () =>
    run('xclip', '-selection', 'clipboard', '-out', '-target', type).then(
      (bytes) => bytes.equals(Buffer.from(content)),
      () => false,
    ),
  );
};
