/**
 * Freezes the screen: takes a picture of every display and lists the windows. Also finds the area of a capture that
 * needs no selection, and cuts the screenshot of an area out of the pictures.
 */

import { ok, type Result } from '../../api/errors.ts';
import type { Area, CaptureMode, Display, OpenWindow } from '../../ipc/protocol/capture.ts';
import type { PointerChoice, ScreenCapturer } from '../ports.ts';
import { toArea } from './areas.ts';
import { crop, type Frame } from './crop.ts';
import { resolveCaptureTarget, titleAt } from './resolve-capture-target.ts';
import type { Subject } from './save-to-spool.ts';

export interface FrozenScreen {
  readonly frames: readonly Frame[];
  readonly displays: readonly Display[];
  /** The frontmost first. */
  readonly windows: readonly OpenWindow[];
}

/** Errors: those of `capturer.freeze`. */
export const freeze = async (
  capturer: ScreenCapturer,
  pointer: PointerChoice,
  signal: AbortSignal,
): Promise<Result<FrozenScreen>> => {
  const [frames, windows] = await Promise.all([capturer.freeze(pointer, signal), capturer.windows(signal)]);
  if (!frames.ok) return frames;
  const displays = frames.value.map(({ display }) => display);
  return ok({ frames: frames.value, displays, windows: windows.ok ? windows.value : [] });
};

/** The area for modes that need no selection; null: the user selects. Errors: CAPTURE_AREA_INVALID. */
export const areaWithoutSelection = (
  mode: CaptureMode,
  { displays, windows }: FrozenScreen,
  last: Area | null,
): Result<Area> | null => {
  if (mode === 'all' || mode === 'last') return resolveCaptureTarget({ mode }, { displays, windows, last });
  const [only, ...others] = displays;
  return mode === 'screen' && only && others.length === 0 ? ok(toArea(only)) : null;
};

/** The screenshot of an area, with exactly the pixels of the frozen screen. */
export const screenshotOf = (screen: FrozenScreen, area: Area, mode: CaptureMode): Subject => ({
  pixels: crop(screen.frames, area),
  mode,
  title: titleAt(area, screen),
});
