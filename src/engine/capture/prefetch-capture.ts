/**
 * Takes a screenshot before the engine starts, so that a command does not wait for the start first. Returns a screen
 * capturer that answers the engine with these pixels; they are encoded while it starts.
 */

import { ok } from '../../api/errors.ts';
import type { CaptureRequest } from '../../ipc/protocol/capture.ts';
import type { ScreenCapturer } from '../ports.ts';
import { isSameArea } from './areas.ts';
import { resolveCaptureTarget } from './resolve-capture-target.ts';
import { encodePicture } from './write-png.ts';

/** Returns a capturer that answers from the prefetched pixels, or the given one if the prefetch failed. */
export const prefetchCapture = async (
  capturer: ScreenCapturer,
  { target, pointer }: Pick<CaptureRequest, 'target' | 'pointer'>,
  signal: AbortSignal,
): Promise<ScreenCapturer> => {
  const [displays, windows] = await Promise.all([
    capturer.displays(signal),
    target.mode === 'window' ? capturer.windows(signal) : ok([]),
  ]);
  if (!displays.ok || !windows.ok) return capturer;
  const area = resolveCaptureTarget(target, { displays: displays.value, windows: windows.value, last: null });
  if (!area.ok) return capturer;
  const pixels = await capturer.grab(area.value, pointer, signal);
  if (!pixels.ok) return capturer;
  // The caller that writes the file handles a failure.
  encodePicture(pixels.value).catch(() => {});
  return {
    ...capturer,
    displays: async () => displays,
    windows: async (asking) => (target.mode === 'window' ? windows : capturer.windows(asking)),
    grab: async (requested, shown, asking) =>
      isSameArea(requested, area.value) && shown === pointer ? pixels : capturer.grab(requested, shown, asking),
  };
};
