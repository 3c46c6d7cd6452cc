/** Captures a virtual X screen with another tool: three bytes per pixel. */
import sharp from 'sharp';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import type { XScreen } from './x-screen.ts';

const geometry = ({ x, y, width, height }: Area) => `${width}x${height}+${x}+${y}`;
const raw = (png: Buffer) => sharp(png).toColourspace('srgb').removeAlpha().raw().toBuffer();

/** Compressing noise as well as possible takes ten times as long as seeing it. */
const QUICKLY = { maim: '--quality=1', import: ['-quality', '10'] } as const;

export const maimPicture = async (screen: XScreen, area: Area): Promise<Buffer> =>
  raw(await screen.run('maim', '--hidecursor', QUICKLY.maim, `--geometry=${geometry(area)}`));

/** ImageMagick's; it never includes the pointer. */
export const importPicture = async (screen: XScreen, area: Area): Promise<Buffer> =>
  raw(
    await screen.run(
      'import',
      ...['-silent', '-window', 'root', '-crop', geometry(area), '+repage', ...QUICKLY.import, 'png:-'],
    ),
  );

/** Including the pointer. Uses ffmpeg: maim renders the soft edges of a pointer too dark. */
export const pictureWithPointer = (screen: XScreen, { x, y, width, height }: Area): Promise<Buffer> =>
  screen.run(
    'ffmpeg',
    ...['-v', 'error', '-f', 'x11grab', '-draw_mouse', '1', '-grab_x', `${x}`, '-grab_y', `${y}`],
    ...['-video_size', `${width}x${height}`, '-i', screen.display, '-frames:v', '1'],
    ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
  );
