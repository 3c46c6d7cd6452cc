/**
 * Sets performance marks from the hotkey press to the painted overlay, for hosts and tests. The desktop app shows the
 * window of the overlay at the last one.
 */

import { CAPTURE_MARKS, type CaptureMarkDetail } from '../../ipc/protocol/capture-performance-marks.ts';

/** `at`: milliseconds since 1970-01-01 UTC; default: now. */
export const markCapture = (step: keyof typeof CAPTURE_MARKS, detail: CaptureMarkDetail, at?: number): void => {
  // A page opened by the hotkey press starts after it.
  const startTime = at === undefined ? performance.now() : Math.max(0, at - performance.timeOrigin);
  performance.mark(CAPTURE_MARKS[step], { startTime, detail });
};
