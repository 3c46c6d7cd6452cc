/** What keys, the wheel and drags do with a pinned image. */
import { describe, expect, it, test } from 'vitest';
import type { PinnedImage } from '../../../src/ipc/protocol/pinned-image.ts';
import { SHORTCUTS } from '../../../src/renderer/keyboard/shortcuts.ts';
import { createDrag, inputOfKey, inputOfWheel, type PinInput } from '../../../src/renderer/pin/pin-input.ts';

const pin = (change: Partial<PinnedImage> = {}): PinnedImage => ({
  ...{ id: 'one', name: 'shot.png', width: 320, height: 200, zoom: 1, opacity: 1 },
  ...change,
});
const MIDDLE = { x: 160, y: 100 };
const key = (press: Partial<KeyboardEvent>, of = pin()) => inputOfKey(press as KeyboardEvent, of, MIDDLE);
const wheel = (turn: Partial<WheelEvent>, of = pin()) =>
  inputOfWheel({ clientX: 10, clientY: 20, ...turn } as WheelEvent, of);

it('each listed shortcut works', () => {
  const keys: Readonly<Record<string, Partial<KeyboardEvent>>> = {
    ...{ '← ↑ → ↓': { key: 'ArrowLeft' }, Esc: { key: 'Escape' }, Mod: { ctrlKey: true } },
    ...{ '[': { key: '[', code: 'BracketLeft' } },
  };
  const inputs: Record<keyof typeof SHORTCUTS.pin, PinInput> = {
    move: { change: { kind: 'move', x: -1, y: 0 } },
    far: { change: { kind: 'move', x: -10, y: 0 } },
    zoom: { change: { kind: 'zoom', zoom: 1.1, ...MIDDLE } },
    actualSize: { change: { kind: 'zoom', zoom: 1, ...MIDDLE } },
    opacity: { change: { kind: 'opacity', opacity: 0.9 } },
    letThrough: { action: 'letThrough' },
    copy: { action: 'copy' },
    share: { action: 'share' },
    close: { action: 'close' },
  };
  const pressed = Object.entries(SHORTCUTS.pin).map(([name, [chord]]) => [
    name,
    key(Object.assign({}, ...chord.map((part: string) => keys[part] ?? { key: part }))),
  ]);
  expect(Object.fromEntries(pressed)).toEqual(inputs);
});

it('letters are found on a layout without Latin ones, and other keys do nothing', () => {
  expect(key({ key: 'е', code: 'KeyT' })).toEqual({ action: 'letThrough' });
  expect(key({ key: 'х', code: 'BracketLeft' })).toEqual({ change: { kind: 'opacity', opacity: 0.9 } });
  for (const press of [{ key: 'a' }, { key: 'Tab' }, { key: 't', altKey: true }, { key: 'p', ctrlKey: true }])
    expect(key(press)).toBeNull();
});

it('a key that is held repeats changes, and no action', () => {
  expect(key({ key: 'ArrowLeft', repeat: true })).toEqual({ change: { kind: 'move', x: -1, y: 0 } });
  expect(key({ code: 'BracketLeft', repeat: true })).toEqual({ change: { kind: 'opacity', opacity: 0.9 } });
  for (const held of [
    { key: 'Escape' },
    { key: 't' },
    ...['c', 'u', 'w'].map((letter) => ({ key: letter, ctrlKey: true })),
  ])
    expect(key({ ...held, repeat: true })).toBeNull();
});

describe('the wheel', () => {
  it('zooms at the pointer, and with Ctrl changes the opacity', () => {
    expect(wheel({ deltaY: -120 })).toEqual({ change: { kind: 'zoom', zoom: 1.1, x: 10, y: 20 } });
    expect(wheel({ deltaY: 120, ctrlKey: true })).toEqual({ change: { kind: 'opacity', opacity: 0.9 } });
    expect(wheel({ deltaX: 5, deltaY: 0 })).toBeNull();
  });

  it('stops at the limits, and at the actual size on the way past it', () => {
    const zoomOf = (zoom: number, deltaY: number) => {
      const input = wheel({ deltaY }, pin({ zoom }));
      return input && 'change' in input && input.change.kind === 'zoom' ? input.change.zoom : null;
    };
    expect([zoomOf(8, -1), zoomOf(7.9, -1), zoomOf(0.1, 1)]).toEqual([8, 8, 0.1]);
    expect([zoomOf(0.95, -1), zoomOf(1.05, 1)]).toEqual([1, 1]);
    expect(wheel({ deltaY: 1, ctrlKey: true }, pin({ opacity: 0.1 }))).toMatchObject({ change: { opacity: 0.1 } });
    // 0.7 + 0.1 is 0.7999999999999999.
    expect(wheel({ deltaY: -1, ctrlKey: true }, pin({ opacity: 0.7 }))).toMatchObject({ change: { opacity: 0.8 } });
  });
});

test('a drag moves once a frame, by all that was moved meanwhile', () => {
  const moves: number[][] = [];
  const frames: (() => void)[] = [];
  const drag = createDrag(
    (...by) => moves.push(by),
    (run) => frames.push(run),
  );
  drag.follow({ x: 5, y: 5 });
  expect(frames).toEqual([]);
  drag.begin({ x: 100, y: 100 });
  for (const x of [101, 104, 110]) drag.follow({ x, y: 98 });
  expect([moves, frames.length]).toEqual([[], 1]);
  frames.shift()?.();
  drag.follow({ x: 112, y: 98 });
  drag.end();
  frames.shift()?.();
  drag.follow({ x: 300, y: 300 });
  expect(moves).toEqual([
    [10, -2],
    [2, 0],
  ]);
  expect(frames).toEqual([]);
});
