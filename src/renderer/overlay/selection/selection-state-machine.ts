/**
 * The region selection as a pure state machine: aim, draw, adjust, confirm. After any sequence of inputs, a confirmed
 * region is within the display and has the minimum size.
 */

import { unreachable } from '../../../api/errors.ts';
import type { Area, CaptureMode } from '../../../ipc/protocol/capture.ts';
import {
  areaOf,
  between,
  centreOf,
  contains,
  cutTo,
  gripAt,
  type Handle,
  handlePixel,
  isLarge,
  moved,
  onDisplay,
  type Point,
  resized,
  squared,
} from './selection-geometry.ts';

/** What stays constant during a selection, except for the ruler. */
export interface SelectionScene {
  readonly display: Area;
  /** Windows on this display, front first, each clipped to it. */
  readonly windows: readonly { readonly area: Area; readonly title: string; readonly hasKeyboard: boolean }[];
  readonly mode: CaptureMode;
  /** The box around a pixel that the ruler measures and a click selects instead of a window; null: the ruler is off. */
  readonly measure: ((at: Point) => Area | null) | null;
}

export type Gesture =
  /** `at`: the target pixel, null until there is one. `window`: index of the window a click would select. */
  | {
      readonly phase: 'aiming';
      readonly at: Point | null;
      readonly window: number | null;
      readonly by: 'pointer' | 'keys';
    }
  /** From `anchor` to `at`. `before` is restored if nothing is drawn. */
  | {
      readonly phase: 'drawing';
      readonly by: 'pointer' | 'keys';
      readonly anchor: Point;
      readonly at: Point;
      readonly before: Area | null;
    }
  | { readonly phase: 'chosen'; readonly area: Area }
  /** Being moved or resized by the pointer since `from`, when the region was `before`. */
  | {
      readonly phase: 'changing';
      readonly area: Area;
      readonly grip: Handle | 'area';
      readonly from: Point;
      readonly before: Area;
    };

export type SelectionAction =
  /** `hold`: Shift asks for a square, Space moves the region. */
  | { readonly do: 'point'; readonly at: Point; readonly hold: 'nothing' | 'square' | 'carry' }
  /** `reach`: pixels around a handle that still grab it. */
  | { readonly do: 'press'; readonly at: Point; readonly reach: number }
  | { readonly do: 'release' }
  | { readonly do: 'leave' }
  /** Moves the target pixel, the drawn corner, or the confirmed region. */
  | { readonly do: 'nudge'; readonly dx: number; readonly dy: number }
  /** Moves the right and the lower edge. */
  | { readonly do: 'stretch'; readonly dx: number; readonly dy: number }
  /** Targets a window; null: none. */
  | { readonly do: 'aim'; readonly window: number | null }
  /** Keyboard drawing: sets the first corner, then the second. */
  | { readonly do: 'corner' }
  /** Confirms what is targeted or drawn. */
  | { readonly do: 'take' }
  | { readonly do: 'choose'; readonly area: Area }
  /** One step back. */
  | { readonly do: 'back' };

/** Nothing is targeted yet. */
export const IDLE: Gesture = { phase: 'aiming', at: null, window: null, by: 'pointer' };

const windowAt = ({ windows, mode }: SelectionScene, at: Point): number | null => {
  if (mode === 'screen') return null;
  const index = windows.findIndex(({ area }) => contains(area, at));
  return index === -1 ? null : index;
};

const aimAt = (scene: SelectionScene, point: Point, by: 'pointer' | 'keys'): Gesture => {
  const at = onDisplay(point, scene.display);
  return { phase: 'aiming', at, window: windowAt(scene, at), by };
};

const confirmed = (area: Area | null | undefined, scene: SelectionScene): Gesture | null => {
  const seen = area ? cutTo(area, scene.display) : null;
  return seen && { phase: 'chosen', area: seen };
};

