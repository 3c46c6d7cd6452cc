/** Capture commands that the engine offers to hosts. */

import type { ShareFields } from '../../api/content.ts';
import type { Result } from '../../api/errors.ts';
import type { CaptureId, ItemId } from '../../api/ids.ts';
import type {
  AfterCapture,
  Area,
  CaptureMode,
  CapturePurpose,
  CaptureRequest,
  Display,
} from '../../ipc/protocol/capture.ts';
import type { CaptureDraft } from '../../ipc/protocol/drawing.ts';

/** What to do with the region selected on the frozen screen. */
export type CaptureAction = 'publish' | 'edit' | 'copy' | 'save';

export interface CaptureApi {
  /** Takes a screenshot and queues it. Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, DISK_FULL, CANCELLED. */
  capture(request: CaptureRequest, share: ShareFields, signal: AbortSignal): Promise<Result<ItemId>>;
  /** The displays of the desktop, the primary one first. */
  displays(signal: AbortSignal): Promise<Result<readonly Display[]>>;
  /**
   * Starts a session as a hotkey does. Resolves once the session counts down, shows the frozen screen or has saved the
   * screenshot. Errors: CAPTURE_UNAVAILABLE, CAPTURE_BUSY, DISK_FULL.
   */
  startCapture(
    request: {
      readonly mode: CaptureMode;
      readonly purpose?: CapturePurpose | undefined;
      readonly delaySeconds?: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<Result<void>>;
  /**
   * Captures the selected area of the frozen screen. `action` null: use the settings. Errors: CAPTURE_GONE,
   * CAPTURE_AREA_INVALID, DISK_FULL.
   */
  chooseCapture(
    id: CaptureId,
    area: Area,
    action: CaptureAction | null,
    signal: AbortSignal,
  ): Promise<Result<ItemId | null>>;
  /**
   * Finishes editing. `picture`: path of the edited PNG in the spool; null: the unedited original. Errors:
   * CAPTURE_GONE, DISK_FULL, SAVE_FAILED.
   */
  finishCapture(
    request: {
      readonly id: CaptureId;
      readonly picture: string | null;
      readonly after: AfterCapture;
      readonly share: ShareFields;
    },
    signal: AbortSignal,
  ): Promise<Result<ItemId | null>>;
  /** Cancels the session in any state; a saved screenshot can be restored for a while. */
  cancelCapture(): Promise<void>;
  /** Returns a discarded screenshot to the editor. Errors: CAPTURE_GONE, CAPTURE_BUSY. */
  restoreCapture(id: CaptureId): Result<void>;
  /** The drawing made on a screenshot in the editor; null: there is no drawing. */
  captureDraft(id: CaptureId): Promise<CaptureDraft | null>;
  /** Errors: CAPTURE_GONE, DISK_FULL. */
  keepCaptureDraft(id: CaptureId, draft: CaptureDraft): Promise<Result<void>>;
  /** The frozen pixels of one display, RGBA of 8 bits, rows without padding; null: no such session. */
  captureFrame(id: CaptureId, display: number): Uint8Array | null;
  /**
   * The screenshot that a page should copy to the clipboard, for a page that missed the event; null: there is no such
   * screenshot.
   */
  pendingClipboardPicture(): CaptureId | null;
  /**
   * Path of the PNG that is open in the editor or that a page should copy to the clipboard; null: it no longer exists.
   */
  capturePicture(id: CaptureId): string | null;
}
