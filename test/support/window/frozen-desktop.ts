/** A frozen desktop for the overlay: images with known pixels, and a capture session that shows them. */

import type { CaptureId } from '../../../src/api/ids.ts';
import type { CaptureSessionIn, Display, OpenWindow } from '../../../src/ipc/protocol/capture.ts';

export const CAPTURE = '00000000-0000-4000-8000-00000000c001' as CaptureId;

export const makeDisplay = (change: Partial<Display> = {}): Display => ({
  ...{ x: 0, y: 0, width: 1280, height: 720, number: 1, name: 'DP-1', scale: 1 },
  ...change,
});

export const makeWindow = (change: Partial<OpenWindow> = {}): OpenWindow => ({
  ...{ x: 100, y: 80, width: 640, height: 400, title: 'Notes', hasKeyboard: false },
  ...change,
});

export const makeChoosing = (change: Partial<CaptureSessionIn<'choosing'>> = {}): CaptureSessionIn<'choosing'> => ({
  ...{ state: 'choosing', id: CAPTURE, mode: 'region', purpose: 'picture', pressedAt: Date.now() },
  ...{ displays: [makeDisplay()], windows: [], last: null },
  ...change,
});

/** The colour of every pixel tells where it is: red and green count columns and rows, blue their 256s. */
export const colourOf = (x: number, y: number): string => {
  const blue = (Math.floor(x / 256) % 16) * 16 + (Math.floor(y / 256) % 16);
  return `#${[x % 256, y % 256, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
};

/** RGBA, rows without padding; `paint` answers red, green and blue of a pixel. */
export const makePixels = (
  { width, height }: { readonly width: number; readonly height: number },
  paint: (x: number, y: number) => readonly [number, number, number],
): Uint8Array => {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  let at = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) [pixels[at], pixels[at + 1], pixels[at + 2]] = paint(x, y);
  return pixels;
};

/** Pixels that are as `colourOf` says. */
export const makeKnownPixels = (size: { readonly width: number; readonly height: number }): Uint8Array =>
  makePixels(size, (x, y) => [x % 256, y % 256, (Math.floor(x / 256) % 16) * 16 + (Math.floor(y / 256) % 16)]);
