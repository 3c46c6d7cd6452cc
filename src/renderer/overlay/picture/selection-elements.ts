/**
 * Positions the elements of the selection (frame, magnifier, size, bar) over the screenshot without rendering React
 * components.
 */

import { unreachable } from '../../../api/errors.ts';
import type { Area } from '../../../ipc/protocol/capture.ts';
import { gripAt, type Handle, type Point } from '../selection/selection-geometry.ts';
import { aimIn, areaIn, type Gesture, type SelectionScene } from '../selection/selection-state-machine.ts';
import { contrastRatio } from './contrast.ts';
import { boxInPage, type View } from './display-mapping.ts';
import { GAP, placeMagnifier, within } from './place-magnifier.ts';
import { colourAt, lensAt } from './read-pixels.ts';

export interface SelectionParts {
  readonly root: HTMLElement;
  readonly surface: HTMLElement;
  /** Frames the selection; its shadow dims everything outside. */
  readonly hole: HTMLElement;
  readonly lineX: HTMLElement;
  readonly lineY: HTMLElement;
  /** The magnifier with its colour label. */
  readonly lens: HTMLElement;
  readonly lensCanvas: HTMLCanvasElement;
  readonly colour: HTMLElement;
  readonly swatch: HTMLElement;
  /** Width and height that the ruler measures. */
  readonly lengths: HTMLElement;
  /** Its contrast with the colour that was copied. */
  readonly contrast: HTMLElement;
  /** Label with width and height of the selection. */
  readonly size: HTMLElement;
  /** Follows a confirmed selection. */
  readonly bar: HTMLElement;
}

/** Finds the parts by their names in the markup. */
export const partsIn = (root: HTMLElement): SelectionParts => {
  const part = <E extends HTMLElement>(name: string): E => {
    const found = root.querySelector<E>(`[data-part="${name}"]`);
    if (found === null) throw new Error(`The frozen screen has no ${name}.`);
    return found;
  };
  return {
    root,
    surface: part('surface'),
    hole: part('hole'),
    lineX: part('lineX'),
    lineY: part('lineY'),
    lens: part('lens'),
    lensCanvas: part<HTMLCanvasElement>('lensCanvas'),
    colour: part('colour'),
    swatch: part('swatch'),
    lengths: part('lengths'),
    contrast: part('contrast'),
    size: part('size'),
    bar: part('bar'),
  };
};

/** A colour that others are compared with, and the words for a ratio. */
export interface ContrastReference {
  readonly colour: string;
  readonly words: (ratio: number) => string;
}

export interface StageState {
  readonly gesture: Gesture;
  readonly scene: SelectionScene;
  readonly view: View;
  readonly image: ImageData;
  /** The last pointer position, for the cursor; null: the pointer was never here. */
  readonly pointer: Point | null;
  /** Null: no colour was copied yet. */
  readonly reference: ContrastReference | null;
}

/** CSS pixels around a handle that still grab it. */
export const REACH = 9;

const moveTo = (element: HTMLElement, x: number, y: number): void =>
  element.style.setProperty('transform', `translate(${x}px, ${y}px)`);

const show = (element: HTMLElement, isShown: boolean): void => {
  element.toggleAttribute('data-away', !isShown);
};

/** Below the selection, above it, or inside it: the first that fits. */
const beside = (top: number, bottom: number, height: number, room: number): number => {
  if (bottom + GAP + height + GAP <= room) return bottom + GAP;
  return top - GAP - height >= GAP ? top - GAP - height : bottom - GAP - height;
};

const isMeasuring = ({ gesture, scene }: StageState): boolean => gesture.phase === 'aiming' && scene.measure !== null;

const CURSORS: Readonly<Record<Handle | 'area' | 'picture', string>> = {
  nw: 'nwse-resize',
  se: 'nwse-resize',
  ne: 'nesw-resize',
  sw: 'nesw-resize',
  n: 'ns-resize',
  s: 'ns-resize',
  e: 'ew-resize',
  w: 'ew-resize',
  area: 'move',
  picture: 'crosshair',
};

