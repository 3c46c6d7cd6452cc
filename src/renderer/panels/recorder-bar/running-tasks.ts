/** Selects the running countdown or recording that the bar shows. Pure. */

import { unreachable } from '../../../api/errors.ts';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import type { CapturePurpose } from '../../../ipc/protocol/capture.ts';
import type { RecordingIn } from '../../../ipc/protocol/recording.ts';

export type Running = RecordingIn<'recording' | 'paused'>;

export type RunningTask =
  /** Until `startsAt` it can be cancelled without a trace: by `capture.cancel` or by `recording.discard`. */
  | {
      readonly kind: 'counting';
      readonly what: CapturePurpose;
      readonly of: 'capture' | 'recording';
      readonly startsAt: number;
    }
  | { readonly kind: 'running'; readonly recording: Running }
  | { readonly kind: 'finishing' };

export const runningTask = ({ capture, recording }: Pick<AppState, 'capture' | 'recording'>): RunningTask | null => {
  if (capture?.state === 'waiting')
    return { kind: 'counting', what: capture.purpose, of: 'capture', startsAt: capture.startsAt };
  if (recording === null) return null;
  switch (recording.state) {
    case 'countdown':
      return { kind: 'counting', what: 'recording', of: 'recording', startsAt: recording.startsAt };
    case 'recording':
    case 'paused':
      return { kind: 'running', recording };
    case 'finishing':
      return { kind: 'finishing' };
    case 'review':
      return null;
    default:
      return unreachable(recording);
  }
};

/** Recorded so far, in milliseconds. */
export const recordedMs = (recording: Running, now: number): number =>
  recording.recordedMs + (recording.state === 'recording' ? Math.max(0, now - recording.since) : 0);
