/** What hosts may ask about captures. */

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

/** What is done with a choice on the frozen screen. */
export type ChosenWay = 'publish' | 'edit' | 'copy' | 'save';

export interface CaptureApi {
  /** Takes a picture of the screen into the queue. Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, DISK_FULL, CANCELLED. */
  capture(request: CaptureRequest, share: ShareFields, signal: AbortSignal): Promise<Result<ItemId>>;
  /** The displays of the desktop, the primary one first. */
  displays(signal: AbortSignal): Promise<Result<readonly Display[]>>;
  /** Begins a session as a hotkey does; answers once it waits, shows the frozen screen, or has taken the picture. Errors: CAPTURE_UNAVAILABLE, CAPTURE_BUSY, DISK_FULL. */
  startCapture(
    request: {
      readonly mode: CaptureMode;
      readonly purpose?: CapturePurpose | undefined;
      readonly delaySeconds?: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<Result<void>>;
  /** Takes the chosen area of the frozen screen. `way` null: as the settings say. Errors: CAPTURE_GONE, CAPTURE_AREA_INVALID, DISK_FULL. */
  chooseCapture(id: CaptureId, area: Area, way: ChosenWay | null, signal: AbortSignal): Promise<Result<ItemId | null>>;
  /** The editor is done. `picture`: path of the edited PNG in the spool; null: as it was taken. Errors: CAPTURE_GONE, DISK_FULL, SAVE_FAILED. */
  finishCapture(
    request: {
      readonly id: CaptureId;
      readonly picture: string | null;
      readonly after: AfterCapture;
      readonly share: ShareFields;
    },
    signal: AbortSignal,
  ): Promise<Result<ItemId | null>>;
  /** Gives the session up in whatever state it is; a picture that was taken can be brought back for a while. */
  cancelCapture(): Promise<void>;
  /** Brings a picture that was given up back into the editor. Errors: CAPTURE_GONE, CAPTURE_BUSY. */
  restoreCapture(id: CaptureId): Result<void>;
  /** What was drawn on a picture in the editor; null: nothing. */
  captureDraft(id: CaptureId): Promise<CaptureDraft | null>;
  /** Errors: CAPTURE_GONE, DISK_FULL. */
  keepCaptureDraft(id: CaptureId, draft: CaptureDraft): Promise<Result<void>>;
  /** The frozen pixels of one display, RGBA of 8 bits, rows without padding; null: there is no such session. */
  captureFrame(id: CaptureId, display: number): Uint8Array | null;
  /** The picture that a page is to put on the clipboard, for a page that was not there to be told; null: there is none. */
  offeredPicture(): CaptureId | null;
  /** Path of the PNG of a session in the editor, or of a picture that a page is to put on the clipboard; null: gone. */
  capturePicture(id: CaptureId): string | null;
}
