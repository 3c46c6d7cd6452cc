/**
 * Opens the chosen camera for each segment of a recording, and turns it off when the segment ends. A recording goes on
 * without a camera that is missing or fails, and the user is notified.
 */
import type { Failure, Result } from '../../../api/errors.ts';
import { onAbort } from '../../../base/common/on-abort.ts';
import type { CameraChoice } from '../../../ipc/protocol/recording.ts';
import type { Cameras } from '../../ports.ts';
import { closeAfter, type RunningSegment } from '../segment-encoder.ts';
import { findCamera } from './camera-devices.ts';
import { type CameraFeed, type CameraFeedRequest, cameraNotShown, openCameraFeed } from './camera-feed.ts';

interface CameraDeps extends Pick<CameraFeedRequest, 'program' | 'environment' | 'everyFrame' | 'diameter'> {
  readonly cameras: Cameras;
  readonly notify: (notice: Failure) => void;
}

export interface CameraWhileRecording {
  /** Turns the camera on for the next segment, so that it starts with the bubble. The signal turns it off again. */
  warmUp(signal: AbortSignal): void;
  /** Starts a segment, with null where no camera can be shown. Errors are those of `start`. */
  record(
    start: (feed: CameraFeed | null) => Promise<Result<RunningSegment>>,
    signal: AbortSignal,
  ): Promise<Result<RunningSegment>>;
}

/** A camera without a first frame by then appears later, when it has one. */
const WAIT_MS = 5_000;

/** For all segments of one recording: a problem that lasts is reported once. `choice` undefined: no camera. */
export const createCameraWhileRecording = (
  { cameras, notify, ...deps }: CameraDeps,
  choice: CameraChoice | undefined,
): CameraWhileRecording => {
  let reported: unknown = null;
  let recorded: CameraFeed | null = null;
  const report = (reason: Failure) => {
    if (reported !== reason.params?.['by']) notify(reason);
    reported = reason.params?.['by'];
  };

  const open = async (signal: AbortSignal): Promise<CameraFeed | null> => {
    if (!choice) return null;
    // A camera that was plugged in again may have another number.
    const listed = await cameras.list(deps.program, signal);
    if (signal.aborted) return null;
    const camera = findCamera(listed, choice.name);
    if (!camera) {
      const names = listed.map(({ name }) => name).join(', ');
      report(cameraNotShown('missing', listed.length === 0 ? null : choice.name, names));
      return null;
    }
    const { promise: decided, resolve: decide } = Promise.withResolvers<'open' | 'failed'>();
    const feed = openCameraFeed({
      ...deps,
      camera,
      onShown() {
        reported = null;
        decide('open');
      },
      onFailed(reason) {
        report(reason);
        decide('failed');
      },
    });
    // One that is being recorded ends with its segment.
    const unfollow = onAbort(signal, () => {
      if (feed !== recorded) feed.close();
      decide('failed');
    });
    const late = setTimeout(() => decide('open'), WAIT_MS);
    const outcome = await decided;
    clearTimeout(late);
    if (outcome === 'open') return feed;
    unfollow();
    return null;
  };

  let warm: Promise<CameraFeed | null> | null = null;
  return {
    warmUp(signal) {
      warm = open(signal).catch(() => null);
    },
    async record(start, signal) {
      const opening = warm ?? open(signal).catch(() => null);
      warm = null;
      const feed = await opening;
      if (feed === null) return start(null);
      const started = await closeAfter(
        () => start(feed),
        async () => feed.close(),
      );
      if (started.ok) recorded = feed;
      if (started.ok || started.error.code !== 'CAPTURE_UNAVAILABLE') return started;
      // Either the screen cannot be recorded at all, or not together with the camera.
      const alone = await start(null);
      if (alone.ok) report(cameraNotShown('failed', choice?.name ?? null, started.error.detail));
      return alone;
    },
  };
};
