/**
 * Runs the action of a hotkey: starts a capture, starts the selection of an area to record, or stops the recording or
 * the scrolling capture. Starts nothing while a capture session or the editor is open. Notifies about a failure,
 * unless the action was cancelled or another one is visibly in progress.
 */

import type { Failure, Result } from '../../api/errors.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import type { CaptureSession } from '../../ipc/protocol/capture.ts';
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import type { Recording } from '../../ipc/protocol/recording.ts';
import type { CaptureApi } from '../capture/capture-interface.ts';
import type { RecordingApi } from '../recording/recording-interface.ts';

export interface HotkeyActionRunnerDeps {
  readonly capture: Pick<CaptureApi, 'start' | 'stopScrolling'>;
  readonly recording: Pick<RecordingApi, 'stop'>;
  readonly session: () => CaptureSession | null;
  readonly running: () => Recording | null;
  readonly notify: (notice: Failure) => void;
}

export const createHotkeyActionRunner =
  ({ capture, recording, session, running, notify }: HotkeyActionRunnerDeps) =>
  (action: HotkeyAction): void => {
    const shown = session();
    const begin = (): Promise<Result<unknown>> | null => {
      if (action === 'record' && isRecording(running())) return recording.stop({});
      if (shown?.state === 'scrolling') return capture.stopScrolling({ id: shown.id });
      if (shown !== null) return null;
      const request = action === 'record' ? ({ mode: 'region', purpose: 'recording' } as const) : { mode: action };
      return capture.start(request, new AbortController().signal);
    };
    begin()?.then(
      (begun) => {
        // A busy session is visible to the user.
        if (!begun.ok && !['CAPTURE_BUSY', 'CAPTURE_GONE', 'CANCELLED'].includes(begun.error.code)) notify(begun.error);
      },
      (error: unknown) => notify(failureOfThrown(error, `The hotkey's action failed: ${String(error)}`)),
    );
  };

const isRecording = (recording: Recording | null): boolean =>
  recording !== null && recording.state !== 'review' && recording.state !== 'finishing';
