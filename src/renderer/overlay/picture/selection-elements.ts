/**
 * Positions the elements of the selection (frame, magnifier, size, bar) over the screenshot without rendering React
 * components.
 */

import { unreachable } from '../../../api/errors.ts';
import { gripAt, type Handle, type Point } from '../selection/selection-geometry.ts';
import { aimIn, areaIn, type Gesture, type SelectionScene } from '../selection/selection-state-machine.ts';
import { contrastRatio } from './contrast.ts';
import { boxInPage, type View } from './display-mapping.ts';
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
  /** The last pointer position, for the cursor; null: the pointer is elsewhere. */
  readonly pointer: Point | null;
  /** Null: no colour was copied yet. */
  readonly reference: ContrastReference | null;
}

/** CSS pixels between the parts, and to the edges of the page. */
const GAP = 10;
/** CSS pixels between the target pixel and the magnifier. */
const LENS_GAP = 24;
/** CSS pixels around a handle that still grab it. */
export const REACH = 9;

const moveTo = (element: HTMLElement, x: number, y: number): void =>
  element.style.setProperty('transform', `translate(${x}px, ${y}px)`);

const show = (element: HTMLElement, isShown: boolean): void => {
  element.toggleAttribute('data-away', !isShown);
};

const within = (start: number, length: number, room: number): number =>
  Math.max(GAP, Math.min(start, room - length - GAP));

/** Below the selection, above it, or inside it: the first that fits. */
const beside = (top: number, bottom: number, height: number, room: number): number => {
  if (bottom + GAP + height + GAP <= room) return bottom + GAP;
  return top - GAP - height >= GAP ? top - GAP - height : bottom - GAP - height;
};

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

const drawArea = ({ surface, hole, size, bar }: SelectionParts, state: StageState): void => {
  const { gesture, scene, view } = state;
  const area = areaIn(gesture, scene);
  surface.style.setProperty('cursor', cursorOf(state));
  show(size, area !== null);
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
  size.textContent = `${area.width} × ${area.height}`;
  const above = y - size.offsetHeight - GAP;
  moveTo(size, within(x, size.offsetWidth, view.width), above >= GAP ? above : Math.max(y, 0) + GAP);
  if (gesture.phase !== 'chosen') return;
  // Above the selection, the bar leaves space for the size label.
  const top = y - size.offsetHeight - GAP;
  const barX = within(x + width - bar.offsetWidth, bar.offsetWidth, view.width);
  moveTo(bar, barX, within(beside(top, y + height, bar.offsetHeight, view.height), bar.offsetHeight, view.height));
};

const drawAim = (parts: SelectionParts, { gesture, scene, view, image, reference }: StageState): void => {
  const at = aimIn(gesture);
  const { lens, lensCanvas, lineX, lineY, colour, swatch, contrast } = parts;
  for (const part of [lens, lineX, lineY]) show(part, at !== null);
  if (at === null) return;
  const pixel = boxInPage(view, scene.display, { ...at, width: 1, height: 1 });
  const [middleX, middleY] = [pixel.x + pixel.width / 2, pixel.y + pixel.height / 2];
  // Aligned to device pixels, so that the line stays thin.
  moveTo(lineX, Math.floor(middleX * view.ratio) / view.ratio, 0);
  moveTo(lineY, 0, Math.floor(middleY * view.ratio) / view.ratio);
  lensCanvas.getContext('2d')?.putImageData(lensAt(image, scene.display, at), 0, 0);
  const value = colourAt(image, scene.display, at);
  colour.textContent = value;
  swatch.style.setProperty('background', value);
  contrast.hidden = reference === null;
  if (reference) contrast.textContent = reference.words(contrastRatio(reference.colour, value));
  const [width, height] = [lens.offsetWidth, lens.offsetHeight];
  const right = middleX + LENS_GAP + width + GAP <= view.width;
  const below = middleY + LENS_GAP + height + GAP <= view.height;
  moveTo(
    lens,
    within(right ? middleX + LENS_GAP : middleX - LENS_GAP - width, width, view.width),
    within(below ? middleY + LENS_GAP : middleY - LENS_GAP - height, height, view.height),
  );
  // The pointer can reach the magnifier only while it does not follow the pointer.
  lens.toggleAttribute('data-still', gesture.phase === 'aiming' && gesture.by === 'keys');
};

export const drawSelection = (parts: SelectionParts, state: StageState): void => {
  drawArea(parts, state);
  drawAim(parts, state);
};
