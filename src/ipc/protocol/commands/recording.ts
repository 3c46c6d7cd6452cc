/**
 * Commands for recording the screen and sound, for publishing or discarding the recording, and for the audio sources
 * and cameras that can be recorded.
 */
import Type from 'typebox';
import { ItemId, RecordingId } from '../../../api/ids.ts';
import { LinkSettings } from '../link-settings.ts';
import { AudioSource, CameraName, RecordingRequest, TrimRange } from '../recording.ts';
import { type Command, None } from './command.ts';

const Named = Type.Object({ id: RecordingId });
/** Absent: the active recording, or else the newest one in review. */
const OptionallyNamed = Type.Partial(Named);

export const recordingCommands = {
  /**
   * Replies once it runs (or counts down). `share`: the link settings it will be published with; refused now where
   * `queue.add` would refuse them. Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, VIDEO_TOOL_MISSING, DISK_FULL,
   * CAPTURE_BUSY, CANCELLED, and those of `queue.add`.
   */
  'recording.start': {
    input: Type.Object({ ...RecordingRequest.properties, share: Type.Optional(LinkSettings) }),
    output: Named,
    from: 'page',
  },
  'recording.pause': { input: None, output: None, from: 'page' },
  'recording.resume': { input: None, output: None, from: 'page' },
  /**
   * Stops the recording; replies when its file is complete. With an id, replies with that recording alone, which may
   * have ended before. Without an id and an active recording, replies with the newest one in review, or else the last
   * one that was queued. Errors: CAPTURE_GONE, CANCELLED for a countdown, DISK_FULL, VIDEO_UNREADABLE.
   */
  'recording.stop': { input: OptionallyNamed, output: Named, from: 'page' },
  /**
   * Publishes the recording in review; trimming at a key frame needs no encoding. Answers a repeated request with the
   * same item. Errors: CAPTURE_GONE, with the place `queue` where it was queued with another cut, other settings or as an
   * animated image, DISK_FULL, VIDEO_*.
   */
  'recording.publish': {
    input: Type.Object({ id: RecordingId, cut: TrimRange, share: Type.Optional(LinkSettings) }),
    output: Type.Object({ item: ItemId }),
    from: 'page',
  },
  /**
   * Discards the active recording or the one in review. A page names the one it shows: that may be over when the command
   * arrives, and another one in review must not be deleted in its place.
   */
  'recording.discard': { input: OptionallyNamed, output: None, from: 'page' },
  /** The audio sources that can be recorded here. Errors: VIDEO_TOOL_MISSING. */
  'recording.sounds': { input: None, output: Type.Object({ sounds: Type.Array(AudioSource) }), from: 'page' },
  /** The names of the cameras that are connected; starts none. Errors: VIDEO_TOOL_MISSING. */
  'recording.cameras': { input: None, output: Type.Object({ cameras: Type.Array(CameraName) }), from: 'page' },
} as const satisfies Record<string, Command>;
