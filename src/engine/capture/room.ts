/** The room of captures: pictures taken at once, and the session in which a person chooses on the frozen screen. */
import type { CaptureSession } from '../../contract/capture.ts';
import { err, failure } from '../../contract/errors.ts';
import { type CaptureDeps, createCapture } from './capture.ts';
import type { CaptureDoor } from './door.ts';

export interface CaptureRoom {
  session(): CaptureSession | null;
  readonly commands: CaptureDoor;
}

export interface CaptureRoomDeps extends CaptureDeps {
  readonly onChange: () => void;
}

export const openCaptureRoom = (deps: CaptureRoomDeps): CaptureRoom => {
  const gone = err(failure('CAPTURE_GONE', 'This capture is over. Start it again.'));
  return {
    session: () => null,
    commands: {
      ...createCapture(deps),
      startCapture: async () => gone,
      chooseCapture: async () => gone,
      finishCapture: async () => gone,
      cancelCapture: async () => {},
      captureFrame: () => null,
      capturePicture: () => null,
    },
  };
};
