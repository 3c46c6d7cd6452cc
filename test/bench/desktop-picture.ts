/** A virtual screen of 1920 x 1080 with what a desktop shows: windows with text, a photograph-like wallpaper, plain areas. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Desktop {
  /** The value of `DISPLAY`. */
  readonly display: string;
  close(): Promise<void>;
}

const SIZE = '1920x1080';
const TEXT = Array.from(
  { length: 60 },
  (_, line) => `${line} function step(item, signal) { return next(item, ${line * 7}); }`,
);

/** `folder`: for the picture of it. */
export const openDesktop = async (folder: string): Promise<Desktop> => {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${SIZE}x24`, '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(server.stdio[3] as NodeJS.ReadableStream, 'data');
  const display = `:${String(number).trim()}`;
  const picture = join(folder, 'desktop.png');
  const window = (x: number, y: number, background: string, ink: string) => [
    ...['-fill', background, '-draw', `rectangle ${x},${y} ${x + 840},${y + 820}`],
    ...['-fill', ink, '-pointsize', '13', '-annotate', `+${x + 20}+${y + 30}`, TEXT.join('\n')],
  ];
  const words = [
    ...['-size', SIZE, '-seed', '7', 'plasma:steelblue-navy', '-blur', '0x2'],
    ...window(60, 120, '#1e1e28', '#d8dee9'),
    ...window(980, 180, '#ffffff', '#202020'),
    picture,
  ];
  execFileSync('convert', words);
  // It paints the root window, and then ends with 1 all the same.
  spawnSync('display', ['-window', 'root', picture], { env: { ...process.env, DISPLAY: display } });
  return {
    display,
    async close() {
      const gone = once(server, 'exit');
      server.kill();
      await gone;
    },
  };
};
