/** The room of recordings: what runs, what waits for review, what a crash left behind. */
import { err, failure, ok } from '../../contract/errors.ts';
import type { Recording } from '../../contract/recording.ts';
import type { RecordingDoor } from './door.ts';

export interface RecordingRoom {
  state(): Recording | null;
  readonly commands: RecordingDoor;
}

export interface RecordingDeps {
  readonly onChange: () => void;
}

export const openRecordingRoom = (_: RecordingDeps): RecordingRoom => {
  const none = err(failure('CAPTURE_UNAVAILABLE', 'Nothing is being recorded.'));
  return {
    state: () => null,
    commands: {
      startRecording: async () => none,
      pauseRecording: async () => none,
      resumeRecording: async () => none,
      stopRecording: async () => none,
      publishRecording: async () => none,
      discardRecording: async () => {},
      recordingSounds: async () => ok(['none']),
      recordingFile: () => null,
    },
  };
};
