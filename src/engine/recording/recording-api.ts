/** Recording commands that the engine offers to hosts. */

import type { ShareFields } from '../../api/content.ts';
import type { Result } from '../../api/errors.ts';
import type { ItemId, RecordingId } from '../../api/ids.ts';
import type { AudioSource, RecordingRequest, TrimRange } from '../../ipc/protocol/recording.ts';

export interface RecordingApi {
  /** Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, CAPTURE_BUSY, VIDEO_TOOL_MISSING, DISK_FULL. */
  startRecording(request: RecordingRequest, signal: AbortSignal): Promise<Result<void>>;
  pauseRecording(): Promise<Result<void>>;
  resumeRecording(): Promise<Result<void>>;
  /**
   * Stops the recording; resolves when the complete MP4 exists. Without an active recording, returns the one in review.
   */
  stopRecording(): Promise<Result<RecordingId>>;
  /** Trims as requested and queues the result. Errors: CAPTURE_GONE, DISK_FULL, VIDEO_*. */
  publishRecording(
    request: { readonly id: RecordingId; readonly cut: TrimRange; readonly share: ShareFields },
    signal: AbortSignal,
  ): Promise<Result<ItemId>>;
  discardRecording(): Promise<void>;
  /** The audio sources available here; always includes `none`. */
  recordingSounds(signal: AbortSignal): Promise<Result<readonly AudioSource[]>>;
  /** Path of the MP4 in review; null: no such recording. */
  recordingFile(id: RecordingId): string | null;
}
