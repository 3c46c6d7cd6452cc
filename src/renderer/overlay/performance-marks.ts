/** Tells, in marks that every host can read, how long the way from the press to the painted screen took. */

import { CAPTURE_MARKS, type CaptureMarkDetail } from '../../ipc/protocol/capture-marks.ts';

/** `at`: milliseconds since 1970; now where it is left out. */
export const markCapture = (step: keyof typeof CAPTURE_MARKS, detail: CaptureMarkDetail, at?: number): void => {
  // A page that was opened by the very press is younger than it.
  const startTime = at === undefined ? performance.now() : Math.max(0, at - performance.timeOrigin);
  performance.mark(CAPTURE_MARKS[step], { startTime, detail });
};

/** A window that nobody sees yet has no frames of its own; what it holds is painted when it is shown. */
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
    // A message is handled after the frame that is being made.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      finish();
    };
    port2.postMessage(null);
  });
};
