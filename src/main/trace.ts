/** Prints when each step of a capture was reached (`--trace-capture`), in milliseconds since it was asked for. */
import { CAPTURE_MARKS } from '../contract/capture-marks.ts';
import type { CaptureMark } from '../contract/desktop.ts';
import type { AppEvent } from '../contract/ipc.ts';

export interface CaptureTrace {
  /** The first state in which the screen is frozen. */
  follow(event: AppEvent): void;
  shown(capture: string, display: number): void;
  heard(mark: CaptureMark): void;
}

/** `now`: milliseconds since 1970, with fractions. */
export const createCaptureTrace = (print: (line: string) => void, now: () => number): CaptureTrace => {
  let session: { readonly id: string; readonly pressedAt: number } | null = null;
  const tell = (id: string, step: string, at: number): void => {
    if (session?.id !== id) return;
    print(`trace-capture ${id} ${step} ${(at - session.pressedAt).toFixed(1)} ms`);
  };
  return {
    follow(event) {
      const capture = event.type === 'state' ? event.state.capture : null;
      if (capture?.state !== 'choosing' || capture.id === session?.id) return;
      session = capture;
      tell(capture.id, 'frozen', now());
    },
    shown: (id, display) => tell(id, `shown display=${display}`, now()),
    heard({ id, display, name, at }) {
      const [step] = Object.entries(CAPTURE_MARKS).find(([, mark]) => mark === name) ?? [];
      // The start is what all others are counted from.
      if (step && step !== 'start') tell(id, `${step} display=${display}`, at);
    },
  };
};

/** For whoever does not ask. */
export const silentTrace: CaptureTrace = { follow: () => {}, shown: () => {}, heard: () => {} };
