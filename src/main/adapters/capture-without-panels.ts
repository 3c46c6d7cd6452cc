/** Wraps a screen capturer so that the app's own panels are hidden while it captures. */
import type { ScreenCapturer } from '../../engine/ports.ts';
import type { Panels } from '../windows/panels.ts';

export const captureWithoutPanels = (
  capturer: ScreenCapturer,
  panels: Pick<Panels, 'withoutPanels'>,
): ScreenCapturer => ({
  ...capturer,
  freeze: (pointer, signal) => panels.withoutPanels(() => capturer.freeze(pointer, signal)),
  grab: (area, pointer, signal) => panels.withoutPanels(() => capturer.grab(area, pointer, signal)),
});