/** Initial state by mode: `screen` selects the whole screen, `window` targets the focused window. */
export const beginGesture = (scene: SelectionScene): Gesture => {
  if (scene.mode === 'screen') return { phase: 'chosen', area: areaOf(scene.display) };
  const index = scene.mode === 'window' ? scene.windows.findIndex(({ hasKeyboard }) => hasKeyboard) : -1;
  return index === -1 ? IDLE : { phase: 'aiming', at: null, window: index, by: 'keys' };
};

/** The region that is drawn, confirmed, or would be selected; null: none. */
export const areaIn = (gesture: Gesture, { windows, measure }: SelectionScene): Area | null => {
  switch (gesture.phase) {
    case 'aiming':
      if (measure) return gesture.at && measure(gesture.at);
      return gesture.window === null ? null : (windows[gesture.window]?.area ?? null);
    case 'drawing':
      return between(gesture.anchor, gesture.at);
    case 'chosen':
    case 'changing':
      return gesture.area;
    default:
      return unreachable(gesture);
  }
};

/** The pixel under the magnifier: the target, or the edge being moved; null: none. */
export const aimIn = (gesture: Gesture): Point | null => {
  switch (gesture.phase) {
    case 'aiming':
    case 'drawing':
      return gesture.at;
    case 'changing':
      return gesture.grip === 'area' ? null : handlePixel(gesture.area, gesture.grip);
    case 'chosen':
      return null;
    default:
      return unreachable(gesture);
  }
};

const point = (
  gesture: Gesture,
  { at: to, hold }: Extract<SelectionAction, { do: 'point' }>,
  scene: SelectionScene,
): Gesture => {
  const { display } = scene;
  const at = onDisplay(to, display);
  switch (gesture.phase) {
    case 'aiming':
      return aimAt(scene, at, 'pointer');
    case 'drawing': {
      if (gesture.by === 'keys') return gesture;
      if (hold !== 'carry') return { ...gesture, at: hold === 'square' ? squared(gesture.anchor, at, display) : at };
      const drawn = between(gesture.anchor, gesture.at);
      const there = moved(drawn, at.x - gesture.at.x, at.y - gesture.at.y, display);
      const carry = (corner: Point): Point => ({ x: corner.x + there.x - drawn.x, y: corner.y + there.y - drawn.y });
      return { ...gesture, anchor: carry(gesture.anchor), at: carry(gesture.at) };
    }
    case 'chosen':
      return gesture;
    case 'changing': {
      const { grip, before, from } = gesture;
      const [dx, dy] = [at.x - from.x, at.y - from.y];
      const area = grip === 'area' ? moved(before, dx, dy, display) : resized(before, grip, dx, dy, display);
      return { ...gesture, area };
    }
    default:
      return unreachable(gesture);
  }
};

const press = (
  gesture: Gesture,
  { at: to, reach }: Extract<SelectionAction, { do: 'press' }>,
  scene: SelectionScene,
): Gesture => {
  const at = onDisplay(to, scene.display);
  if (gesture.phase === 'chosen') {
    const grip = gripAt(gesture.area, at, reach);
    if (grip !== 'picture') return { phase: 'changing', area: gesture.area, grip, from: at, before: gesture.area };
  }
  const before = gesture.phase === 'chosen' ? gesture.area : null;
  return { phase: 'drawing', by: 'pointer', anchor: at, at, before };
};

/** A click selects the window, the screen or the measured box below it, but never discards a region drawn before. */
const click = ({ anchor, at, before }: Extract<Gesture, { phase: 'drawing' }>, scene: SelectionScene): Gesture => {
  const previous: Gesture | null = before && { phase: 'chosen', area: before };
  // What was shown when the button went down.
  if (scene.measure) return previous ?? confirmed(scene.measure(anchor), scene) ?? aimAt(scene, at, 'pointer');
  if (scene.mode === 'screen') return previous ?? { phase: 'chosen', area: areaOf(scene.display) };
  const index = windowAt(scene, at);
  const window = index === null ? null : confirmed(scene.windows[index]?.area, scene);
  return (scene.mode === 'window' ? (window ?? previous) : (previous ?? window)) ?? aimAt(scene, at, 'pointer');
};

