/**
 * Commands that make an animated image from a video or from the recording in review, predict its size, and cancel the
 * work. One image is made at a time.
 */
import Type from 'typebox';
import { ItemId, RecordingId } from '../../../api/ids.ts';
import { AnimationOptions, MadeAnimation } from '../animation.ts';
import { LinkSettings } from '../link-settings.ts';
import { type Command, None } from './command.ts';

const OfRecording = { id: RecordingId, options: AnimationOptions } as const;

export const animationCommands = {
  /**
   * From a video to a new file. Errors: VIDEO_TOOL_MISSING, VIDEO_UNREADABLE, VIDEO_FIT_FAILED, SOURCE_*, SAVE_FAILED
   * where `out` exists or cannot be written, DISK_FULL, COMMAND_INVALID where it would have too many frames or none,
   * CANCELLED.
   */
  'animation.make': {
    input: Type.Object({
      path: Type.String({ minLength: 1 }),
      out: Type.String({ minLength: 1 }),
      options: AnimationOptions,
    }),
    output: MadeAnimation,
    from: 'owner',
  },
  /** What it would become, from samples; `bytes` is approximate. Errors: those of `animation.make` but SAVE_FAILED. */
  'animation.predictPath': {
    input: Type.Object({ path: Type.String({ minLength: 1 }), options: AnimationOptions }),
    output: MadeAnimation,
    from: 'owner',
  },
  /** The same of the recording in review; a newer prediction ends an older one. Errors: CAPTURE_GONE, those above. */
  'animation.predict': { input: Type.Object(OfRecording), output: MadeAnimation, from: 'page' },
  /**
   * Saves it where screenshots are saved; the recording stays in review. Errors: CAPTURE_GONE, SAVE_FAILED, those above.
   */
  'animation.save': {
    input: Type.Object(OfRecording),
    output: Type.Object({ savedTo: Type.String() }),
    from: 'page',
  },
  /**
   * Publishes it in place of the recording, which is deleted. Errors: COMMAND_INVALID for a GIF, which the service does
   * not accept, CAPTURE_GONE as `recording.publish`, those above.
   */
  'animation.publish': {
    input: Type.Object({ ...OfRecording, share: Type.Optional(LinkSettings) }),
    output: Type.Object({ item: ItemId }),
    from: 'page',
  },
  /** What is being saved or published is answered with CANCELLED. */
  'animation.stop': { input: None, output: None, from: 'page' },
} as const satisfies Record<string, Command>;
