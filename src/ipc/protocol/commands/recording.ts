/**
 * Commands for recording the screen and sound, for publishing or discarding the recording, and for the audio sources
 * and cameras that can be recorded.
 */
import Type from 'typebox';
import { ShareFields } from '../../../api/content.ts';
import { ItemId, RecordingId } from '../../../api/ids.ts';
import { AudioSource, CameraName, RecordingRequest, TrimRange } from '../recording.ts';
import { type Command, None } from './command.ts';

export const recordingCommands = {
  /**
   * Replies once it runs (or counts down). Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, VIDEO_TOOL_MISSING,
   * DISK_FULL, CAPTURE_BUSY, CANCELLED.
   */
  'recording.start': { input: RecordingRequest, output: None, from: 'page' },
  'recording.pause': { input: None, output: None, from: 'page' },
  'recording.resume': { input: None, output: None, from: 'page' },
  /**
   * Stops the recording; replies when its file is complete. Without an active recording, replies with the newest one in
   * review, or else the last one that was queued. Errors: CAPTURE_GONE, CANCELLED for a countdown, DISK_FULL,
   * VIDEO_UNREADABLE.
   */
  'recording.stop': { input: None, output: Type.Object({ id: RecordingId }), from: 'page' },
  /**
   * Publishes the recording in review; trimming at a key frame needs no encoding. Errors: CAPTURE_GONE, DISK_FULL,
   * VIDEO_*.
   */
  'recording.publish': {
    input: Type.Object({ id: RecordingId, cut: TrimRange, share: Type.Optional(ShareFields) }),
    output: Type.Object({ item: ItemId }),
    from: 'page',
  },
  /** Discards the active recording or the one in review. */
  'recording.discard': { input: None, output: None, from: 'page' },
  /** The audio sources that can be recorded here. Errors: VIDEO_TOOL_MISSING. */
  'recording.sounds': { input: None, output: Type.Object({ sounds: Type.Array(AudioSource) }), from: 'page' },
  /** The names of the cameras that are connected; starts none. Errors: VIDEO_TOOL_MISSING. */
  'recording.cameras': { input: None, output: Type.Object({ cameras: Type.Array(CameraName) }), from: 'page' },
} as const satisfies Record<string, Command>;
