/**
 * Takes a screenshot while the engine still starts, so that a short command does not wait twice. The engine receives
 * these pixels, already being encoded.
 */

import { ok } from '../../api/errors.ts';
import type { CaptureRequest } from '../../ipc/protocol/capture.ts';
import type { ScreenCapturer } from '../ports.ts';
import { areaOf, isSameArea } from './capture-region.ts';
import { encodePicture } from './write-png.ts';

/** Returns a capturer that answers from the prefetched pixels, or the given one if the prefetch failed. */
export const prefetchCapture = async (
  recorder: ScreenCapturer,
  { target, pointer }: Pick<CaptureRequest, 'target' | 'pointer'>,
  signal: AbortSignal,
): Promise<ScreenCapturer> => {
  const [displays, windows] = await Promise.all([
    recorder.displays(signal),
    target.mode === 'window' ? recorder.windows(signal) : ok([]),
  ]);
  if (!displays.ok || !windows.ok) return recorder;
  const area = areaOf(target, { displays: displays.value, windows: windows.value, last: null });
  if (!area.ok) return recorder;
  const seen = await recorder.grab(area.value, pointer, signal);
  if (!seen.ok) return recorder;
  // The caller that writes the file handles a failure.
  encodePicture(seen.value).catch(() => {});
  return {
    ...recorder,
    displays: async () => displays,
    windows: async (asking) => (target.mode === 'window' ? windows : recorder.windows(asking)),
    grab: async (asked, shown, asking) =>
      isSameArea(asked, area.value) && shown === pointer ? seen : recorder.grab(asked, shown, asking),
  };
};
