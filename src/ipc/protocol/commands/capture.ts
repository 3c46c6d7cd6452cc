/**
 * Commands for capturing the screen, from the selection to what happens with the picture, and for the editor's drafts
 * of captures.
 */
import Type from 'typebox';
import { CaptureId, ItemId, SourceToken } from '../../../api/ids.ts';
import { literals, Nullable } from '../../../api/nullable-and-literals.ts';
import { AfterCapture, Area, CaptureMode, CapturePurpose, CaptureRequest, Display } from '../capture.ts';
import { CaptureDraft, DraftBasis, DraftVersion } from '../drawing.ts';
import { LinkSettings } from '../link-settings.ts';
import { ScrollOutcome } from '../scroll.ts';
import { type Command, None } from './command.ts';

export const captureCommands = {
  /**
   * Takes a screenshot, and replies once it is persisted in the queue. Errors: CAPTURE_UNAVAILABLE,
   * CAPTURE_AREA_INVALID, DISK_FULL, CANCELLED, and those of `queue.add`; `params.keptIn` is `editor` where the
   * screenshot is in the editor.
   */
  'capture.take': {
    input: Type.Object({ ...CaptureRequest.properties, share: Type.Optional(LinkSettings) }),
    output: Type.Object({ id: ItemId, scrolled: Type.Optional(ScrollOutcome) }),
    from: 'page',
  },
  /** The displays of the desktop, the primary one first. */
  'capture.displays': { input: None, output: Type.Object({ displays: Type.Array(Display) }), from: 'page' },
  /**
   * Starts a capture as a hotkey does; omitted values come from the settings. `all` and `last` capture immediately.
   * Replies once the session counts down, shows the frozen screen or has saved the screenshot. Errors:
   * CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID where there is no last region, CAPTURE_BUSY, CANCELLED, and those of
   * `capture.choose`.
   */
  'capture.start': {
    input: Type.Object({
      mode: CaptureMode,
      purpose: Type.Optional(CapturePurpose),
      delaySeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
    }),
    output: None,
    from: 'page',
  },
  /**
   * The user's selection on the frozen screen. `way` null: according to the settings; `text`: ends the session and reads
   * the text of the selection for the clipboard (the `captureText` event); `scroll`: goes on with the session
   * `scrolling` in this area. A recording starts without it.
   * Errors: CAPTURE_GONE, CAPTURE_AREA_INVALID, DISK_FULL, SAVE_FAILED, those of `queue.add`, and for a recording those
   * of `recording.start`.
   */
  'capture.choose': {
    input: Type.Object({
      id: CaptureId,
      area: Area,
      way: Nullable(literals('publish', 'edit', 'copy', 'save', 'pin', 'text', 'scroll')),
    }),
    output: Type.Object({ item: Nullable(ItemId) }),
    from: 'page',
  },
  /** Ends the scrolling and keeps what is joined, as the settings say for captures. Errors: CAPTURE_GONE, DISK_FULL. */
  'capture.stopScrolling': {
    input: Type.Object({ id: CaptureId }),
    output: Type.Object({ item: Nullable(ItemId) }),
    from: 'page',
  },
  /** Removes the last piece; from now on the user scrolls. Errors: CAPTURE_GONE. */
  'capture.undoScrolling': { input: Type.Object({ id: CaptureId }), output: None, from: 'page' },
  /**
   * Opens the editor for a capture that waits in the queue until the user has looked at it. Errors: CAPTURE_BUSY,
   * CAPTURE_GONE where it no longer waits.
   */
  'capture.review': { input: Type.Object({ item: ItemId }), output: None, from: 'page' },
  /**
   * Completes the editor. `picture`: the edited PNG, uploaded as a file; null: the original. `basis`: of the drawing in
   * `picture`. `isUnedited`: the user was asked, and leaves out what is drawn and not in the picture; only the answer to
   * that question sets it. `isReviewed`: the user has decided about what looks secret. Errors: CAPTURE_GONE,
   * DRAWING_NOT_APPLIED where something is drawn that is not in the picture, SECRETS_FOUND where a waiting item was not
   * decided about.
   */
  'capture.finish': {
    input: Type.Object({
      id: CaptureId,
      picture: Nullable(SourceToken),
      after: AfterCapture,
      share: Type.Optional(LinkSettings),
      basis: Type.Optional(DraftBasis),
      isUnedited: Type.Optional(Type.Literal(true)),
      isReviewed: Type.Optional(Type.Literal(true)),
    }),
    output: Type.Object({ item: Nullable(ItemId) }),
    from: 'page',
    by: 'host',
  },
  /**
   * Puts the picture of the editor on the clipboard by the host, and leaves it in the editor. `picture` and `basis` as
   * above. Calls are handled in their order. Errors: CAPTURE_GONE, COMMAND_INVALID where the host cannot write
   * pictures, DRAWING_NOT_APPLIED, APP_FAILED.
   */
  'capture.copy': {
    input: Type.Object({
      id: CaptureId,
      picture: Nullable(SourceToken),
      basis: Type.Optional(DraftBasis),
    }),
    output: None,
    from: 'page',
    by: 'host',
  },
  /**
   * The page has put on the clipboard what the `picture` event offered it. Without this a screenshot that is to be
   * copied only is saved in the end.
   */
  'capture.copied': { input: Type.Object({ id: CaptureId }), output: None, from: 'page' },
  /** Cancels the session in any state; a screenshot that was taken can be restored for a while. */
  'capture.cancel': { input: None, output: None, from: 'page' },
  /** Reopens a discarded screenshot in the editor, with its drawing. Errors: CAPTURE_GONE, CAPTURE_BUSY. */
  'capture.restore': { input: Type.Object({ id: CaptureId }), output: None, from: 'page' },
  /**
   * The drawing that an earlier page, or another one, made on a screenshot. `draft` null: this version cannot read it;
   * `version` null: no drawing is stored.
   */
  'capture.draft': {
    input: Type.Object({ id: CaptureId }),
    output: Type.Object({ draft: Nullable(CaptureDraft), version: Nullable(DraftVersion) }),
    from: 'page',
  },
  /**
   * Persists the current drawing without sending it. Errors: CAPTURE_GONE, DISK_FULL, DRAWING_NOT_APPLIED where another
   * drawing is stored than `basis` names, which stays.
   */
  'capture.keepDraft': {
    input: Type.Object({ id: CaptureId, draft: CaptureDraft, basis: DraftBasis }),
    output: None,
    from: 'page',
  },
} as const satisfies Record<string, Command>;
