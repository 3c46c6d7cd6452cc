/** The clipboard of a virtual screen, read and written as another program does: by xclip. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { XScreen } from '../screen/x-screen.ts';

type Screen = Pick<XScreen, 'environment' | 'run'>;

/** Its text; empty: no text. */
export const readXClipboard = ({ run }: Screen): Promise<string> =>
  run('xclip', '-selection', 'clipboard', '-out').then(String, () => '');

/** As if another program had copied it. Its owner stays until another program copies something, or the screen closes. */
export const writeXClipboard = async ({ environment }: Screen, content: string | Buffer, type = 'UTF8_STRING') => {
  const owner = spawn('xclip', ['-selection', 'clipboard', '-in', '-target', type], {
    env: environment as NodeJS.ProcessEnv,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  owner.stdin?.end(content);
  await once(owner, 'exit');
};
