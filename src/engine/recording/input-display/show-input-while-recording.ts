/** Shows clicks and keys while a segment is recorded. If that fails, the recording continues without them. */
import { type Failure, failure, type Result } from '../../../api/errors.ts';
import type { InputDisplay, InputDisplayRequest } from '../../ports.ts';
import { closeAfter, type RunningSegment } from '../segment-encoder.ts';

interface ShownInputDeps {
  /** Null: this platform has none. */
  readonly inputDisplay: InputDisplay | null;
  readonly notify: (notice: Failure) => void;
}

/** Starts a segment; errors are those of `start`. */
type StartSegment = (
  start: () => Promise<Result<RunningSegment>>,
  signal: AbortSignal,
) => Promise<Result<RunningSegment>>;

const UNAVAILABLE = failure('INPUT_NOT_SHOWN', 'Clicks and keys can be shown in recordings on X11 only.');

/** For all segments of one recording: a reason why nothing is shown is reported once. */
export const showInputWhileRecording = (
  { inputDisplay, notify }: ShownInputDeps,
  request: InputDisplayRequest,
): StartSegment => {
  let isReported = false;
  const report = (reason: Failure) => {
    if (!isReported) notify(reason);
    isReported = true;
  };
  return async (start, signal) => {
    if (request.shown.length === 0) return start();
    if (!inputDisplay) {
      report(UNAVAILABLE);
      return start();
    }
    const opened = await inputDisplay.open(request, signal);
    if (!opened.ok) {
      if (!signal.aborted) report(opened.error);
      return start();
    }
    return closeAfter(start, opened.value.close);
  };
};