const finish = (gesture: Gesture, scene: SelectionScene): Gesture => {
  switch (gesture.phase) {
    case 'drawing': {
      const drawn = between(gesture.anchor, gesture.at);
      if (isLarge(drawn)) return { phase: 'chosen', area: drawn };
      return gesture.by === 'pointer' ? click(gesture, scene) : gesture;
    }
    case 'changing':
      return { phase: 'chosen', area: gesture.area };
    case 'aiming':
    case 'chosen':
      return gesture;
    default:
      return unreachable(gesture);
  }
};

const nudge = (gesture: Gesture, dx: number, dy: number, scene: SelectionScene): Gesture => {
  const { display } = scene;
  switch (gesture.phase) {
    case 'aiming': {
      const aimed = areaIn(gesture, scene);
      if (gesture.at === null) return aimAt(scene, centreOf(aimed ?? display), 'keys');
      return aimAt(scene, { x: gesture.at.x + dx, y: gesture.at.y + dy }, 'keys');
    }
    case 'drawing':
      return { ...gesture, at: onDisplay({ x: gesture.at.x + dx, y: gesture.at.y + dy }, display) };
    case 'chosen':
      return { phase: 'chosen', area: moved(gesture.area, dx, dy, display) };
    case 'changing':
      return gesture;
    default:
      return unreachable(gesture);
  }
};

const confirm = (gesture: Gesture, scene: SelectionScene): Gesture => {
  if (gesture.phase !== 'aiming') return finish(gesture, scene);
  return confirmed(areaIn(gesture, scene), scene) ?? gesture;
};

const back = (gesture: Gesture, scene: SelectionScene): Gesture => {
  switch (gesture.phase) {
    case 'drawing':
      return gesture.before ? { phase: 'chosen', area: gesture.before } : aimAt(scene, gesture.at, gesture.by);
    case 'changing':
      return { phase: 'chosen', area: gesture.before };
    case 'chosen':
    case 'aiming':
      return IDLE;
    default:
      return unreachable(gesture);
  }
};

export const advance = (gesture: Gesture, action: SelectionAction, scene: SelectionScene): Gesture => {
  switch (action.do) {
    case 'point':
      return point(gesture, action, scene);
    case 'press':
      return press(gesture, action, scene);
    case 'release':
      return gesture.phase === 'drawing' && gesture.by === 'keys' ? gesture : finish(gesture, scene);
    case 'leave':
      return gesture.phase === 'aiming' && gesture.by === 'pointer' ? IDLE : gesture;
    case 'nudge':
      return nudge(gesture, action.dx, action.dy, scene);
    case 'stretch':
      if (gesture.phase !== 'chosen') return nudge(gesture, action.dx, action.dy, scene);
      return { phase: 'chosen', area: resized(gesture.area, 'se', action.dx, action.dy, scene.display) };
    case 'aim':
      return gesture.phase === 'aiming' ? { phase: 'aiming', at: null, window: action.window, by: 'keys' } : gesture;
    case 'corner': {
      if (gesture.phase === 'drawing') return gesture.by === 'keys' ? finish(gesture, scene) : gesture;
      if (gesture.phase !== 'aiming') return gesture;
      const at = gesture.at ?? centreOf(areaIn(gesture, scene) ?? scene.display);
      return { phase: 'drawing', by: 'keys', anchor: at, at, before: null };
    }
    case 'take':
      return confirm(gesture, scene);
    case 'choose':
      return confirmed(action.area, scene) ?? gesture;
    case 'back':
      return back(gesture, scene);
    default:
      return unreachable(action);
  }
};
