/** The selection logic without a page: pixel-exact, and always on the display. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import { createActiveDisplay } from '../../../src/renderer/overlay/active-display.ts';
import { boxInPage, pixelAt, viewOf } from '../../../src/renderer/overlay/picture/display-mapping.ts';
import { createSelectionController } from '../../../src/renderer/overlay/selection/selection-controller.ts';
import {
  between,
  cutTo,
  gripAt,
  HANDLES,
  handlePoint,
  MIN_LENGTH,
  resized,
  squared,
} from '../../../src/renderer/overlay/selection/selection-geometry.ts';
import {
  advance,
  aimIn,
  areaIn,
  beginGesture,
  type Gesture,
  IDLE,
  type SelectionAction,
  type SelectionScene,
} from '../../../src/renderer/overlay/selection/selection-state-machine.ts';
import { makeChoosing, makeDisplay } from '../../support/window/frozen-desktop.ts';

const DISPLAY: Area = { x: -1920, y: 40, width: 1920, height: 1080 };
const WINDOWS = [
  { area: { x: -1500, y: 140, width: 400, height: 300 }, title: 'In front', hasKeyboard: false },
  { area: { x: -1700, y: 90, width: 900, height: 700 }, title: 'Behind', hasKeyboard: true },
];
const scene = (change: Partial<SelectionScene> = {}): SelectionScene => ({
  display: DISPLAY,
  windows: WINDOWS,
  mode: 'region',
  measure: null,
  ...change,
});

const play = (deeds: readonly SelectionAction[], at: SelectionScene = scene(), from: Gesture = IDLE): Gesture =>
  deeds.reduce((gesture, deed) => advance(gesture, deed, at), from);
const point = (x: number, y: number, hold: 'nothing' | 'square' | 'carry' = 'nothing'): SelectionAction => ({
  do: 'point',
  at: { x, y },
  hold,
});
const press = (x: number, y: number): SelectionAction => ({ do: 'press', at: { x, y }, reach: 8 });
const RELEASE: SelectionAction = { do: 'release' };
const drag = (x: number, y: number, toX: number, toY: number): readonly SelectionAction[] => [
  point(x, y),
  press(x, y),
  point(toX, toY),
  RELEASE,
];
const area = (gesture: Gesture): Area | null => areaIn(gesture, scene());

const coordinate = fc.integer({ min: -2_500, max: 1_500 });
const step = fc.integer({ min: -30, max: 30 });
const at = fc.record({ x: coordinate, y: coordinate });
const deed: fc.Arbitrary<SelectionAction> = fc.oneof(
  fc.record({ do: fc.constant('point' as const), at, hold: fc.constantFrom('nothing', 'square', 'carry') }),
  fc.record({ do: fc.constant('press' as const), at, reach: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ do: fc.constantFrom('nudge' as const, 'stretch' as const), dx: step, dy: step }),
  fc.record({ do: fc.constant('aim' as const), window: fc.constantFrom(0, 1, null) }),
  fc.record({
    do: fc.constant('choose' as const),
    area: fc.record({
      ...{ x: coordinate, y: coordinate },
      width: fc.integer({ min: 1, max: 4_000 }),
      height: fc.integer({ min: 1, max: 4_000 }),
    }),
  }),
  fc.constantFrom<SelectionAction>(
    { do: 'release' },
    { do: 'leave' },
    { do: 'corner' },
    { do: 'take' },
    { do: 'back' },
  ),
);

describe('any sequence of inputs', () => {
  it('a selected area is on the display and large enough', () => {
    const modes = fc.constantFrom('region' as const, 'window' as const, 'screen' as const);
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), modes, (deeds, mode) => {
        const where = scene({ mode });
        let gesture = beginGesture(where);
        for (const next of deeds) {
          gesture = advance(gesture, next, where);
          const shown = areaIn(gesture, where);
          if (shown === null) continue;
          const least = gesture.phase === 'drawing' ? 1 : MIN_LENGTH;
          expect(shown.x).toBeGreaterThanOrEqual(DISPLAY.x);
          expect(shown.y).toBeGreaterThanOrEqual(DISPLAY.y);
          expect(shown.x + shown.width).toBeLessThanOrEqual(DISPLAY.x + DISPLAY.width);
          expect(shown.y + shown.height).toBeLessThanOrEqual(DISPLAY.y + DISPLAY.height);
          expect(Math.min(shown.width, shown.height)).toBeGreaterThanOrEqual(least);
          expect(Object.values(shown).every(Number.isInteger)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('three steps back lead to where nothing is chosen', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
        const back: SelectionAction = { do: 'back' };
        expect(play([...deeds, back, back, back]).phase).toBe('aiming');
      }),
    );
  });

  it('a drag includes both its first and last pixel, in every direction', () => {
    fc.assert(
      fc.property(at, at, (from, to) => {
        const clamped = (point: { x: number; y: number }) => ({
          x: Math.max(DISPLAY.x, Math.min(DISPLAY.x + DISPLAY.width - 1, point.x)),
          y: Math.max(DISPLAY.y, Math.min(DISPLAY.y + DISPLAY.height - 1, point.y)),
        });
        const drawn = between(clamped(from), clamped(to));
        fc.pre(drawn.width >= MIN_LENGTH && drawn.height >= MIN_LENGTH);
        expect(play(drag(from.x, from.y, to.x, to.y))).toEqual({ phase: 'chosen', area: drawn });
      }),
    );
  });

  it('Shift makes a square that is no larger than the display allows', () => {
    fc.assert(
      fc.property(at, at, (from, to) => {
        const anchor = { x: Math.min(-1, Math.max(-1920, from.x)), y: Math.min(1119, Math.max(40, from.y)) };
        const square = between(anchor, squared(anchor, to, DISPLAY));
        expect(square.width).toBe(square.height);
        expect(cutTo(square, DISPLAY) ?? square).toEqual(square);
      }),
    );
  });

  it.each(HANDLES)('the handle %s moves its own edges only, and stops before the area is too small', (handle) => {
    fc.assert(
      fc.property(step, step, fc.integer({ min: 1, max: 60 }), (dx, dy, times) => {
        const start: Area = { x: -1000, y: 400, width: 200, height: 100 };
        const after = resized(start, handle, dx * times, dy * times, DISPLAY);
        const [right, bottom] = [start.x + start.width, start.y + start.height];
        if (!handle.includes('w')) expect(after.x).toBe(start.x);
        if (!handle.includes('n')) expect(after.y).toBe(start.y);
        if (!handle.includes('e')) expect(after.x + after.width).toBe(right);
        if (!handle.includes('s')) expect(after.y + after.height).toBe(bottom);
        expect(Math.min(after.width, after.height)).toBeGreaterThanOrEqual(MIN_LENGTH);
      }),
    );
  });

  it('every pixel of a display is under the pointer that is over it, at any scale', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 1.25, 1.5, 1.75, 2), fc.nat(1919), fc.nat(1079), (ratio, x, y) => {
        const size = { width: Math.ceil(1920 / ratio), height: Math.ceil(1080 / ratio), ratio };
        const view = viewOf(DISPLAY, size);
        const pixel = { x: DISPLAY.x + x, y: DISPLAY.y + y };
        const place = boxInPage(view, DISPLAY, { ...pixel, width: 1, height: 1 });
        expect(view.factor).toBe(1 / ratio);
        expect(pixelAt(view, DISPLAY, place.x, place.y)).toEqual(pixel);
        expect(pixelAt(view, DISPLAY, Math.fround(place.x + place.width / 2), Math.fround(place.y))).toEqual(pixel);
      }),
    );
  });
});

describe('the pointer', () => {
  it('a click takes the window in front, a click beside all windows takes nothing', () => {
    expect(play([point(-1400, 200), press(-1400, 200), RELEASE])).toEqual({ phase: 'chosen', area: WINDOWS[0]?.area });
    expect(play([point(-1650, 600), press(-1650, 600), RELEASE])).toEqual({ phase: 'chosen', area: WINDOWS[1]?.area });
    expect(play([point(-50, 600), press(-50, 600), RELEASE]).phase).toBe('aiming');
  });

  it('aims at the window below it, which shows before it is taken', () => {
    expect(area(play([point(-1400, 200)]))).toEqual(WINDOWS[0]?.area);
    expect(area(play([point(-1400, 200), { do: 'leave' }]))).toBeNull();
  });

  it('a click beside a chosen area keeps it; when windows are chosen it takes another one', () => {
    const drawn = drag(-600, 500, -400, 700);
    const click = [press(-1400, 200), RELEASE];
    expect(play([...drawn, ...click])).toEqual(play(drawn));
    expect(play([...drawn, ...click], scene({ mode: 'window' }))).toEqual({ phase: 'chosen', area: WINDOWS[0]?.area });
  });

  it('a drag beside a chosen area begins a new one', () => {
    const again = play([...drag(-600, 500, -400, 700), ...drag(-900, 800, -801, 899)]);
    expect(again).toEqual({ phase: 'chosen', area: { x: -900, y: 800, width: 100, height: 100 } });
  });

  it('moves and resizes by what it takes hold of', () => {
    const drawn = drag(-600, 500, -401, 699);
    expect(area(play([...drawn, ...drag(-500, 600, -490, 605)]))).toEqual({ x: -590, y: 505, width: 200, height: 200 });
    expect(area(play([...drawn, ...drag(-400, 700, -380, 710)]))).toEqual({ x: -600, y: 500, width: 220, height: 210 });
    expect(area(play([...drawn, ...drag(-600, 600, -650, 900)]))).toEqual({ x: -650, y: 500, width: 250, height: 200 });
  });

  it('the magnifier follows the edge that is being moved', () => {
    const drawn = drag(-600, 500, -401, 699);
    expect(aimIn(play([...drawn, press(-400, 700), point(-380, 710)]))).toEqual({ x: -381, y: 709 });
    expect(aimIn(play([...drawn, press(-600, 600), point(-650, 900)]))).toEqual({ x: -650, y: 600 });
    expect(aimIn(play(drawn))).toBeNull();
  });

  it('Space moves the selection, and the drag continues from there', () => {
    const drawn = play([press(-600, 500), point(-501, 599), point(-491, 589, 'carry'), point(-391, 589)]);
    expect(area(drawn)).toEqual({ x: -590, y: 490, width: 200, height: 100 });
  });

  it('a handle of a small area leaves its middle free', () => {
    const small = { x: 0, y: 0, width: 20, height: 20 };
    expect(gripAt(small, { x: 10, y: 10 }, 8)).toBe('area');
    for (const handle of HANDLES) {
      const { x, y } = handlePoint(small, handle);
      expect(gripAt(small, { x, y }, 8)).toBe(handle);
    }
    expect(gripAt(small, { x: 60, y: 10 }, 8)).toBe('picture');
  });
});

describe('the keyboard', () => {
  const nudge = (dx: number, dy: number): SelectionAction => ({ do: 'nudge', dx, dy });
  const stretch = (dx: number, dy: number): SelectionAction => ({ do: 'stretch', dx, dy });

  it('draws an area without a pointer', () => {
    const drawn = play([nudge(1, 0), { do: 'corner' }, nudge(99, 49), { do: 'corner' }]);
    expect(drawn).toEqual({ phase: 'chosen', area: { x: -960, y: 580, width: 100, height: 50 } });
  });

  it('moves by arrows, resizes with Shift', () => {
    const drawn = drag(-600, 500, -401, 699);
    expect(area(play([...drawn, nudge(1, 0), nudge(0, -1)]))).toEqual({ x: -599, y: 499, width: 200, height: 200 });
    expect(area(play([...drawn, stretch(1, 0), stretch(0, -1)]))).toEqual({ x: -600, y: 500, width: 201, height: 199 });
  });

  it('takes the window it aims at', () => {
    const second: SelectionAction = { do: 'aim', window: 1 };
    expect(play([second, { do: 'take' }])).toEqual({ phase: 'chosen', area: WINDOWS[1]?.area });
  });

  it('a corner set twice at one place is no area', () => {
    expect(play([{ do: 'corner' }, { do: 'corner' }]).phase).toBe('drawing');
  });
});

describe('each mode begins where it helps', () => {
  it('with the whole screen, or aiming at the window that has the keyboard', () => {
    expect(beginGesture(scene({ mode: 'screen' }))).toEqual({ phase: 'chosen', area: DISPLAY });
    expect(area(beginGesture(scene({ mode: 'window' })))).toEqual(WINDOWS[1]?.area);
    expect(beginGesture(scene())).toEqual(IDLE);
  });

  it('one step back from a drag brings the area before it', () => {
    const drawn = drag(-600, 500, -401, 699);
    expect(play([...drawn, press(-900, 800), point(-800, 900), { do: 'back' }])).toEqual(play(drawn));
  });
});

describe('with the ruler', () => {
  const BOX: Area = { x: -1450, y: 180, width: 120, height: 40 };
  const ruled = (change: Partial<SelectionScene> = {}) => scene({ measure: () => BOX, ...change });
  const click = [point(-1400, 200), press(-1400, 200), RELEASE];

  it('a click takes the measured box instead of the window, in every mode', () => {
    for (const mode of ['region', 'window', 'screen'] as const)
      expect(play(click, ruled({ mode }))).toEqual({ phase: 'chosen', area: BOX });
  });

  it('a click that slips takes the box of the pixel where it began', () => {
    const boxAt = ({ x, y }: { x: number; y: number }) => ({ ...BOX, x, y });
    const slipped = [point(-1400, 200), press(-1400, 200), point(-1397, 203), RELEASE];
    const area = { ...BOX, x: -1400, y: 200 };
    expect(play(slipped, ruled({ measure: boxAt }))).toEqual({ phase: 'chosen', area });
  });

  it('a box that is too small to capture is shown, and not taken', () => {
    const line = ruled({ measure: () => ({ ...BOX, height: 1 }) });
    const clicked = play(click, line);
    expect(clicked.phase).toBe('aiming');
    expect(areaIn(clicked, line)).toEqual({ ...BOX, height: 1 });
    expect(play([{ do: 'take' }], line, clicked)).toEqual(clicked);
  });

  it('a drag draws, and a click beside what was drawn keeps it', () => {
    const drawn = play(drag(-600, 500, -401, 699), ruled());
    expect(drawn).toEqual({ phase: 'chosen', area: { x: -600, y: 500, width: 200, height: 200 } });
    for (const mode of ['region', 'window'] as const) expect(play(click, ruled({ mode }), drawn)).toEqual(drawn);
  });

  it('without a pixel aimed at nothing is measured, and off again the window is back', () => {
    expect(areaIn(IDLE, ruled())).toBeNull();
    expect(area(play([point(-1400, 200)], ruled()))).toEqual(WINDOWS[0]?.area);
  });
});

describe('two displays', () => {
  it('keep the selection when the number of its own display is pressed and the pointer passes the other', () => {
    const displays = [makeDisplay(), makeDisplay({ number: 2, x: 1280 })];
    const session = makeChoosing({ displays });
    const attention = createActiveDisplay({ session: session.id, first: 1, channel: () => null });
    const nothing = { cancel: () => {}, finish: () => {}, copyColour: () => {}, measure: () => null };
    const [first, second] = displays.map((display) => {
      const controller = createSelectionController({ session, display, attention, ...nothing });
      controller.open();
      return controller;
    });
    const selected = { x: 100, y: 100, width: 200, height: 100 };
    first?.act({ do: 'choose', area: selected });
    attention.send({ order: 'screen', number: 1 });
    second?.act(point(1300, 50));
    expect(first?.store.getState().gesture).toEqual({ phase: 'chosen', area: selected });
    attention.send({ order: 'screen', number: 2 });
    expect([attention.store.getState().display, first?.store.getState().gesture]).toEqual([2, IDLE]);
  });

  it('of two windows take nothing back that the other one did at the same moment', () => {
    const windows = [1, 2].map(() => ({ channel: new EventTarget(), sent: [] as unknown[] }));
    const displays = windows.map(({ channel, sent }) => {
      const postMessage = (message: unknown): number => sent.push(structuredClone(message));
      const display = createActiveDisplay({
        session: makeChoosing().id,
        first: 1,
        channel: () => Object.assign(channel, { postMessage }) as unknown as BroadcastChannel,
      });
      display.open();
      return display;
    });
    /** Each window hears what the other one sent until now. */
    const deliver = (): void => {
      const all = windows.map(({ sent }) => sent.splice(0));
      for (const [index, { channel }] of windows.entries())
        for (const data of all[1 - index] ?? []) channel.dispatchEvent(new MessageEvent('message', { data }));
    };
    const [first, second] = displays;
    first?.set({ isSubmitted: true });
    second?.set({ isMeasuring: true });
    deliver();
    first?.set({ hasSelection: true });
    second?.set({ display: 2 });
    deliver();
    const both = { display: 2, hasSelection: true, initialSelection: null, isMeasuring: true, isSubmitted: true };
    expect(displays.map(({ store }) => store.getState())).toEqual([both, both]);
  });
});
