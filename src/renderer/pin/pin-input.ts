/** Maps keys, the wheel and drags over a pinned image to its changes and actions. */
import { clamp } from '../../base/common/clamp.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import { OPACITY, type PinChange, type PinnedImage, ZOOM } from '../../ipc/protocol/pinned-image.ts';
import { isCommandKey, isCtrlOrCommand, isLetter, isPlainKey } from '../keyboard/key-events.ts';

export type PinAction = CommandInput<'pin.act'>['action'];
export type PinInput = { readonly change: PinChange } | { readonly action: PinAction };

/** Logical pixels of the window. */
export interface PinPoint {
  readonly x: number;
  readonly y: number;
}

const ZOOM_STEP = 1.1;
const OPACITY_STEP = 0.1;
/** Pixels per arrow key with Ctrl. */
const STRIDE = 10;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** `factor` multiplies the zoom; one that comes near the actual size stops there. */
const zoomBy = (zoom: number, factor: number): number => {
  const next = clamp(zoom * factor, ZOOM.least, ZOOM.most);
  const passesActualSize = (zoom < 1 && next > 1) || (zoom > 1 && next < 1);
  return passesActualSize || Math.abs(next - 1) < 0.01 ? 1 : next;
};

const zoomed = (zoom: number, { x, y }: PinPoint): PinInput => ({ change: { kind: 'zoom', zoom, x, y } });

/** In steps of a tenth, without the error of adding them up. */
const faded = ({ opacity }: PinnedImage, steps: number): PinInput => ({
  change: {
    kind: 'opacity',
    opacity: clamp(Math.round((opacity + steps * OPACITY_STEP) * 100) / 100, OPACITY.least, OPACITY.most),
  },
});

export const inputOfKey = (event: KeyboardEvent, pin: PinnedImage, middle: PinPoint): PinInput | null => {
  const { key, altKey, repeat } = event;
  if (altKey) return null;
  const arrow = ARROWS[key];
  if (arrow) {
    const by = isCtrlOrCommand(event) ? STRIDE : 1;
    return { change: { kind: 'move', x: arrow[0] * by, y: arrow[1] * by } };
  }
  if (key === '+' || key === '=') return zoomed(zoomBy(pin.zoom, ZOOM_STEP), middle);
  if (key === '-') return zoomed(zoomBy(pin.zoom, 1 / ZOOM_STEP), middle);
  if (key === '0') return zoomed(1, middle);
  if (isPlainKey(event)) {
    // By the physical key: on other layouts it has a letter.
    if (event.code === 'BracketLeft') return faded(pin, -1);
    if (event.code === 'BracketRight') return faded(pin, 1);
  }
  // A key that is held must not publish the image many times.
  if (repeat) return null;
  if (isCommandKey(event)) {
    if (isLetter(event, 'c')) return { action: 'copy' };
    if (isLetter(event, 'u')) return { action: 'share' };
    return isLetter(event, 'w') ? { action: 'close' } : null;
  }
  if (!isPlainKey(event)) return null;
  if (key === 'Escape') return { action: 'close' };
  return isLetter(event, 't') ? { action: 'letThrough' } : null;
};

/** The wheel zooms at the pointer; with Ctrl it changes the opacity. */
export const inputOfWheel = (event: WheelEvent, pin: PinnedImage): PinInput | null => {
  if (event.deltaY === 0) return null;
  const isUp = event.deltaY < 0;
  if (isCtrlOrCommand(event)) return faded(pin, isUp ? 1 : -1);
  return zoomed(zoomBy(pin.zoom, isUp ? ZOOM_STEP : 1 / ZOOM_STEP), { x: event.clientX, y: event.clientY });
};

/** Joins the movements of a drag between two frames, because the window itself moves below the pointer. */
export const createDrag = (move: (x: number, y: number) => void, nextFrame: (run: () => void) => void) => {
  let from: PinPoint | null = null;
  let at: PinPoint | null = null;
  let isAwaited = false;
  const flush = (): void => {
    isAwaited = false;
    if (!from || !at) return;
    const [x, y] = [at.x - from.x, at.y - from.y];
    from = at;
    if (x !== 0 || y !== 0) move(x, y);
  };
  return {
    /** Positions on the screen. */
    begin(point: PinPoint): void {
      from = point;
      at = point;
    },
    follow(point: PinPoint): void {
      if (!from) return;
      at = point;
      if (isAwaited) return;
      isAwaited = true;
      nextFrame(flush);
    },
    end(): void {
      flush();
      from = null;
    },
  };
};
