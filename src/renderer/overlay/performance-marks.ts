/**
 * Sets performance marks from the hotkey press to the painted overlay, for hosts and tests. Also calls back once the
 * browser has painted.
 */

import { CAPTURE_MARKS, type CaptureMarkDetail } from '../../ipc/protocol/capture-performance-marks.ts';

/** `at`: milliseconds since 1970-01-01 UTC; default: now. */
export const markCapture = (step: keyof typeof CAPTURE_MARKS, detail: CaptureMarkDetail, at?: number): void => {
  // A page opened by the hotkey press starts after it.
  const startTime = at === undefined ? performance.now() : Math.max(0, at - performance.timeOrigin);
  performance.mark(CAPTURE_MARKS[step], { startTime, detail });
};

/** A hidden window renders no frames; its content is painted when it is shown. */
const PATIENCE_MS = 100;

/** Calls back once the next frame is painted. */
export const afterPaint = (then: () => void): void => {
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    then();
  };
  if (document.visibilityState === 'hidden') {
    finish();
    return;
  }
  setTimeout(finish, PATIENCE_MS);
  requestAnimationFrame(() => {
    // A message event runs after the current frame was produced.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      finish();
    };
    port2.postMessage(null);
  });
};
