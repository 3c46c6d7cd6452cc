/** What of the screen is to be captured. All lengths are physical pixels; the origin is the desktop's upper left corner. */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/content.ts';
import { CaptureId } from '../../api/ids.ts';

// As far as a region can be typed: whether it lies on the desktop is told of the desktop that is there.
const Pixel = Type.Integer({ minimum: -99_999, maximum: 99_999 });
const Length = Type.Integer({ minimum: 1, maximum: 99_999 });

export const Area = Type.Object({ x: Pixel, y: Pixel, width: Length, height: Length });
export type Area = Static<typeof Area>;

/** One display of the desktop; `number` counts from 1, the primary one first. `scale`: physical pixels per logical one. */
export const Display = Type.Object({
  ...Area.properties,
  number: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  scale: Type.Number({ minimum: 0.25, maximum: 16 }),
});
export type Display = Static<typeof Display>;

/** A window as the person sees it, its frame included where the platform tells it. */
export const OpenWindow = Type.Object({ ...Area.properties, title: Type.String(), hasKeyboard: Type.Boolean() });
export type OpenWindow = Static<typeof OpenWindow>;

/** What is taken without asking further. */
export const CaptureTarget = Type.Union([
  Type.Object({ mode: Type.Literal('region'), area: Area }),
  Type.Object({ mode: Type.Literal('screen'), number: Type.Integer({ minimum: 1 }) }),
  /** The window that has the keyboard. */
  Type.Object({ mode: Type.Literal('window') }),
  /** Every display, as one picture. */
  Type.Object({ mode: Type.Literal('all') }),
  /** The region that was chosen last. */
  Type.Object({ mode: Type.Literal('last') }),
]);
export type CaptureTarget = Static<typeof CaptureTarget>;

export const CaptureRequest = Type.Object({
  target: CaptureTarget,
  pointer: literals('hide', 'show'),
  delaySeconds: Type.Integer({ minimum: 0, maximum: 60 }),
});
export type CaptureRequest = Static<typeof CaptureRequest>;

/** What a person starts by hotkey, tray or button: `region`, `window` and `screen` let them choose on the frozen screen. */
export const CAPTURE_MODES = ['region', 'window', 'screen', 'all', 'last'] as const;
export const CaptureMode = literals(...CAPTURE_MODES);
export type CaptureMode = Static<typeof CaptureMode>;

/** What becomes of what was chosen: a picture, or a recording of that area. */
export const CapturePurpose = literals('picture', 'recording');
export type CapturePurpose = Static<typeof CapturePurpose>;

/** What is done with a taken picture. Publishing copies the link as the settings say. */
export const AfterCapture = Type.Object({
  publish: Type.Boolean(),
  /** Put the picture itself on the clipboard. */
  copyPicture: Type.Boolean(),
  /** Keep a copy in the folder of the settings. */
  save: Type.Boolean(),
});
export type AfterCapture = Static<typeof AfterCapture>;

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

/** A capture under way; there is at most one. What `choosing` shows is in memory only; from `editing` on a crash loses nothing. */
export const CaptureSession = Type.Union([
  Type.Object({ state: Type.Literal('waiting'), mode: CaptureMode, purpose: CapturePurpose, startsAt: Instant }),
  /** The screen is frozen: one frame per display, read as RGBA under the display's number. */
  Type.Object({
    state: Type.Literal('choosing'),
    id: CaptureId,
    mode: CaptureMode,
    purpose: CapturePurpose,
    /** When it was asked for, or the delay was over: the start of what `capture-marks.ts` measures. */
    pressedAt: Instant,
    displays: Type.Array(Display, { minItems: 1 }),
    /** The one in front first; empty where the platform does not tell. */
    windows: Type.Array(OpenWindow),
    /** The region chosen last, if it still lies on the desktop. */
    last: Nullable(Area),
  }),
  /** The picture lies in the spool as PNG and waits for the editor's word. */
  Type.Object({
    state: Type.Literal('editing'),
    id: CaptureId,
    name: Type.String(),
    width: Length,
    height: Length,
    takenAt: Instant,
  }),
]);
export type CaptureSession = Static<typeof CaptureSession>;
export type CaptureSessionIn<S extends CaptureSession['state']> = Extract<CaptureSession, { state: S }>;

/** A picture that the person gave up in the editor. Until `until` it can be brought back; then it goes for good. */
export const DiscardedCapture = Type.Object({ id: CaptureId, name: Type.String(), until: Instant });
export type DiscardedCapture = Static<typeof DiscardedCapture>;
