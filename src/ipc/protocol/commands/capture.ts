/** Capturing the screen. */
import Type from 'typebox';
import { literals, Nullable, ShareFields } from '../../../api/content.ts';
import { CaptureId, ItemId, SourceToken } from '../../../api/ids.ts';
import { AfterCapture, Area, CaptureMode, CapturePurpose, CaptureRequest, Display } from '../capture.ts';
import { CaptureDraft } from '../drawing.ts';
import { type Command, None } from './command.ts';

export const captureCommands = {
  /** Takes the picture, and answers once it lies safely in the queue. */
  'capture.take': {
    input: Type.Object({ ...CaptureRequest.properties, share: Type.Optional(ShareFields) }),
    output: Type.Object({ id: ItemId }),
    from: 'page',
  },
  'capture.displays': { input: None, output: Type.Object({ displays: Type.Array(Display) }), from: 'page' },
  /** Begins a capture as a hotkey does; what is left out is as the settings say. `all` and `last` take the picture at once. */
  'capture.start': {
    input: Type.Object({
      mode: CaptureMode,
      purpose: Type.Optional(CapturePurpose),
      delaySeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
    }),
    output: None,
    from: 'page',
  },
  /** The person's choice on the frozen screen. `way` null: as the settings say. A recording begins by itself. */
  'capture.choose': {
    input: Type.Object({ id: CaptureId, area: Area, way: Nullable(literals('publish', 'edit', 'copy', 'save')) }),
    output: Type.Object({ item: Nullable(ItemId) }),
    from: 'page',
  },
  /** The editor is done. `picture`: the edited one as PNG, through the intake; null: as it was taken. */
  'capture.finish': {
    input: Type.Object({
      id: CaptureId,
      picture: Nullable(SourceToken),
      after: AfterCapture,
      share: Type.Optional(ShareFields),
    }),
    output: Type.Object({ item: Nullable(ItemId) }),
    from: 'page',
  },
  /** Gives the session up in whatever state it is; a picture that was taken can be brought back for a while. */
  'capture.cancel': { input: None, output: None, from: 'page' },
  /** Brings a picture that was given up back into the editor, with what was drawn on it. */
  'capture.restore': { input: Type.Object({ id: CaptureId }), output: None, from: 'page' },
  /** What was drawn on a picture in the editor before this page had it. */
  'capture.draft': {
    input: Type.Object({ id: CaptureId }),
    output: Type.Object({ draft: Nullable(CaptureDraft) }),
    from: 'page',
  },
  /** Keeps what is being drawn, without sending it. */
  'capture.keepDraft': {
    input: Type.Object({ id: CaptureId, draft: CaptureDraft }),
    output: None,
    from: 'page',
  },
} as const satisfies Record<string, Command>;