const cursorOf = ({ gesture, pointer, view }: StageState): string => {
  switch (gesture.phase) {
    case 'aiming':
    case 'drawing':
      return CURSORS.picture;
    case 'chosen':
      return CURSORS[pointer ? gripAt(gesture.area, pointer, REACH / view.factor) : 'picture'];
    case 'changing':
      return CURSORS[gesture.grip];
    default:
      return unreachable(gesture);
  }
};

const sizeWords = ({ width, height }: Area): string => `${width} × ${height}`;

const drawArea = ({ surface, hole, size, bar }: SelectionParts, state: StageState, area: Area | null): void => {
  const { gesture, scene, view } = state;
  surface.style.setProperty('cursor', cursorOf(state));
  // The ruler shows it beside the pixel.
  show(size, area !== null && !isMeasuring(state));
  if (area === null) {
    // Empty and outside the page, while its shadow still dims everything.
    moveTo(hole, -GAP, -GAP);
    hole.style.setProperty('width', '0');
    hole.style.setProperty('height', '0');
    return;
  }
  const { x, y, width, height } = boxInPage(view, scene.display, area);
  moveTo(hole, x, y);
  hole.style.setProperty('width', `${width}px`);
  hole.style.setProperty('height', `${height}px`);
  size.textContent = sizeWords(area);
  const above = y - size.offsetHeight - GAP;
  moveTo(size, within(x, size.offsetWidth, view.width), above >= GAP ? above : Math.max(y, 0) + GAP);
  if (gesture.phase !== 'chosen') return;
  // Above the selection, the bar leaves space for the size label.
  const top = y - size.offsetHeight - GAP;
  const barX = within(x + width - bar.offsetWidth, bar.offsetWidth, view.width);
  moveTo(bar, barX, within(beside(top, y + height, bar.offsetHeight, view.height), bar.offsetHeight, view.height));
};

/** The lines through the target pixel: across the page, or between the edges that the ruler has found. */
const drawLines = ({ lineX, lineY }: SelectionParts, view: View, middle: Point, box: Area | null): void => {
  // Aligned to device pixels, so that the line stays thin.
  const aligned = (place: number): number => Math.floor(place * view.ratio) / view.ratio;
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: view.width, height: view.height };
  moveTo(lineX, aligned(middle.x), y);
  moveTo(lineY, x, aligned(middle.y));
  lineX.style.setProperty('height', `${height}px`);
  lineY.style.setProperty('width', `${width}px`);
};

const drawAim = (parts: SelectionParts, state: StageState, box: Area | null): void => {
  const { gesture, scene, view, image, reference } = state;
  const at = aimIn(gesture);
  const { lens, lensCanvas, lineX, lineY, colour, swatch, lengths, contrast } = parts;
  for (const part of [lens, lineX, lineY]) show(part, at !== null);
  if (at === null) return;
  const pixel = boxInPage(view, scene.display, { ...at, width: 1, height: 1 });
  const middle = { x: pixel.x + pixel.width / 2, y: pixel.y + pixel.height / 2 };
  const boxThere = box && boxInPage(view, scene.display, box);
  drawLines(parts, view, middle, boxThere);
  lensCanvas.getContext('2d')?.putImageData(lensAt(image, scene.display, at), 0, 0);
  const value = colourAt(image, scene.display, at);
  colour.textContent = value;
  swatch.style.setProperty('background', value);
  lengths.hidden = box === null;
  if (box) lengths.textContent = sizeWords(box);
  contrast.hidden = reference === null;
  if (reference) contrast.textContent = reference.words(contrastRatio(reference.colour, value));
  const size = { width: lens.offsetWidth, height: lens.offsetHeight };
  const place = placeMagnifier(middle, size, view, boxThere);
  moveTo(lens, place.x, place.y);
  // The pointer can reach the magnifier only while it does not follow the pointer.
  lens.toggleAttribute('data-still', gesture.phase === 'aiming' && gesture.by === 'keys');
};

export const drawSelection = (parts: SelectionParts, state: StageState): void => {
  const area = areaIn(state.gesture, state.scene);
  parts.root.toggleAttribute('data-ruler', isMeasuring(state));
  drawArea(parts, state, area);
  drawAim(parts, state, isMeasuring(state) ? area : null);
};
