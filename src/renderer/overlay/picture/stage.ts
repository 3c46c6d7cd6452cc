/** Draws the choice over the frozen picture. It sets places only, at most once a frame; no component is rendered for it. */

import { unreachable } from '../../../api/errors.ts';
import { aimIn, areaIn, type Gesture, type SelectionScene } from '../selection/gesture.ts';
import { gripAt, type Handle, type Point } from '../selection/selection-geometry.ts';
import { placeOf, type View } from './display-view.ts';
import { colourAt, lensAt } from './pixels.ts';

export interface StageParts {
  readonly root: HTMLElement;
  readonly surface: HTMLElement;
  /** Around the area; what is outside is dimmed by its shadow. */
  readonly hole: HTMLElement;
  readonly lineX: HTMLElement;
  readonly lineY: HTMLElement;
  /** The magnifier with its colour. */
  readonly lens: HTMLElement;
  readonly lensCanvas: HTMLCanvasElement;
  readonly colour: HTMLElement;
  readonly swatch: HTMLElement;
  /** Width and height of the area. */
  readonly size: HTMLElement;
  /** Follows a chosen area. */
  readonly bar: HTMLElement;
}

/** The parts by their names in the page. */
export const partsIn = (root: HTMLElement): StageParts => {
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
    size: part('size'),
    bar: part('bar'),
  };
};

export interface StageState {
  readonly gesture: Gesture;
  readonly scene: SelectionScene;
  readonly view: View;
  readonly image: ImageData;
  /** The last place of the pointer, which shows what it could take hold of; null: it is elsewhere. */
  readonly pointer: Point | null;
}

/** CSS pixels between the parts, and to the edges of the page. */
const GAP = 10;
/** CSS pixels between the pixel aimed at and the magnifier. */
const LENS_GAP = 24;
/** CSS pixels around a handle that still take hold of it. */
export const REACH = 9;

const place = (element: HTMLElement, x: number, y: number): void =>
  element.style.setProperty('transform', `translate(${x}px, ${y}px)`);

const show = (element: HTMLElement, isShown: boolean): void => {
  element.toggleAttribute('data-away', !isShown);
};

const within = (start: number, length: number, room: number): number =>
  Math.max(GAP, Math.min(start, room - length - GAP));

/** Below the area, above it, or inside it: wherever there is room. */
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

const drawArea = ({ surface, hole, size, bar }: StageParts, state: StageState): void => {
  const { gesture, scene, view } = state;
  const area = areaIn(gesture, scene);
  surface.style.setProperty('cursor', cursorOf(state));
  show(size, area !== null);
  if (area === null) {
    // Of no size and out of sight; its shadow goes on dimming everything.
    place(hole, -GAP, -GAP);
    hole.style.setProperty('width', '0');
    hole.style.setProperty('height', '0');
    return;
  }
  const { x, y, width, height } = placeOf(view, scene.display, area);
  place(hole, x, y);
  hole.style.setProperty('width', `${width}px`);
  hole.style.setProperty('height', `${height}px`);
  size.textContent = `${area.width} × ${area.height}`;
  const above = y - size.offsetHeight - GAP;
  place(size, within(x, size.offsetWidth, view.width), above >= GAP ? above : Math.max(y, 0) + GAP);
  if (gesture.phase !== 'chosen') return;
  // Above the area the bar leaves room for the size.
  const top = y - size.offsetHeight - GAP;
  const barX = within(x + width - bar.offsetWidth, bar.offsetWidth, view.width);
  place(bar, barX, within(beside(top, y + height, bar.offsetHeight, view.height), bar.offsetHeight, view.height));
};

const drawAim = (parts: StageParts, { gesture, scene, view, image }: StageState): void => {
  const at = aimIn(gesture);
  const { lens, lensCanvas, lineX, lineY, colour, swatch } = parts;
  for (const part of [lens, lineX, lineY]) show(part, at !== null);
  if (at === null) return;
  const pixel = placeOf(view, scene.display, { ...at, width: 1, height: 1 });
  const [middleX, middleY] = [pixel.x + pixel.width / 2, pixel.y + pixel.height / 2];
  // On whole device pixels a line is thin.
  place(lineX, Math.floor(middleX * view.ratio) / view.ratio, 0);
  place(lineY, 0, Math.floor(middleY * view.ratio) / view.ratio);
  lensCanvas.getContext('2d')?.putImageData(lensAt(image, scene.display, at), 0, 0);
  const value = colourAt(image, scene.display, at);
  colour.textContent = value;
  swatch.style.setProperty('background', value);
  const [width, height] = [lens.offsetWidth, lens.offsetHeight];
  const right = middleX + LENS_GAP + width + GAP <= view.width;
  const below = middleY + LENS_GAP + height + GAP <= view.height;
  place(
    lens,
    within(right ? middleX + LENS_GAP : middleX - LENS_GAP - width, width, view.width),
    within(below ? middleY + LENS_GAP : middleY - LENS_GAP - height, height, view.height),
  );
  // The pointer can reach it only where it does not run after the pointer.
  lens.toggleAttribute('data-still', gesture.phase === 'aiming' && gesture.by === 'keys');
};

export const drawStage = (parts: StageParts, state: StageState): void => {
  drawArea(parts, state);
  drawAim(parts, state);
};
