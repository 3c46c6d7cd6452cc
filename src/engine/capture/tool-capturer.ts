/**
 * Turns an external program that takes screenshots of the whole desktop, such as ffmpeg, into a screen capturer.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Display } from '../../ipc/protocol/capture.ts';
import type { Pixels, PointerChoice, ScreenCapturer } from '../ports.ts';
import { crop } from './crop.ts';

/** One display, or the whole desktop where the program does not distinguish displays. */
export interface Shot {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly pixels: Pixels;
  /** Physical pixels per logical pixel; 1 where unknown. */
  readonly scale?: number;
}

/** What the platform reports without a screenshot. */
export type DesktopQueries = Pick<ScreenCapturer, 'displays' | 'windows'>;

/** At least one shot, the primary display first. Errors: CAPTURE_UNAVAILABLE, CANCELLED. */
export type TakeShot = (pointer: PointerChoice, signal: AbortSignal) => Promise<Result<readonly Shot[]>>;

export const createToolCapturer = (takeShot: TakeShot, queries?: DesktopQueries): ScreenCapturer => {
  const freeze: ScreenCapturer['freeze'] = async (pointer, signal) => {
    const shots = await takeShot(pointer, signal);
    if (signal.aborted) return err(failure('CANCELLED', 'The capture was cancelled.'));
    if (!shots.ok) return shots;
    return ok(
      shots.value.map(({ pixels, ...origin }, index) => {
        const { width, height } = pixels;
        const display: Display = { scale: 1, ...origin, width, height, number: index + 1 };
        return { display, pixels };
      }),
    );
  };
  return {
    freeze,
    async displays(signal) {
      const known = await queries?.displays(signal);
      if (known?.ok) return known;
      const frames = await freeze('hide', signal);
      return frames.ok ? ok(frames.value.map(({ display }) => display)) : frames;
    },
    windows: queries?.windows ?? (async () => ok([])),
    async grab(area, pointer, signal) {
      const frames = await freeze(pointer, signal);
      return frames.ok ? ok(crop(frames.value, area)) : frames;
    },
  };
};
