/** What hosts may ask about recordings of the screen. */

import type { ShareFields } from '../../api/content.ts';
import type { Result } from '../../api/errors.ts';
import type { ItemId, RecordingId } from '../../api/ids.ts';
import type { AudioSource, RecordingRequest, TrimRange } from '../../ipc/protocol/recording.ts';

export interface RecordingApi {
  /** Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, CAPTURE_BUSY, VIDEO_TOOL_MISSING, DISK_FULL. */
  startRecording(request: RecordingRequest, signal: AbortSignal): Promise<Result<void>>;
  pauseRecording(): Promise<Result<void>>;
  resumeRecording(): Promise<Result<void>>;
  /** Ends it cleanly; the answer comes when the whole MP4 is there. Where none runs, it is the one that waits. */
  stopRecording(): Promise<Result<RecordingId>>;
  /** Cuts as asked and queues it. Errors: CAPTURE_GONE, DISK_FULL, VIDEO_*. */
  publishRecording(
    request: { readonly id: RecordingId; readonly cut: TrimRange; readonly share: ShareFields },
    signal: AbortSignal,
  ): Promise<Result<ItemId>>;
  discardRecording(): Promise<void>;
  /** What can be recorded with the picture here; `none` always. */
  recordingSounds(signal: AbortSignal): Promise<Result<readonly AudioSource[]>>;
  /** Path of the MP4 in review; null: there is none. */
  recordingFile(id: RecordingId): string | null;
}
