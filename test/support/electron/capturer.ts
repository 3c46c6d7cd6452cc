/** `desktopCapturer`: a source for each display with its real pixels, and one for each window of other programs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type * as Electron from 'electron';
import sharp from 'sharp';
import { desktop, type ScreenDouble } from './desktop.ts';
import { needsReady } from './life-cycle.ts';
import { NativeImage } from './native-image.ts';

const run = promisify(execFile);
const DEFAULT_THUMBNAIL: Electron.Size = { width: 150, height: 150 };
/** Four raw 8K displays. */
const MOST_BYTES = 4 * 7680 * 4320 * 4;

/** Pixels of a screen on an X server, RGBA. */
const grab = async (display: string, { x, y }: Electron.Point, size: Electron.Size): Promise<Buffer> => {
  const from = ['-f', 'x11grab', '-draw_mouse', '0', '-video_size', `${size.width}x${size.height}`];
  const to = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'];
  const args = ['-loglevel', 'error', ...from, '-i', `${display}+${x},${y}`, ...to];
  return (await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: MOST_BYTES })).stdout;
};

const pixelsOf = async ({ shows, nativeOrigin }: ScreenDouble, size: Electron.Size): Promise<Buffer> => {
  if (shows === null) return Buffer.alloc(size.width * size.height * 4);
  if ('display' in shows) return grab(shows.display, nativeOrigin, size);
  return sharp(shows.picture).ensureAlpha().raw().toBuffer();
};

/** At most the requested size, with the aspect ratio kept, as Electron does. */
const thumbnailOf = async (screen: ScreenDouble, asked: Electron.Size): Promise<NativeImage> => {
  const width = Math.round(screen.bounds.width * screen.scaleFactor);
  const height = Math.round(screen.bounds.height * screen.scaleFactor);
  if (asked.width === 0 || asked.height === 0) return NativeImage.createEmpty();
  const data = await pixelsOf(screen, { width, height });
  const shrunk = Math.min(1, asked.width / width, asked.height / height);
  if (shrunk === 1) return new NativeImage({ width, height, data });
  const size = { width: Math.round(width * shrunk), height: Math.round(height * shrunk) };
  const small = sharp(data, { raw: { width, height, channels: 4 } }).resize(size.width, size.height, { fit: 'fill' });
  return new NativeImage({ ...size, data: await small.raw().toBuffer() });
};

const source = (id: string, name: string, display_id: string, thumbnail: NativeImage): Electron.DesktopCapturerSource =>
  ({ id, name, display_id, thumbnail, appIcon: null }) as unknown as Electron.DesktopCapturerSource;

export const desktopCapturer: Pick<Electron.DesktopCapturer, 'getSources'> = {
  getSources: async ({ types, thumbnailSize = DEFAULT_THUMBNAIL }) => {
    needsReady('desktopCapturer');
    const screens = types.includes('screen') ? desktop.screens : [];
    const windows = types.includes('window') ? desktop.otherWindows : [];
    return [
      ...(await Promise.all(
        screens.map(async (screen, index) =>
          source(
            `screen:${index}:0`,
            `Screen ${index + 1}`,
            String(1000 + index),
            await thumbnailOf(screen, thumbnailSize),
          ),
        ),
      )),
      ...windows.map((name, index) => source(`window:${index + 1}:0`, name, '', NativeImage.createEmpty())),
    ];
  },
};
