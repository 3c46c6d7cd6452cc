/**
 * Prints how many milliseconds a capture takes to reach each step (`--trace-capture`). Steps until the region
 * selection is visible count from the hotkey press; the toast and the link count from the end of the selection.
 */

import type { AppState } from '../ipc/protocol/app-state.ts';
import { CAPTURE_MARKS } from '../ipc/protocol/capture-performance-marks.ts';
import type { AppEvent } from '../ipc/protocol/command-table.ts';
import type { CaptureMark } from '../ipc/protocol/preload-api.ts';

export interface CaptureTrace {
  follow(event: AppEvent): void;
  /** An overlay appeared over its display. */
  shown(capture: string, display: number): void;
  heard(mark: CaptureMark): void;
  /** The toast appeared. */
  toastShown(): void;
}

interface Traced {
  readonly id: string;
  readonly pressedAt: number;
  /** Null while the user selects. */
  readonly chosenAt: number | null;
  /** Steps after the selection; each is printed once. */
  readonly reached: readonly string[];
}

/** `now`: milliseconds since 1970, with fractions. */
export const createCaptureTrace = (print: (line: string) => void, now: () => number): CaptureTrace => {
  let traced: Traced | null = null;
  let state: AppState | null = null;

  const sincePress = (id: string, step: string, at: number): void => {
    if (traced?.id === id) print(`trace-capture ${id} ${step} ${(at - traced.pressedAt).toFixed(1)} ms`);
  };
  const sinceChoice = (step: string): void => {
    if (!traced?.chosenAt || traced.reached.includes(step)) return;
    const { id, chosenAt, reached } = traced;
    traced = { ...traced, reached: [...reached, step] };
    print(`trace-capture ${id} ${step} ${(now() - chosenAt).toFixed(1)} ms after the choice`);
  };

  const followState = ({ capture }: AppState): void => {
    if (capture?.state !== 'choosing') {
      if (traced && traced.chosenAt === null) traced = { ...traced, chosenAt: now() };
    } else if (capture.id !== traced?.id) {
      traced = { id: capture.id, pressedAt: capture.pressedAt, chosenAt: null, reached: [] };
      sincePress(capture.id, 'frozen', now());
    }
  };

  return {
    follow(event) {
      if (event.type === 'state') {
        ({ state } = event);
        followState(state);
      }
      if (event.type !== 'linked') return;
      const { origin } = state?.queue.items.find(({ id }) => id === event.id) ?? {};
      if (origin === 'capture') sinceChoice('linked');
    },
    shown: (id, display) => sincePress(id, `shown display=${display}`, now()),
    heard({ id, display, name, at }) {
      const [step] = Object.entries(CAPTURE_MARKS).find(([, mark]) => mark === name) ?? [];
      // All other steps count from the start.
      if (step && step !== 'start') sincePress(id, `${step} display=${display}`, at);
    },
    toastShown: () => sinceChoice('toast'),
  };
};

/** Used without `--trace-capture`. */
export const silentTrace: CaptureTrace = { follow: () => {}, shown: () => {}, heard: () => {}, toastShown: () => {} };
