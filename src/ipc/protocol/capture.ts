/**
 * Schemas of captures: displays, windows, requests and sessions, what happens with a picture afterwards, and discarded
 * captures. All lengths are physical pixels; positions are in the coordinates of the platform's desktop and may be
 * negative.
 */
import Type, { type Static } from 'typebox';
import { CaptureId, ItemId } from '../../api/ids.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';
import { ScrollDirection, ScrollProgress } from './scroll.ts';

// The range that can be typed; whether a region is on the desktop is checked later.
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

/** A window as the user sees it, including its frame where the platform reports it. */
export const OpenWindow = Type.Object({ ...Area.properties, title: Type.String(), hasKeyboard: Type.Boolean() });
export type OpenWindow = Static<typeof OpenWindow>;

/** A target that needs no selection by the user. */
export const CaptureTarget = Type.Union([
  Type.Object({ mode: Type.Literal('region'), area: Area }),
  Type.Object({ mode: Type.Literal('screen'), number: Type.Integer({ minimum: 1 }) }),
  /** The focused window. */
  Type.Object({ mode: Type.Literal('window') }),
  /** Every display, as one picture. */
  Type.Object({ mode: Type.Literal('all') }),
  /** The last selected region. */
  Type.Object({ mode: Type.Literal('last') }),
]);
export type CaptureTarget = Static<typeof CaptureTarget>;

export const CaptureRequest = Type.Object({
  target: CaptureTarget,
  pointer: literals('hide', 'show'),
  delaySeconds: Type.Integer({ minimum: 0, maximum: 60 }),
  /** Also captures what the region shows when it is scrolled. */
  scroll: Type.Optional(ScrollDirection),
});
export type CaptureRequest = Static<typeof CaptureRequest>;

/**
 * Modes that a hotkey, the tray or a button starts: `region`, `window` and `screen` let the user select on the frozen
 * screen.
 */
export const CAPTURE_MODES = ['region', 'window', 'screen', 'all', 'last'] as const;
export const CaptureMode = literals(...CAPTURE_MODES);
export type CaptureMode = Static<typeof CaptureMode>;

/** The result of a selection: a screenshot, one of all that scrolls, a recording, or the text on the clipboard. */
export const CapturePurpose = literals('picture', 'scrolling', 'recording', 'text');
export type CapturePurpose = Static<typeof CapturePurpose>;

/** Actions after a screenshot. Publishing copies the link according to the settings. */
export const AfterCapture = Type.Object({
  publish: Type.Boolean(),
  /** Put the picture itself on the clipboard. */
  copyPicture: Type.Boolean(),
  /** Save a copy in the folder from the settings. */
  save: Type.Boolean(),
  /** Pin it on top of all windows, in hosts with `capabilities.pins`. */
  pin: Type.Optional(Type.Literal(true)),
});
export type AfterCapture = Static<typeof AfterCapture>;

/** Each action by itself. */
export const SINGLE_ACTION = {
  publish: { publish: true, copyPicture: false, save: false },
  copy: { publish: false, copyPicture: true, save: false },
  save: { publish: false, copyPicture: false, save: true },
  pin: { publish: false, copyPicture: false, save: false, pin: true },
} as const satisfies Readonly<Record<string, AfterCapture>>;

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

/**
 * The active capture; there is at most one. `choosing` and `scrolling` exist in memory only; from `editing` on a crash
 * loses nothing.
 */
export const CaptureSession = Type.Union([
  Type.Object({ state: Type.Literal('waiting'), mode: CaptureMode, purpose: CapturePurpose, startsAt: Instant }),
  /** The screen is frozen: one frame per display, read as RGBA under the display's number. */
  Type.Object({
    state: Type.Literal('choosing'),
    id: CaptureId,
    mode: CaptureMode,
    purpose: CapturePurpose,
    /** When the hotkey was pressed, or the delay ended: the start of what `capture-performance-marks.ts` measures. */
    pressedAt: Instant,
    displays: Type.Array(Display, { minItems: 1 }),
    /** Front to back; empty where the platform does not report windows. */
    windows: Type.Array(OpenWindow),
    /** The last selected region, if it is still on the desktop. */
    last: Nullable(Area),
  }),
  /** What scrolls in the area is joined to one picture; its preview is read as RGBA under the number 0. */
  Type.Object({ state: Type.Literal('scrolling'), id: CaptureId, area: Area, ...ScrollProgress.properties }),
  /** The screenshot is in the spool as PNG and waits for the editor. */
  Type.Object({
    state: Type.Literal('editing'),
    id: CaptureId,
    /** The item of the queue that waits until the user has looked at this picture. */
    item: Type.Optional(ItemId),
    name: Type.String(),
    width: Length,
    height: Length,
    takenAt: Instant,
  }),
]);
export type CaptureSession = Static<typeof CaptureSession>;
export type CaptureSessionIn<S extends CaptureSession['state']> = Extract<CaptureSession, { state: S }>;

/** A screenshot that the user discarded in the editor. Until `until` it can be restored; then it is deleted. */
export const DiscardedCapture = Type.Object({ id: CaptureId, name: Type.String(), until: Instant });
export type DiscardedCapture = Static<typeof DiscardedCapture>;
