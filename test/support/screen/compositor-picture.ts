/** The picture that a Wayland compositor takes of its own screen, and its comparison with what Linkshot published. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type DesktopKind, helperOn, type WaylandDesktop, type WaylandOutput } from './wayland-desktop.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes for each pixel. */
  readonly pixels: Buffer;
}

export const pictureIn = async (file: Buffer): Promise<Picture> => {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
};

/** Pixels that differ; fails for pictures of different sizes. */
export const differences = (one: Picture, other: Picture): number => {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  let count = 0;
  for (let at = 0; at < one.pixels.length; at += 3)
    if (one.pixels.compare(other.pixels, at, at + 3, at, at + 3) !== 0) count += 1;
  return count;
};

/** A part of the picture. */
export const part = ({ width, pixels }: Picture, left: number, top: number, size: WaylandOutput): Picture => ({
  ...{ width: size.width, height: size.height },
  pixels: Buffer.concat(
    Array.from({ length: size.height }, (_, row) => {
      const start = ((top + row) * width + left) * 3;
      return pixels.subarray(start, start + size.width * 3);
    }),
  ),
});

/** By the compositor itself, on Sway of one output; KWin's with the pointer, which its portal always shows. */
export const ownPicture = async (desktop: WaylandDesktop, kind: DesktopKind, monitor = ''): Promise<Picture> => {
  if (kind === 'sway') return pictureIn(await desktop.run('grim', '-o', monitor, '-'));
  if (kind === 'gnome') {
    const path = join(desktop.folder, 'home', 'own.png');
    const shell = ['-d', 'org.gnome.Shell.Screenshot', '-o', '/org/gnome/Shell/Screenshot'];
    await desktop.run(
      'gdbus',
      'call',
      '--session',
      ...shell,
      '-m',
      'org.gnome.Shell.Screenshot.Screenshot',
      ...['false', 'false', path],
    );
    return pictureIn(await readFile(path));
  }
  const output = await desktop.run('python3', await helperOn(desktop, 'kwin-shot.py'));
  const end = output.indexOf('\n');
  const [width = 0, height = 0] = output.toString('latin1', 0, end).split(' ').map(Number);
  return { width, height, pixels: output.subarray(end + 1) };
};

/** The picture that is on the screen before and after the work: a clock or an animation may change it meanwhile. */
export const whileStill = async (
  own: () => Promise<Picture>,
  work: () => Promise<Picture>,
): Promise<[Picture, Picture]> => {
  for (;;) {
    const before = await own();
    const picture = await work();
    const after = await own();
    if (before.pixels.equals(after.pixels)) return [before, picture];
  }
};
